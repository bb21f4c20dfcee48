/** "@Parley leave": from then on a thread, or a channel's lines at its top, is left to people until Parley is mentioned. */
import { wordsOf } from "../../core/languages/languages.ts";
import type { Inbound } from "../../core/ports/chat-platform.ts";
import { infoDocument } from "../../presentation/drawing.ts";
import type { BridgeApp } from "../app.ts";
import { claimMs } from "../intake/app.ts";
import { folded, foldedSet, plainWords } from "../intake/pleasantries.ts";

type Message = Extract<Inbound, { kind: "message" }>;

/** Accents may be missing. */
const leaveWords = foldedSet(wordsOf("remarks", "leave"));
const leftMark = "👋";

async function isMarked(app: BridgeApp, { place, messageId }: Message): Promise<boolean> {
  const { sites, log } = app;
  const reactions = sites.get(place.platform)?.platform.reactions;
  if (reactions === undefined) return false;
  try {
    await reactions.add({ place, messageId }, leftMark);
    return true;
  } catch (err) {
    log.info({ err, place }, "Leaving a thread could not get a reaction");
    return false;
  }
}

/** True when the message told Parley to leave. */
export async function leaveWhenTold(app: BridgeApp, message: Message): Promise<boolean> {
  const { reach, unasked } = app;
  const { claims } = app.state;
  const { actor, place, conversation, eventKey } = message;
  const isMeant = message.mentionsParley && !message.isDirect && message.attachments.length === 0;
  if (!isMeant || !leaveWords.has(folded(plainWords(message.text))) || !reach.may(actor, "ask", place).allowed)
    return false;
  await unasked.leave(place.thread === undefined ? place : conversation);
  const isFirst = await claims.claim(`${eventKey}/leave`, claimMs);
  await message.ack({ kind: "none" });
  if (!isFirst) return true;
  if (!(await isMarked(app, message)))
    await message.reply.send(infoDocument("I'll keep quiet here until I'm mentioned."), "private");
  return true;
}
