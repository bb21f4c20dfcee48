/** What events are handled with, once questions can be asked, and what their handlers share. */

import type { CommandLimit } from "../../access/command-limit.ts";
import type { Inbound } from "../../core/ports/chat-platform.ts";
import type { BridgeApp } from "../app.ts";
import type { Examples } from "../contact/examples.ts";
import type { ShownEnd } from "../shown/shown-end.ts";
import type { Asking } from "./asking.ts";

export type IntakeApp = BridgeApp & {
  readonly asking: Asking;
  readonly shownEnd: ShownEnd;
  readonly commandLimit: CommandLimit;
  readonly examples: Examples;
};

export type Message = Extract<Inbound, { kind: "message" }>;
export type Edited = Extract<Inbound, { kind: "message-edited" }>;

/** Long enough for every redelivery (Slack: five minutes), short enough to stay small. */
export const claimMs = 24 * 60 * 60_000;
