/** Channels and workspaces as people call them. */
import { element, plain } from "../../drawing/element.ts";
import { chip } from "./parts.js";

const titles = { slack: "Slack", discord: "Discord", console: "Page" };

/** What Parley answers to in a channel. */
export const modes = {
  mention: "when mentioned",
  thread: "mentions and follow-ups",
  channel: "when it knows the answer",
  every: "every message",
};

export function platformName(name) {
  return titles[name] ?? plain(name);
}

/** "# general", or what the channel is called instead; "Direct messages" without one. */
export function channelText(channel) {
  return channel === undefined ? "Direct messages" : `#\u00a0${plain(channel)}`;
}

/** "Slack"; "Slack T1" where several of its workspaces are listed. */
export function workspaceNames(places) {
  const known = new Map();
  for (const { platform, workspace } of places) known.set(platform, (known.get(platform) ?? new Set()).add(workspace));
  return ({ platform, workspace }) =>
    (known.get(platform)?.size ?? 0) > 1 ? `${platformName(platform)} ${plain(workspace)}` : platformName(platform);
}

/** "# front-desk", with a chip where the channel is gone or its platform is off. */
export function channelNode({ place, name, isGone, isOff, isDirect }) {
  const text =
    place.channel === ""
      ? "Everywhere else"
      : isDirect
        ? "A direct message"
        : name === undefined
          ? place.channel
          : `# ${plain(name)}`;
  const state = isOff ? "off" : isGone ? "gone" : undefined;
  return element("span.where", { dir: "auto" }, text, state === undefined ? undefined : chip(state, "warn"));
}

/** "# front-desk" and "Slack", or only where the platform hasn't said the channel's name. */
export function placeParts({ platform, name, isGone, isOff }) {
  const channel = name === undefined ? [] : [`#\u00a0${plain(name)}${isGone ? " (gone)" : ""}`];
  return [...channel, `${platformName(platform)}${isOff ? " (off)" : ""}`];
}

/** A name, crossed out where the service no longer has it. */
export function thingNode({ name, isGone }) {
  return isGone
    ? element("span.thing.is-gone", { title: "It no longer exists" }, plain(name), chip("gone", "warn"))
    : element("span.thing", {}, plain(name));
}

/** "Slack · # front-desk", or "Slack T1 · # C042" while the platform hasn't said the channel's name. */
export function placeText({ platform, workspace, channel, name, isGone, isDirect }) {
  if (isDirect) return `${platformName(platform)} · a direct message`;
  const where = platform === "console" || name !== undefined ? "" : ` ${plain(workspace)}`;
  // A whole workspace has no channel.
  const shown = name ?? (channel === "" ? undefined : channel);
  const gone = isGone ? " (gone)" : "";
  // A change of a whole workspace has no channel.
  return `${platformName(platform)}${where}${shown ? ` · #\u00a0${plain(shown)}${gone}` : ""}`;
}
