/** What events are handled with, once questions can be asked, and what their handlers share. */

import type { CommandLimit } from "../../access/command-limit.ts";
import type { Inbound } from "../../core/ports/chat-platform.ts";
import type { BridgeApp } from "../app.ts";
import type { Examples } from "../contact/answerer.ts";
import type { Overhearing } from "../overheard/overhearing.ts";
import type { ShownEnd } from "../shown/shown-end.ts";
import type { Turns } from "../turn/turn.ts";

export type IntakeApp = BridgeApp & {
  readonly living: Turns;
  readonly shownEnd: ShownEnd;
  readonly commandLimit: CommandLimit;
  readonly examples: Examples;
  readonly overhearing: Overhearing;
  /** Questions that wait for storage: the characters of each, by its event. */
  readonly held: Map<string, number>;
  /** A press in Parley's own tab. */
  readonly showFailures: (inbound: Press) => Promise<void>;
};

/** An event of that kind. */
export type Of<K extends Inbound["kind"]> = Extract<Inbound, { kind: K }>;
export type Message = Of<"message">;
export type Edited = Of<"message-edited">;
export type Press = Of<"action">;

export function isAddressed(message: Message | Edited): boolean {
  return message.mentionsParley || message.isDirect;
}

/** Long enough for every redelivery (Slack: five minutes), short enough to stay small. */
export const claimMs = 24 * 60 * 60_000;
