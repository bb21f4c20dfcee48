/** Handles "New topic", as a button or as a whole message: the next direct message continues nothing. */

import type { Inbound } from "../../core/ports/chat-platform.ts";
import { infoDocument } from "../../presentation/drawing.ts";
import type { BridgeApp } from "../app.ts";
import { hasMore } from "../conversation/message-content.ts";
import { claimMs } from "../intake/message-intake.ts";
import { plainWords } from "../intake/pleasantries.ts";

type Of<K extends Inbound["kind"]> = Extract<Inbound, { kind: K }>;

export const newTopicAction = "new-topic";

export function createNewTopic(app: BridgeApp) {
  const { topics, talk, reach } = app;
  const { claims } = app.state;

  /** Once for each event: a redelivery must not end the topic that was begun since. */
  async function begin({ place, eventKey, reply }: Inbound): Promise<void> {
    if (!(await claims.claim(eventKey, claimMs))) return;
    await topics.end(place);
    await talk.endTopic(place);
    await reply.send(
      infoDocument("Your next question starts a new topic. I won't look back at what you asked before."),
      "private",
    );
  }

  return {
    /** True when the message was "new topic". For messages that address Parley. */
    handle: async (message: Of<"message">): Promise<boolean> => {
      const { actor, place, text, continuesTopic } = message;
      if (continuesTopic !== true || hasMore(message) || plainWords(text) !== "new topic") return false;
      // Refused as with every question.
      if (!reach.may(actor, "ask", place).allowed) return false;
      await begin(message);
      await message.ack({ kind: "none" });
      return true;
    },
    /** Of someone who may ask there. */
    press: async (inbound: Of<"action">): Promise<void> => {
      await inbound.ack({ kind: "defer-private" });
      await begin(inbound);
    },
  };
}
