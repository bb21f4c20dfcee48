/**
 * Decides whether a message is meant for Parley, and what becomes of it. `hear` has the rules of listening: it is pure
 * and table-tested, because people hate nothing more than a bot that butts into their conversations. docs/listening.md
 * is generated from its table. Then the first row of `rules` that fits handles the message. Its event is acknowledged
 * once what it asks is stored; if that fails, the platform resends it.
 */

import { refusalError } from "../../access/refusal.ts";
import { hasEntry } from "../../access/roles.ts";
import { isNotTaken, ParleyError } from "../../core/errors.ts";
import { conversationKey, type Mode, type Place } from "../../core/model/place.ts";
import type { Turn } from "../../core/model/turn.ts";
import { errorDocument, infoDocument } from "../../presentation/drawing.ts";
import { latestQuestions } from "../app.ts";
import { offerToAdopt } from "../contact/answer-offer.ts";
import { offerFiles } from "../contact/file-offer.ts";
import { beginNewTopic, isNewTopic, isStop, mayBeTyped, runTyped, stopRunning } from "../contact/spoken.ts";
import { asksForWelcome, greet } from "../contact/welcome.ts";
import { hasMore, questionOf, unreadableError } from "../conversation/message-content.ts";
import { continuesOf } from "../conversation/topics.ts";
import { asksPeople } from "../overheard/asks-people.ts";
import { leaveWhenTold } from "../overheard/leaving.ts";
import { beginsLikeQuestion } from "../overheard/question-words.ts";
import type { SpokenTo } from "../overheard/spoken-to.ts";
import { type Addressed, addressedInText, answeredDirectly, placeOf, wordsOf } from "./addressing.ts";
import { claimMs, type Edited, type IntakeApp, isAddressed, type Message } from "./app.ts";
import { begin, isGone, type Question, storeQuestion, withdrawTurn } from "./asking.ts";
import { runSpoken } from "./commands.ts";
import { hold } from "./outage.ts";
import { isRhetorical, isTakenBack, pleasantryOf } from "./pleasantries.ts";
import { asksSomething } from "./question-marks.ts";
import { recentMessages, recentMs, type Talk } from "./thread-talk.ts";

export type Heard =
  /**
   * `isQuiet`: overheard. Nothing is shown while it works, and only a sure answer is posted. `isUnknown`: no knowledge
   * covers it, so that it is kept without a run.
   */
  | { readonly kind: "question"; readonly isQuiet: boolean; readonly isUnknown?: true }
  /** Text that begins with "/" is never a question. */
  | { readonly kind: "command" }
  /** Gets a reaction, and nothing else. */
  | { readonly kind: "thanks" }
  /** `overheard`: a line to nobody that Parley listens to, and why it keeps quiet. */
  | { readonly kind: "ignore"; readonly overheard?: "named" | "statement" | "unknown" };

export type Hearing = Talk & {
  readonly text: string;
  readonly hasFiles: boolean;
  /** Or replies to a message of Parley's. */
  readonly mentionsParley: boolean;
  readonly addressesOthers: boolean;
  /** The person that its words are for, or about. */
  readonly spokenTo?: SpokenTo | undefined;
  /** It names people besides Parley, and says nothing else. */
  readonly isOnlyNames?: true;
  readonly isDirect: boolean;
  /** Of the channel's Binding. */
  readonly mode: Mode;
  /** The message is in a thread where Parley has answered before. */
  readonly isInOwnConversation: boolean;
};

/** "the second one", "for two adults". */
const maxReplyWords = 5;

const asked: Heard = { kind: "question", isQuiet: false };
const overheard: Heard = { kind: "question", isQuiet: true };
const ignore: Heard = { kind: "ignore" };

function isRecent({ sinceAnswer }: Talk): boolean {
  return sinceAnswer !== undefined && sinceAnswer.ms <= recentMs && sinceAnswer.messages < recentMessages;
}

/** The first message after an answer is about it; later ones are among people. */
function isNext(talk: Talk): boolean {
  return isRecent(talk) && talk.sinceAnswer?.messages === 0;
}

/** "Which one do you mean?" "The second one". */
function isReply(message: Hearing): boolean {
  const isShort = message.text.trim().split(/\s+/).length <= maxReplyWords;
  return isShort && message.hasAsked && message.sinceAnswer?.asks === true && isNext(message);
}

export function hear(message: Hearing): Heard {
  const { text, mode, hasAsked } = message;
  if (message.isOnlyNames === true && !message.hasFiles) return ignore;
  const isAddressed = message.mentionsParley || message.isDirect;
  const addressesOthers = message.addressesOthers || message.spokenTo === "addressed";
  const isInItsThread = message.isInOwnConversation && mode !== "mention" && !addressesOthers;
  // Without a mention, text that begins with a slash is another bot's command, or a path.
  if (text.trimStart().startsWith("/")) return isAddressed || isInItsThread ? { kind: "command" } : ignore;

  const pleasantry = message.hasFiles ? undefined : pleasantryOf(text);
  if (pleasantry !== undefined) {
    const isToParley =
      isAddressed || (mode === "every" && !addressesOthers) || (isInItsThread && (hasAsked || isNext(message)));
    if (!isToParley) return ignore;
    // "Should I look further?" "Yes". Later, in a thread where people talk, it is a reply to someone else.
    const isReplying = hasAsked && message.sinceAnswer?.asks === true && (isAddressed || isRecent(message));
    if (isReplying) return asked;
    return pleasantry === "thanks" ? { kind: "thanks" } : ignore;
  }

  if (isAddressed) return asked;
  if (isRhetorical(text)) return ignore;
  const isForParley = mode === "every" || (isInItsThread && (message.isAlone === true || isReply(message)));
  const isNamed = message.addressesOthers || message.spokenTo !== undefined;
  if (isForParley && !(isNamed && mode === "every")) return asked;
  const isHeard = mode === "channel" || mode === "every" || (mode === "thread" && message.isInOwnConversation);
  if (!isHeard) return ignore;
  if (isNamed) return { kind: "ignore", overheard: "named" };
  if (!asksSomething(text) && !beginsLikeQuestion(text)) return { kind: "ignore", overheard: "statement" };
  if (asksPeople(text)) return { kind: "ignore", overheard: "named" };
  return isTakenBack(text) ? ignore : overheard;
}

/** `isInOwnThread`: it was said to nobody in particular, in a thread where Parley has answered. */
type Listened = Heard & { readonly isInOwnThread?: boolean };

async function listen(app: IntakeApp, message: Message): Promise<Listened> {
  if (!(await mayBeHeard(app, message))) return ignore;
  const isMeant = isAddressed(message);
  // Nearly all traffic of a busy channel ends here, after two reads of the store.
  const mode = isMeant ? "mention" : await app.bindings.modeOf(message.place);
  const isInThread = !isMeant && message.place.thread !== undefined;
  const isOwn = isInThread && mode !== "mention" && (await isInOwnConversation(app, message));
  const hasFiles = hasMore(message);
  const isShort = isMeant && !hasFiles && pleasantryOf(message.text) !== undefined;
  const talk = isOwn || isShort ? await app.talk.of(message, message.actor.id) : { hasAsked: false };
  if (isOwn) await noteSaid(app, message, talk);
  const hearing = { ...message, ...talk, hasFiles, mode, isInOwnConversation: isOwn };
  const first = hear(hearing);
  if (isInThread && mode === "channel") await noteReply(app, message);
  // Names are looked up only for what would be taken without them.
  const isOver = isMeant || first.kind === "ignore";
  const what = isOver ? await counted(app, first, message) : await heardByName(app, first, hearing, message);
  return { ...what, isInOwnThread: isOwn };
}

async function heardByName(app: IntakeApp, first: Heard, hearing: Hearing, message: Message): Promise<Heard> {
  if (await hasLeft(app, message)) return ignore;
  if (first.kind !== "question") return first;
  const what = hear({ ...hearing, spokenTo: await app.overhearing.spokenTo(message) });
  const isOverheard = what.kind === "question" && what.isQuiet;
  return isOverheard ? worthARun(app, what, hearing, message) : counted(app, what, message);
}

/**
 * A line to nobody: whether it is worth a run. What is out of bounds is left to people. A question to a whole channel
 * that no knowledge covers is kept for those who look after the knowledge.
 */
async function worthARun(
  app: IntakeApp,
  what: Heard & { readonly kind: "question" },
  { lastSources, mode }: Hearing,
  message: Message,
): Promise<Heard> {
  const { unasked, overhearing } = app;
  const silent: Heard = { kind: "ignore", overheard: "unknown" };
  const { place } = message;
  if (!(await unasked.mayLook(place))) return counted(app, silent, message);
  const isCovered = await overhearing.isWorthARun(message, lastSources);
  const isKept = isCovered || mode === "channel" || mode === "every";
  if (!isKept || !(await unasked.mayRun(place))) return counted(app, silent, message);
  return isCovered ? what : { ...what, isUnknown: true };
}

/** A thread that Parley was sent away from, or the whole channel. */
async function hasLeft({ unasked }: IntakeApp, { conversation, place }: Message): Promise<boolean> {
  return (await unasked.hasLeft(conversation)) || unasked.hasLeft(topOf(place));
}

const topOf = ({ thread: _thread, ...channel }: Place): Place => channel;

/** Mentioned again, Parley listens again. False: what the message asks for is yet to be handled. */
async function comeBack({ unasked, log }: IntakeApp, { conversation, place }: Message): Promise<false> {
  try {
    await unasked.comeBack(conversation);
    await unasked.comeBack(topOf(place));
  } catch (err) {
    log.info({ err, place }, "A thread may still be left to people");
  }
  return false;
}

async function noteReply({ unasked, log }: IntakeApp, { conversation, actor }: Message): Promise<void> {
  if (actor.isBot) return;
  await unasked
    .noteReply(conversation)
    .catch((err: unknown) => log.info({ err }, "A reply below a question could not be counted"));
}

/** Lines that were overheard and got nothing are counted. */
async function counted({ unasked, log }: IntakeApp, what: Heard, { conversation, place }: Message): Promise<Heard> {
  if (what.kind !== "ignore" || what.overheard === undefined) return what;
  const isTop = place.thread === undefined && what.overheard === "unknown";
  const counting = isTop ? unasked.noteQuiet(conversation) : unasked.count(conversation, "quiet");
  await counting.catch((err: unknown) => log.info({ err }, "A line that was overheard could not be counted"));
  return what;
}

async function noteSaid({ talk, log }: IntakeApp, message: Message, before: Talk): Promise<void> {
  await talk
    .noteSaid(message, message.order, before)
    .catch((err: unknown) => log.info({ err }, "A message of a thread could not be counted"));
}

/** Parley opened the thread, has answered there, or has just been asked. */
async function isInOwnConversation(app: IntakeApp, { isInOwnThread, conversation }: Message): Promise<boolean> {
  if (isInOwnThread === true || (await app.conversations.isKnown(conversation))) return true;
  return (await latestQuestions(app).get(conversationKey(conversation))) !== undefined;
}

const botTurnsMs = 60 * 60_000;
const botTurns = ({ state }: IntakeApp) => state.keyValue<number>("bot-turns");

/**
 * Bots are ignored unless listed in ANSWER_BOTS, and then limited to a few consecutive Turns without a person between.
 */
async function mayBeHeard(app: IntakeApp, { actor, place, conversation }: Message): Promise<boolean> {
  if (!actor.isBot) return true;
  const { answerBots, maxBotTurnsInARow } = app.settings;
  if (!hasEntry(answerBots, place.platform, actor.id)) return false;
  return ((await botTurns(app).get(conversationKey(conversation))) ?? 0) < maxBotTurnsInARow;
}

async function countBots(app: IntakeApp, { actor, conversation }: Message): Promise<void> {
  const key = conversationKey(conversation);
  const count = await botTurns(app).get(key);
  if (actor.isBot) await botTurns(app).set(key, (count ?? 0) + 1, botTurnsMs);
  else if (count !== undefined) await botTurns(app).delete(key);
}

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

export function refusal({ reach, settings }: IntakeApp, message: Message | Edited): ParleyError | undefined {
  const verdict = reach.may(message.actor, "ask", message.place);
  if (!verdict.allowed) return refusalError(message.actor, verdict);
  const unreadable = unreadableError(message);
  if (unreadable !== undefined) return unreadable;
  if (message.text.trim() === "" && !hasMore(message)) return new ParleyError("question_empty");
  if (message.text.length > settings.maxQuestionChars) return new ParleyError("question_too_long");
  return undefined;
}

/** Says why not, once, and only to people who addressed Parley. */
export async function refuse(app: IntakeApp, message: Message | Edited, error: ParleyError): Promise<void> {
  const isFirst = await app.state.claims.claim(message.eventKey, claimMs);
  await message.ack({ kind: "none" });
  if (isFirst && isAddressed(message)) await message.reply.send(errorDocument(error), "private");
}

/** Only messages that address Parley can name an agent. */
export async function addressed(app: IntakeApp, message: Message | Edited): Promise<Addressed> {
  if (!isAddressed(message)) return { kind: "open", question: message.text.trim() };
  return addressedInText(app, message.text, message);
}
