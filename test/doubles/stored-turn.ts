/** A stored question, for tests of what becomes of it. */
import type { Turn } from "../../src/core/model/turn.ts";
import { alice, general } from "./people.ts";

export function storedTurn(changes: Partial<Turn> = {}): Turn {
  return {
    version: 1,
    id: "t1",
    ref: "k3f9",
    eventKey: "memory/T1/1",
    askedIn: general,
    conversation: general,
    order: "100",
    actor: alice,
    question: "When?",
    attachments: [],
    via: "message",
    state: "queued",
    attempt: 1,
    reply: { place: general, parts: [] },
    createdAtMs: 0,
    fence: 0,
    ...changes,
  };
}
