/** Draws Parley's own tab: the welcome card, and the channels that a person shares with Parley. */
import type { Block, Document } from "../../ports/document.ts";
import { homeSentences } from "../sentences/channels/welcome.ts";
import { bold, inline } from "./inline.ts";
import { cleanText } from "./sanitise.ts";
import { type Welcome, welcomeDocument } from "./welcome-document.ts";

export type SharedChannel = {
  readonly channel: string;
  /** Absent: none is chosen there. */
  readonly agent?: string;
};

export type Home = {
  readonly welcome: Welcome;
  /** Absent: the platform does not tell. */
  readonly channels?: readonly SharedChannel[];
  /** For people who manage: what is wrong, and what to do. */
  readonly problem?: string;
};

export function homeDocument({ welcome, channels = [], problem }: Home): Document {
  const card = welcomeDocument(welcome);
  const blocks: Block[] = [...card.blocks];
  if (channels.length > 0) {
    blocks.push({ kind: "divider" }, { kind: "headline", text: inline(homeSentences.channels) });
    blocks.push({ kind: "list", items: channels.map((shared) => ({ mark: "bullet", text: channelText(shared) })) });
  }
  if (problem !== undefined) {
    blocks.push({ kind: "divider" }, { kind: "headline", text: inline(homeSentences.problem) });
    blocks.push({ kind: "text", text: inline(cleanText(problem)) });
  }
  return { ...card, blocks };
}

function channelText({ channel, agent }: SharedChannel) {
  const name = { text: channel, channelId: channel };
  return agent === undefined ? inline([name]) : inline([name], ": ", bold(agent), " answers");
}
