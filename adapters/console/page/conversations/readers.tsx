/** Says who will read a conversation before it begins, and lets people choose the channel. */
import { render } from "preact";
import type { ListedChannel } from "../../channels/channels.ts";
import type { Me } from "../../people/routes.ts";
import { plain } from "../drawing/element.ts";
import type { State } from "../state.ts";
import { channelTitle } from "./sidebar.tsx";

function whoReads(channel: ListedChannel | undefined, { isReadByManagers }: Me): string {
  if (channel?.isPrivate !== true) return "Everyone who signs in here can read it.";
  return isReadByManagers ? "Only you and those who manage Parley can read it." : "Only you can read it.";
}

function Choice({
  channels,
  current,
  me,
  onChoose,
}: {
  readonly channels: readonly ListedChannel[];
  readonly current: string;
  readonly me: Me;
  readonly onChoose: (channel: string) => void;
}) {
  const chosen = channels.find(({ id }) => id === current);
  return (
    <>
      <label for="channel">New conversation in</label>
      <select
        id="channel"
        aria-describedby="who-reads"
        value={current}
        onChange={(event) => onChoose(event.currentTarget.value)}
      >
        {channels.map(({ id }) => (
          <option key={id} value={id}>
            {plain(channelTitle(channels, id))}
          </option>
        ))}
      </select>
      <span id="who-reads">{whoReads(chosen, me)}</span>
    </>
  );
}

export function createReaders({
  box,
  me,
  onChoose,
}: {
  /** An empty element above the message box. */
  readonly box: HTMLElement;
  readonly me: Me;
  readonly onChoose: (channel: string) => void;
}) {
  return {
    /** `isMissing`: the address leads nowhere. */
    show: ({ channels, current }: State, isMissing: boolean) => {
      const isKnown = !isMissing && channels.some(({ id }) => id === current.channel);
      // Without a sign-in there is one person.
      box.hidden = me.how === "loopback" || current.thread !== undefined || !isKnown;
      const shown = <Choice channels={channels} current={current.channel} me={me} onChoose={onChoose} />;
      render(box.hidden ? null : shown, box);
    },
  };
}
