/** Reads raw messages as the adapter does, with a few known names. */
import { readMessage as parse } from "../../../adapters/slack/intake/events.ts";
import {
  type Lookups,
  type SlackReading as Reading,
  readMessage,
} from "../../../adapters/slack/reading/read-message.ts";

const names: Readonly<Record<string, string>> = { U0BOB: "bob", C0OPS: "ops-alerts", S0OPS: "ops" };

export function read(message: Readonly<Record<string, unknown>>, fileOf?: Lookups["fileOf"]): Reading {
  const parsed = parse({ ts: "1.1", ...message });
  if (parsed === undefined) throw new Error("not understood");
  const lookups = { nameOf: (id: string) => names[id], ...(fileOf === undefined ? {} : { fileOf }) };
  return readMessage(parsed, "U0BOT", lookups);
}

/** The words of one block. */
export const ofBlock = (block: unknown): string => read({ blocks: [block] }).own;

export const plain = (text: string) => ({ type: "plain_text", text });
export const mrkdwn = (text: string) => ({ type: "mrkdwn", text });
/** A rich_text block of one line. */
export const rich = (...elements: readonly unknown[]) => ({
  type: "rich_text",
  elements: [{ type: "rich_text_section", elements }],
});
export const words = (text: string, style = {}) => ({ type: "text", text, style });
export const raw = (text: string) => ({ type: "raw_text", text });
