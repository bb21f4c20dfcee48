/**
 * What becomes of a message. The rules of listening come first; then the first row of `rules` that fits handles it. Its
 * event is acknowledged once what it asks is stored; if that fails, the platform resends it.
 */

import { refusalError } from "../../access/refusal.ts";
import { isNotTaken, ParleyError } from "../../core/errors.ts";
import type { Turn } from "../../core/model/turn.ts";
import { errorDocument, infoDocument } from "../../presentation/drawing.ts";
import { offerToAdopt } from "../contact/answer-offer.ts";
import { offerFiles } from "../contact/file-offer.ts";
import { beginNewTopic, isNewTopic, isStop, mayBeTyped, runTyped, stopRunning } from "../contact/spoken.ts";
import { asksForWelcome, greet } from "../contact/welcome.ts";
import { hasMore, questionOf, unreadableError } from "../conversation/message-content.ts";
import { continuesOf } from "../conversation/topics.ts";
import { asksPeople } from "../overheard/asks-people.ts";
import { leaveWhenTold } from "../overheard/leaving.ts";
import { beginsLikeQuestion } from "../overheard/question-words.ts";
import { forgetDeleted } from "../shown/deleted-question.ts";
import { isTakenBack, removeShown } from "../shown/withdrawn.ts";
import { isUnseen } from "../turn/record.ts";
import {
  type Addressed,
  addressedInCommand,
  addressedInText,
  answeredDirectly,
  placeOf,
  wordsOf,
} from "./addressing.ts";
import { claimMs, type Edited, type IntakeApp, isAddressed, type Message, type Of } from "./app.ts";
import { askEdited, begin, isGone, noteGone, type Question, stopTurn, storeQuestion, withdrawTurn } from "./asking.ts";
import { questionOfEdited, runSpoken } from "./commands.ts";
import { comeBack, countBots, type Listened, listen } from "./listening.ts";
import { hold } from "./outage.ts";
import { asksSomething } from "./question-marks.ts";

type Rule = {
  readonly when: (app: IntakeApp, message: Message, heard: Listened) => boolean;
  /** False: it says something else after all, and the next row that fits handles it. */
  readonly handle: (app: IntakeApp, message: Message, heard: Listened) => Promise<unknown>;
};

/** In this order. */
const rules: readonly Rule[] = [
  { when: toParley(), handle: leaveWhenTold },
  { when: isFromPerson, handle: comeBack },
  { when: toParley(asksForWelcome), handle: greet },
  { when: toParley(isStop), handle: stopRunning },
  { when: toParley(isNewTopic), handle: beginNewTopic },
  { when: toParley(mayBeTyped), handle: runTyped },
  { when: isHeardAs("command"), handle: runSpoken },
  { when: isHeardAs("thanks"), handle: welcomeThanks },
  { when: asksWithFiles, handle: offerFiles },
  { when: isHeardAs("question"), handle: ask },
  { when: isHeardAs("ignore"), handle: keepQuiet },
];

function isFromPerson(_app: IntakeApp, message: Message): boolean {
  return isAddressed(message) && !message.actor.isBot;
}

/** From a person who may ask there. Everyone else is refused as with every question. */
function toParley(isMeant: (message: Message) => boolean = () => true): Rule["when"] {
  return (app, message) => {
    const { actor, place } = message;
    return isFromPerson(app, message) && app.reach.may(actor, "ask", place).allowed && isMeant(message);
  };
}

function isHeardAs(kind: Listened["kind"]): Rule["when"] {
  return (_app, _message, heard) => heard.kind === kind;
}

/** What is said to nobody in particular isn't meant for Parley, and neither are its files. */
function asksWithFiles(_app: IntakeApp, { attachments }: Message, heard: Listened): boolean {
  return heard.kind === "question" && !heard.isQuiet && attachments.length > 0;
}

export async function handleMessage(app: IntakeApp, message: Message): Promise<void> {
  const heard = await listen(app, message);
  for (const { when, handle } of rules) {
    if (when(app, message, heard) && (await handle(app, message, heard)) !== false) return;
  }
}

/** The reaction to thanks. */
const thanksMark = "🙌";

/** The shortest answer there is. Where messages have no reactions, one line to the person alone. */
async function welcomeThanks(app: IntakeApp, message: Message): Promise<void> {
  const { place, messageId, actor } = message;
  const mayAsk = app.reach.may(actor, "ask", place).allowed;
  const isFirst = mayAsk && (await app.state.claims.claim(message.eventKey, claimMs));
  await message.ack({ kind: "none" });
  if (!isFirst) return;
  const reactions = app.sites.get(place.platform)?.platform.reactions;
  if (reactions === undefined) return message.reply.send(infoDocument("You're welcome."), "private");
  await reactions
    .add({ place, messageId }, thanksMark)
    .catch((err: unknown) => app.log.info({ err, place }, "Thanks could not get a reaction"));
}

async function keepQuiet(app: IntakeApp, message: Message, { isInOwnThread }: Listened): Promise<void> {
  await message.ack({ kind: "none" });
  if (isInOwnThread === true) await offerToAdopt(app, message);
}

async function ask(app: IntakeApp, message: Message, heard: Listened): Promise<void> {
  if (heard.kind !== "question") return;
  if (await isGone(app, message)) return message.ack({ kind: "none" });
  const error = refusal(app, message);
  if (error !== undefined) return refuse(app, message, error);
  const words = await addressed(app, message);
  if (words.kind === "refused") return refuse(app, message, words.error);
  const question: Question = {
    eventKey: message.eventKey,
    askedIn: message.place,
    askedMessageId: message.messageId,
    order: message.order,
    actor: message.actor,
    ...wordsOf(words),
    ...questionOf(words.question, message, app.settings.maxQuestionChars),
    attachments: message.attachments,
    isRepeated: message.isRepeated === true ? true : undefined,
    isQuiet: heard.isQuiet ? true : undefined,
    notAnswered: heard.isUnknown === true ? "nothing" : undefined,
    continues: words.kind === "private" ? undefined : continuesOf(message, message.isDirect),
    ...placeOf(words, message),
    via: "message",
  };
  let turn: Turn | undefined;
  try {
    turn = await storeQuestion(app, question);
  } catch (failure) {
    if (isNotTaken(failure)) return refuse(app, message, failure);
    if (isAddressed(message)) hold(app, question, message.sentAtMs);
    throw failure;
  }
  await message.ack({ kind: "none" });
  if (turn === undefined) return;
  if (words.kind === "private") await message.reply.send(answeredDirectly(words), "private");
  // Between the first look and now.
  if (await isGone(app, message)) await withdrawTurn(app, turn.id, message.actor);
  const about = { turnId: turn.id, ref: turn.ref, place: turn.conversation, chars: turn.question.length };
  app.log.info(about, "A question was received");
  await begin(app, turn);
  await countBots(app, message);
}

function refusal({ reach, settings }: IntakeApp, message: Message | Edited): ParleyError | undefined {
  const verdict = reach.may(message.actor, "ask", message.place);
  if (!verdict.allowed) return refusalError(message.actor, verdict);
  const unreadable = unreadableError(message);
  if (unreadable !== undefined) return unreadable;
  if (message.text.trim() === "" && !hasMore(message)) return new ParleyError("question_empty");
  if (message.text.length > settings.maxQuestionChars) return new ParleyError("question_too_long");
  return undefined;
}

/** Says why not, once, and only to people who addressed Parley. */
async function refuse(app: IntakeApp, message: Message | Edited, error: ParleyError): Promise<void> {
  const isFirst = await app.state.claims.claim(message.eventKey, claimMs);
  await message.ack({ kind: "none" });
  if (isFirst && isAddressed(message)) await message.reply.send(errorDocument(error), "private");
}

/** Only messages that address Parley can name an agent. */
async function addressed(app: IntakeApp, message: Message | Edited): Promise<Addressed> {
  if (!isAddressed(message)) return { kind: "open", question: message.text.trim() };
  return addressedInText(app, message.text, message);
}

export async function handleEdit(app: IntakeApp, message: Edited): Promise<void> {
  const asNew = await heardAnew(app, message);
  if (asNew !== undefined) return handleMessage(app, asNew);
  if (await isNoLongerAsked(app, message)) return message.ack({ kind: "none" });
  const words = refusal(app, message) === undefined ? await editedWords(app, message) : undefined;
  // An edit that can't be stored stays unacknowledged, so that the platform resends it.
  if (words !== undefined) {
    const named = words.kind === "refused" ? { question: message.text.trim() } : wordsOf(words);
    const { question } = questionOf(named.question, message, app.settings.maxQuestionChars);
    const edited = askEdited(app, message, { ...named, question }, isAddressed(message));
    const refused = await edited.catch((failure: unknown) => {
      if (!isNotTaken(failure)) throw failure;
      return failure;
    });
    if (refused !== undefined) return refuse(app, message, refused);
  }
  await message.ack({ kind: "none" });
}

/**
 * A message that asked nothing before, and mentions Parley or asks who Parley is since it was edited, is heard like a
 * new one. Undefined: any other.
 */
async function heardAnew(app: IntakeApp, message: Edited): Promise<Message | undefined> {
  const isMeant = message.mentionsParley || (message.isDirect && asksForWelcome(message));
  if (!isMeant || (await app.state.turns.getByEventKey(message.questionKey)) !== undefined) return undefined;
  const { questionKey, ...said } = message;
  // The key of the message: the platform may send it again as a mention, and it is asked once.
  return { ...said, kind: "message", eventKey: questionKey };
}

/** A question to nobody in particular that now asks nothing, or someone else: nobody waits for its answer. */
async function isNoLongerAsked(app: IntakeApp, message: Edited): Promise<boolean> {
  const { text } = message;
  const isQuestion = (asksSomething(text) || beginsLikeQuestion(text)) && !asksPeople(text);
  const isAsked = !message.addressesOthers && isQuestion;
  if (isAddressed(message)) return false;
  const turn = await app.state.turns.getByEventKey(message.questionKey);
  if (turn === undefined || turn.actor.id !== message.actor.id || !isUnseen(turn)) return false;
  if (isAsked && (await app.overhearing.spokenTo(message)) === undefined) return false;
  await stopTurn(app, turn.id, message.actor);
  return true;
}

/** Text that begins with "/" is a command: an ask command asks its question, every other one asks nothing. */
async function editedWords(app: IntakeApp, message: Edited): Promise<Addressed | undefined> {
  if (!message.text.trimStart().startsWith("/")) return addressed(app, message);
  const asked = await questionOfEdited(app, message);
  if (asked === undefined || asked.text === "") return undefined;
  const words = await addressedInCommand(app, asked.text, asked.agent, message);
  return words.kind === "refused" ? undefined : words;
}

export async function handleDeletion(app: IntakeApp, message: Of<"message-deleted">): Promise<void> {
  // First: a question that is being stored looks at it afterwards.
  await noteGone(app, message.questionKey);
  const turn = await app.state.turns.getByEventKey(message.questionKey);
  if (turn !== undefined) {
    await withdrawTurn(app, turn.id, message.actor);
    if (!(await forgetDeleted(app, turn, message.actor))) await removeTakenBack(app, turn.id);
  }
  // Last: what isn't forgotten yet is deleted again.
  await message.ack({ kind: "none" });
}

/** An answer that ended a moment ago. */
async function removeTakenBack(app: IntakeApp, turnId: string): Promise<void> {
  const turn = await app.state.turns.get(turnId);
  const site = turn === undefined ? undefined : app.sites.get(turn.conversation.platform);
  if (turn === undefined || site === undefined) return;
  try {
    if (await isTakenBack(turn, site.platform, app.clock.now())) await removeShown(turn, site, app);
  } catch (err) {
    app.log.info({ err, turnId, ref: turn.ref }, "The answer to a deleted question stays");
  }
}
