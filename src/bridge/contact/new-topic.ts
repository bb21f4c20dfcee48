/** Handles "New topic", as a button or as a whole message: the next direct message continues nothing. */

import type { Inbound } from "../../core/ports/chat-platform.ts";
import { infoDocument } from "../../presentation/drawing.ts";
import type { BridgeApp } from "../app.ts";
import { hasMore } from "../conversation/message-content.ts";
import { claimMs } from "../intake/app.ts";
import { plainWords } from "../intake/pleasantries.ts";

type Of<K extends Inbound["kind"]> = Extract<Inbound, { kind: K }>;

export const newTopicAction = "new-topic";

/** Once for each event: a redelivery must not end the topic that was begun since. */
async function begin(app: BridgeApp, { place, eventKey, reply }: Inbound): Promise<void> {
  const { topics, talk } = app;
  const { claims } = app.state;
  if (!(await claims.claim(eventKey, claimMs))) return;
  await topics.end(place);
  await talk.endTopic(place);
  await reply.send(
    infoDocument("Your next question starts a new topic. I won't look back at what you asked before."),
    "private",
  );
}

/** True when the message was "new topic". For messages that address Parley. */
export async function beginNewTopic(app: BridgeApp, message: Of<"message">): Promise<boolean> {
  const { reach } = app;
  const { actor, place, text, continuesTopic } = message;
  if (continuesTopic !== true || hasMore(message) || plainWords(text) !== "new topic") return false;
  // Refused as with every question.
  if (!reach.may(actor, "ask", place).allowed) return false;
  await begin(app, message);
  await message.ack({ kind: "none" });
  return true;
}

/** Of someone who may ask there. */
export async function pressNewTopic(app: BridgeApp, inbound: Of<"action">): Promise<void> {
  await inbound.ack({ kind: "defer-private" });
  await begin(app, inbound);
}
