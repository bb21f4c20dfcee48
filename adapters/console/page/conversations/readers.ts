/** Says who will read a conversation before it begins, and lets people choose the channel. */
import type { ListedChannel } from "../../channels/channels.ts";
import type { Me } from "../../people/routes.ts";
import { element, plain } from "../drawing/element.ts";
import type { State } from "../state.ts";
import { channelTitle } from "./sidebar.ts";

function whoReads(channel: ListedChannel | undefined, { isReadByManagers }: Me): string {
  if (channel?.isPrivate !== true) return "Everyone who signs in here can read it.";
  return isReadByManagers ? "Only you and those who manage Parley can read it." : "Only you can read it.";
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
  let shown = "";

  function draw(channels: readonly ListedChannel[], current: string): HTMLElement[] {
    const chosen = channels.find(({ id }) => id === current);
    const choice: HTMLSelectElement = element(
      "select",
      { id: "channel", "aria-describedby": "who-reads", change: () => onChoose(choice.value) },
      ...channels.map(({ id }) =>
        element("option", { value: id, selected: id === current }, plain(channelTitle(channels, id))),
      ),
    );
    return [
      element("label", { for: choice.id }, "New conversation in"),
      choice,
      element("span", { id: "who-reads" }, whoReads(chosen, me)),
    ];
  }

  return {
    /** `isMissing`: the address leads nowhere. */
    show: ({ channels, current }: State, isMissing: boolean) => {
      const isKnown = !isMissing && channels.some(({ id }) => id === current.channel);
      // Without a sign-in there is one person.
      box.hidden = me.how === "loopback" || current.thread !== undefined || !isKnown;
      const key = box.hidden ? "" : JSON.stringify([channels, current.channel]);
      if (key === shown) return;
      shown = key;
      const hadFocus = box.contains(document.activeElement);
      box.replaceChildren(...(box.hidden ? [] : draw(channels, current.channel)));
      if (hadFocus) box.querySelector("select")?.focus();
    },
  };
}
