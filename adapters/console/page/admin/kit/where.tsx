/** Channels and workspaces as people call them. */
import type { Mode, Place } from "../../../../../src/core/model/place.ts";
import type { NamedThing } from "../../../../../src/overview/pages/agents.ts";
import { plain } from "../../drawing/element.ts";
import { Chip } from "../../parts/chip.tsx";

const titles: Readonly<Record<string, string>> = { slack: "Slack", discord: "Discord", console: "Page" };

type Workspace = Pick<Place, "platform" | "workspace">;

/** What Parley answers to in a channel. */
export const modes: Readonly<Record<Mode, string>> = {
  mention: "when mentioned",
  thread: "mentions and follow-ups",
  channel: "when it knows the answer",
  every: "every message",
};

export function platformName(name: string): string {
  return titles[name] ?? plain(name);
}

/** "# general", or what the channel is called instead; "Direct messages" without one. */
export function channelText(channel: string | undefined): string {
  return channel === undefined ? "Direct messages" : `#\u00a0${plain(channel)}`;
}

/** "Slack"; "Slack T1" where several of its workspaces are listed. */
export function workspaceNames(places: readonly Workspace[]): (place: Workspace) => string {
  const known = new Map<string, Set<string>>();
  for (const { platform, workspace } of places) {
    known.set(platform, (known.get(platform) ?? new Set<string>()).add(workspace));
  }
  return ({ platform, workspace }) =>
    (known.get(platform)?.size ?? 0) > 1 ? `${platformName(platform)} ${plain(workspace)}` : platformName(platform);
}

/** "# front-desk" and "Slack", or only where the platform hasn't said the channel's name. */
export function placeParts({
  platform,
  name,
  isGone,
  isOff,
}: {
  readonly platform: string;
  readonly name?: string | undefined;
  readonly isGone?: true | undefined;
  readonly isOff?: true | undefined;
}): readonly string[] {
  const channel = name === undefined ? [] : [`#\u00a0${plain(name)}${isGone ? " (gone)" : ""}`];
  return [...channel, `${platformName(platform)}${isOff ? " (off)" : ""}`];
}

/** A name, crossed out where the service no longer has it. */
export function Thing({ name, isGone }: NamedThing) {
  if (isGone !== true) return <span class="thing">{plain(name)}</span>;
  return (
    <span class="thing is-gone" title="It no longer exists">
      {plain(name)}
      <Chip tone="warn">gone</Chip>
    </span>
  );
}

/** "Slack · # front-desk", or "Slack T1 · # C042" while the platform hasn't said the channel's name. */
export function placeText({
  platform,
  workspace,
  channel,
  name,
  isGone,
  isDirect,
}: Workspace & {
  readonly channel?: string;
  readonly name?: string;
  readonly isGone?: true;
  readonly isDirect?: boolean;
}): string {
  if (isDirect) return `${platformName(platform)} · a direct message`;
  const where = platform === "console" || name !== undefined ? "" : ` ${plain(workspace)}`;
  // A change of a whole workspace has no channel.
  const shown = name ?? (channel === "" ? undefined : channel);
  const gone = isGone ? " (gone)" : "";
  return `${platformName(platform)}${where}${shown ? ` · #\u00a0${plain(shown)}${gone}` : ""}`;
}
