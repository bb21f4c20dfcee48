/** Names of platforms and places. */
import { plain } from "../../drawing/element.js";

const titles = { slack: "Slack", discord: "Discord", console: "Page" };

export function platformTitle(name) {
  return titles[name] ?? name;
}

/** "# general", or what the channel is called instead; "Direct message" without one. */
export function channelText(channel) {
  return channel === undefined ? "Direct messages" : `#\u00a0${plain(channel)}`;
}

/** "Slack · # front-desk", or "Slack T1 · # C042" while the platform hasn't said the channel's name. */
export function placeText({ platform, workspace, channel, name, isGone }) {
  const where = platform === "console" || name !== undefined ? "" : ` ${plain(workspace)}`;
  const shown = name ?? channel;
  const gone = isGone ? " (gone)" : "";
  return `${platformTitle(platform)}${where}${shown === undefined ? "" : ` · ${channelText(shown)}${gone}`}`;
}
