/** What events are handled with, once questions can be asked, and what their handlers share. */

import type { CommandLimit } from "../../access/command-limit.ts";
import type { Inbound } from "../../core/ports/chat-platform.ts";
import type { BridgeApp } from "../app.ts";
import type { Examples } from "../contact/examples.ts";
import type { ShownEnd } from "../shown/shown-end.ts";
import type { Turns } from "../turn/turns.ts";

export type IntakeApp = BridgeApp & {
  readonly living: Turns;
  readonly shownEnd: ShownEnd;
  readonly commandLimit: CommandLimit;
  readonly examples: Examples;
  /** Questions that wait for storage: the characters of each, by its event. */
  readonly held: Map<string, number>;
};

export type Message = Extract<Inbound, { kind: "message" }>;
export type Edited = Extract<Inbound, { kind: "message-edited" }>;

/** Long enough for every redelivery (Slack: five minutes), short enough to stay small. */
export const claimMs = 24 * 60 * 60_000;
