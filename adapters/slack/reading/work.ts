/** What the readers of one message share in Slack, and how much of it may be read. */
import { type Work as AnyWork, newFound, say } from "../../shared/reading.ts";
import { isRaw, type Raw, rawText } from "./raw.ts";

/** Characters of one message: more than Slack takes as its text (40,000), so that no question is cut. */
export const maxReadChars = 60_000;
/** Nested forwards, containers and lists. Slack's own clients nest less deeply. */
export const maxDepth = 8;
/** Blocks, elements and cells of one message: 20 times what Slack takes, and read within milliseconds. */
const maxParts = 20_000;

/** `decode`: text in Slack's markup. */
export type Work = AnyWork<Raw> & {
  /** A person's, channel's or user group's name by its id. */
  readonly nameOf: (id: string) => string | undefined;
  readonly ownUserId: string;
  /** Ids of people named by elements. */
  readonly named: Set<string>;
};

export function newWork({ decode, nameOf, ownUserId }: Pick<Work, "decode" | "nameOf" | "ownUserId">): Work {
  return { decode, nameOf, ownUserId, named: new Set(), found: newFound(maxReadChars, maxParts) };
}

/** A text object, or a bare string where a field may be either. */
export function sayText(value: unknown, work: Work): string {
  if (isRaw(value) && value["type"] === "rich_text") return "";
  return say(rawText(isRaw(value) ? value["text"] : value), work);
}
