/**
 * Offers a person who replies below a bad answer to use the reply as the answer: once, and visible to that person only.
 * Nearly every message ends at the first checks, which cost nothing.
 */

import { rolesOf } from "../../access/roles.ts";
import { wordsOf } from "../../core/languages/languages.ts";
import { conversationKey } from "../../core/model/place.ts";
import { type BridgeApp, latestQuestions } from "../app.ts";
import type { Message } from "../intake/app.ts";
import { plainWords, pleasantryOf } from "../intake/pleasantries.ts";
import { asksSomething } from "../intake/question-marks.ts";

/** Shorter replies rarely answer anything: "same here". */
const minChars = 15;
/** A longer reply is often an answer: "not sure why it says that: a booking can be moved once, up to 48 hours before". */
const maxWords = 12;

/** How replies begin that don't know, ask the same, promise to find out, or ask someone else. As `plainWords` writes. */
const beginnings = wordsOf("remarks", "noAnswers");

const people = /(?<!\S)@[\p{L}\p{N}_.-]+/gu;
const urls = /\bhttps?:\/\/\S+/gu;

/** Whether it says something of its own, and asks nothing. "Not sure, sorry" and "I'll ask the desk" answer nothing. */
export function readsLikeAnswer(text: string): boolean {
  const said = text.replace(people, " ").replace(urls, " ").trim();
  if (said.length < minChars || pleasantryOf(said) !== undefined || asksSomething(text)) return false;
  const words = plainWords(said);
  if (words.split(" ").length > maxWords) return true;
  return !beginnings.some((phrase) => words === phrase || words.startsWith(`${phrase} `));
}

/** Whether a person wrote it to the others there, and it reads like an answer. Pure. */
function mayAnswer(message: Pick<Message, "text" | "isOnlyNames" | "actor">): boolean {
  const text = message.text.trim();
  if (message.actor.isBot || message.isOnlyNames === true || text.startsWith("/")) return false;
  return readsLikeAnswer(text);
}

async function offer(app: BridgeApp, message: Message): Promise<void> {
  const { reach, sites, settings, log } = app;
  const { adopting } = app.commandsIn(message);
  const latest = latestQuestions(app);
  const { actor, place, conversation, eventKey } = message;
  if (adopting === undefined || sites.get(place.platform)?.platform.whispers !== true) return;
  if (!mayAnswer(message) || !reach.may(actor, "ingest", place).allowed) return;
  const newest = await latest.get(conversationKey(conversation));
  if (newest === undefined || newest.order >= message.order) return;
  const { messageId, text, order } = message;
  const adopted = {
    place: conversation,
    messageId,
    text,
    order,
    atMs: app.clock.now(),
    isBot: false,
    authorName: actor.name,
    authorId: actor.id,
  };
  const roles = rolesOf(actor, place, settings.roles);
  const context = { actor, place, conversation, attachments: [], eventKey, roles };
  const document = await adopting.offer(adopted, newest.turnId, context);
  if (document === undefined) return;
  await message.reply.send(document, "private");
  log.info({ eventKey, turnId: newest.turnId }, "Using a reply as the answer was offered");
}

/** For messages in threads where Parley has answered, and that it doesn't answer. Never rejects. */
export function offerToAdopt(app: BridgeApp, message: Message): Promise<void> {
  const { log } = app;
  return offer(app, message).catch((err: unknown) =>
    log.info({ err }, "Using a reply as the answer could not be offered"),
  );
}
