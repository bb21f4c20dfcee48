/**
 * Handles messages: which ones are questions, and what an edit or deletion does. A question is stored before its
 * event is acknowledged; if that fails, the event is left for the platform to resend.
 */

import { refusalError } from "../../access/refusal.ts";
import { hasEntry } from "../../access/roles.ts";
import { isNotTaken, ParleyError } from "../../core/errors.ts";
import { conversationKey, type Mode, type Place } from "../../core/model/place.ts";
import type { Turn } from "../../core/model/turn.ts";
import type { Inbound } from "../../core/ports/chat-platform.ts";
import { errorDocument, infoDocument } from "../../presentation/drawing.ts";
import { latestQuestions } from "../app.ts";
import { offerToAdopt } from "../contact/answer-offer.ts";
import { offerFiles } from "../contact/file-offer.ts";
import { hasMore, questionOf, unreadableError } from "../conversation/message-content.ts";
import { continuesOf } from "../conversation/topics.ts";
import { asksPeople } from "../overheard/asks-people.ts";
import type { Overhearing } from "../overheard/overhearing.ts";
import { beginsLikeQuestion } from "../overheard/question-words.ts";
import { forgetDeleted } from "../shown/deleted-question.ts";
import { isTakenBack, removeShown } from "../shown/withdrawn.ts";
import { isUnseen } from "../turn/quiet-end.ts";
import {
  type Addressed,
  addressedInCommand,
  addressedInText,
  answeredDirectly,
  placeOf,
  wordsOf,
} from "./addressing.ts";
import { claimMs, type Edited, type IntakeApp, type Message } from "./app.ts";
import { askEdited, begin, type Question, stopTurn, storeQuestion, withdrawTurn } from "./asking.ts";
import { questionOfEdited } from "./command-intake.ts";
import { type Heard, hear, type Talk } from "./listening.ts";
import { hold } from "./outage.ts";
import { pleasantryOf } from "./pleasantries.ts";
import { asksSomething } from "./question-marks.ts";

const says = {
  /** Where a message can't get a reaction. */
  welcome: "You're welcome.",
};

type HeardQuestion = Extract<Heard, { kind: "question" }>;
type Deleted = Extract<Inbound, { kind: "message-deleted" }>;

/** The reaction to thanks. */
const thanksMark = "🙌";
const botTurnsMs = 60 * 60_000;
/** As long as a platform may still send the message itself. */
const goneMs = 15 * 60_000;
function isAddressed(message: Message | Edited): boolean {
  return message.mentionsParley || message.isDirect;
}

export function createMessageIntake(app: IntakeApp & { readonly overhearing: Overhearing }) {
  const { reach, conversations, settings, clock, log } = app;
  const { claims } = app.state;

  /** `isOwn`: it was said to nobody in particular, in a thread where Parley has answered. */
  async function heard(message: Message): Promise<{ readonly what: Heard; readonly isOwn: boolean }> {
    if (!(await mayBeHeard(message))) return { what: { kind: "ignore" }, isOwn: false };
    const isMeant = isAddressed(message);
    if (isMeant) await comeBack(message);
    // Nearly all traffic of a busy channel ends here, after two reads of the store.
    const mode = isMeant ? "mention" : await app.bindings.modeOf(message.place);
    const isFollowing = !isMeant && mode !== "mention" && message.place.thread !== undefined;
    const isOwn = isFollowing && (await isInOwnConversation(message));
    const hasFiles = hasMore(message);
    const isShort = isMeant && !hasFiles && pleasantryOf(message.text) !== undefined;
    const talk = isOwn || isShort ? await app.talk.of(message, message.actor.id) : { hasAsked: false };
    if (isOwn) await noteSaid(message, talk);
    const hearing = { ...message, ...talk, hasFiles, mode, isInOwnConversation: isOwn };
    const first = hear(hearing);
    if (!isMeant && message.place.thread !== undefined && mode === "channel") await noteReply(message);
    // Names are looked up only for what would be taken without them.
    if (isMeant || first.kind === "ignore") return { what: await counted(first, message), isOwn };
    if (await hasLeft(message)) return { what: { kind: "ignore" }, isOwn };
    if (first.kind !== "question") return { what: first, isOwn };
    const what = hear({ ...hearing, spokenTo: await app.overhearing.spokenTo(message) });
    return {
      what:
        what.kind === "question" && what.isQuiet
          ? await overheard(message, what, talk, mode)
          : await counted(what, message),
      isOwn,
    };
  }

  /**
   * A line to nobody: whether it is worth a run. What is out of bounds is left to people. A question to a whole channel
   * that no knowledge covers is kept for those who look after the knowledge.
   */
  async function overheard(message: Message, what: HeardQuestion, { lastSources }: Talk, mode: Mode): Promise<Heard> {
    const { unasked, overhearing } = app;
    const silent: Heard = { kind: "ignore", overheard: "unknown" };
    const { place } = message;
    if (!(await unasked.mayLook(place))) return counted(silent, message);
    const isCovered = await overhearing.isWorthARun(message, lastSources);
    const isKept = isCovered || mode === "channel" || mode === "every";
    if (!isKept || !(await unasked.mayRun(place))) return counted(silent, message);
    return isCovered ? what : { ...what, isUnknown: true };
  }

  /** A thread that Parley was sent away from, or the whole channel. */
  async function hasLeft({ conversation, place }: Message): Promise<boolean> {
    return (await app.unasked.hasLeft(conversation)) || app.unasked.hasLeft(topOf(place));
  }

  const topOf = ({ thread: _thread, ...channel }: Place): Place => channel;

  /** Mentioned again, Parley listens again. */
  async function comeBack({ conversation, place }: Message): Promise<void> {
    try {
      await app.unasked.comeBack(conversation);
      await app.unasked.comeBack(topOf(place));
    } catch (err) {
      log.info({ err, place }, "A thread may still be left to people");
    }
  }

  async function noteReply({ conversation, actor }: Message): Promise<void> {
    if (actor.isBot) return;
    await app.unasked
      .noteReply(conversation)
      .catch((err: unknown) => log.info({ err }, "A reply below a question could not be counted"));
  }

  /** Lines that were overheard and got nothing are counted. */
  async function counted(what: Heard, { conversation, place }: Message): Promise<Heard> {
    if (what.kind !== "ignore" || what.overheard === undefined) return what;
    const isTop = place.thread === undefined && what.overheard === "unknown";
    const counting = isTop ? app.unasked.noteQuiet(conversation) : app.unasked.count(conversation, "quiet");
    await counting.catch((err: unknown) => log.info({ err }, "A line that was overheard could not be counted"));
    return what;
  }

  async function noteSaid(message: Message, talk: Talk): Promise<void> {
    await app.talk
      .noteSaid(message, message.order, talk)
      .catch((failure: unknown) => log.info({ err: failure }, "A message of a thread could not be counted"));
  }

  /** The shortest answer there is. Where messages have no reactions, one line to the person alone. */
  async function welcomeThanks(message: Message): Promise<void> {
    const { place, messageId, actor } = message;
    const isFirst = reach.may(actor, "ask", place).allowed && (await claims.claim(message.eventKey, claimMs));
    await message.ack({ kind: "none" });
    if (!isFirst) return;
    const reactions = app.sites.get(place.platform)?.platform.reactions;
    if (reactions === undefined) return message.reply.send(infoDocument(says.welcome), "private");
    await reactions
      .add({ place, messageId }, thanksMark)
      .catch((failure: unknown) => log.info({ err: failure, place }, "Thanks could not get a reaction"));
  }

  /** Parley opened the thread, has answered there, or has just been asked. */
  async function isInOwnConversation({ isInOwnThread, conversation }: Message): Promise<boolean> {
    if (isInOwnThread === true || (await conversations.isKnown(conversation))) return true;
    return (await latestQuestions(app).get(conversationKey(conversation))) !== undefined;
  }

  /**
   * Bots are ignored unless listed in ANSWER_BOTS, and then limited to a few consecutive Turns without a person
   * between.
   */
  async function mayBeHeard(message: Message): Promise<boolean> {
    if (!message.actor.isBot) return true;
    const { answerBots, maxBotTurnsInARow } = settings;
    if (!hasEntry(answerBots, message.place.platform, message.actor.id)) return false;
    return (
      ((await app.state.keyValue<number>("bot-turns").get(conversationKey(message.conversation))) ?? 0) <
      maxBotTurnsInARow
    );
  }

  async function countBots(message: Message): Promise<void> {
    const key = conversationKey(message.conversation);
    if (!message.actor.isBot) {
      if ((await app.state.keyValue<number>("bot-turns").get(key)) !== undefined)
        await app.state.keyValue<number>("bot-turns").delete(key);
      return;
    }
    await app.state
      .keyValue<number>("bot-turns")
      .set(key, ((await app.state.keyValue<number>("bot-turns").get(key)) ?? 0) + 1, botTurnsMs);
  }

  /** Says why not, once, and only to people who addressed Parley. */
  async function refuse(message: Message | Edited, error: ParleyError): Promise<void> {
    const isFirst = await claims.claim(message.eventKey, claimMs);
    await message.ack({ kind: "none" });
    if (isFirst && isAddressed(message)) {
      await message.reply.send(errorDocument(error), "private");
    }
  }

  function refusal(message: Message | Edited): ParleyError | undefined {
    const verdict = reach.may(message.actor, "ask", message.place);
    if (!verdict.allowed) return refusalError(message.actor, verdict);
    const unreadable = unreadableError(message);
    if (unreadable !== undefined) return unreadable;
    if (message.text.trim() === "" && !hasMore(message)) return new ParleyError("question_empty");
    if (message.text.length > settings.maxQuestionChars) return new ParleyError("question_too_long");
    return undefined;
  }

  /** Only messages that address Parley can name an agent. */
  async function addressed(message: Message | Edited): Promise<Addressed> {
    if (!isAddressed(message)) return { kind: "open", question: message.text.trim() };
    return addressedInText(app, message.text, message);
  }

  const shownAs = (own: string, message: Message | Edited) => questionOf(own, message, settings.maxQuestionChars);

  /** An answer that ended a moment ago. */
  async function removeTakenBack(turnId: string): Promise<void> {
    const turn = await app.state.turns.get(turnId);
    const site = turn === undefined ? undefined : app.sites.get(turn.conversation.platform);
    if (turn === undefined || site === undefined) return;
    try {
      if (await isTakenBack(turn, site.platform, clock.now())) await removeShown(turn, site, app);
    } catch (err) {
      log.info({ err, turnId, ref: turn.ref }, "The answer to a deleted question stays");
    }
  }

  /** Text that begins with "/" is a command: an ask command asks its question, every other one asks nothing. */
  async function editedWords(message: Edited): Promise<Addressed | undefined> {
    if (!message.text.trimStart().startsWith("/")) return addressed(message);
    const asked = await questionOfEdited(app, message);
    if (asked === undefined || asked.text === "") return undefined;
    const words = await addressedInCommand(app, asked.text, asked.agent, message);
    return words.kind === "refused" ? undefined : words;
  }

  /** A question to nobody in particular that now asks nothing, or someone else: nobody waits for its answer. */
  async function isNoLongerAsked(message: Edited): Promise<boolean> {
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

  /**
   * A message can be deleted before Parley has read it, and its deletion can arrive first. While the storage is down nobody
   * knows: storing the question fails too, and holds it.
   */
  async function isGone({ eventKey }: Message): Promise<boolean> {
    return (
      (await app.state
        .keyValue<{ readonly atMs: number }>("gone-questions")
        .get(eventKey)
        .catch(() => undefined)) !== undefined
    );
  }

  async function ask(message: Message, { isQuiet, isUnknown }: HeardQuestion): Promise<void> {
    if (await isGone(message)) return message.ack({ kind: "none" });
    const error = refusal(message);
    if (error !== undefined) return refuse(message, error);
    const words = await addressed(message);
    if (words.kind === "refused") return refuse(message, words.error);
    const question: Question = {
      eventKey: message.eventKey,
      askedIn: message.place,
      askedMessageId: message.messageId,
      order: message.order,
      actor: message.actor,
      ...wordsOf(words),
      ...shownAs(wordsOf(words).question, message),
      attachments: message.attachments,
      isRepeated: message.isRepeated === true ? true : undefined,
      isQuiet: isQuiet ? (true as const) : undefined,
      notAnswered: isUnknown === true ? ("nothing" as const) : undefined,
      continues: words.kind === "private" ? undefined : continuesOf(message, message.isDirect),
      ...placeOf(words, message),
      via: "message",
    };
    let turn: Turn | undefined;
    try {
      turn = await storeQuestion(app, question);
    } catch (failure) {
      if (isNotTaken(failure)) return refuse(message, failure);
      if (isAddressed(message)) hold(app, question, message.sentAtMs);
      throw failure;
    }
    await message.ack({ kind: "none" });
    if (turn === undefined) return;
    if (words.kind === "private") await message.reply.send(answeredDirectly(words), "private");
    // Between the first look and now.
    if (await isGone(message)) await withdrawTurn(app, turn.id, message.actor);
    log.info(
      { turnId: turn.id, ref: turn.ref, place: turn.conversation, chars: turn.question.length },
      "A question was received",
    );
    await begin(app, turn);
    await countBots(message);
  }

  return {
    /** "command" returns it unacknowledged, to be handled as a command. */
    handle: async (message: Message): Promise<"done" | "command"> => {
      const { what, isOwn } = await heard(message);
      // A quiet question isn't meant for Parley, and neither are its files.
      const isOffered = what.kind === "question" && !what.isQuiet && (await offerFiles(app, message));
      if (what.kind === "question" && !isOffered) await ask(message, what);
      if (what.kind === "thanks") await welcomeThanks(message);
      if (what.kind === "ignore") await message.ack({ kind: "none" });
      if (what.kind === "ignore" && isOwn) await offerToAdopt(app, message);
      return what.kind === "command" ? "command" : "done";
    },

    handleEdit: async (message: Edited) => {
      if (await isNoLongerAsked(message)) return message.ack({ kind: "none" });
      const words = refusal(message) === undefined ? await editedWords(message) : undefined;
      // An edit that can't be stored stays unacknowledged, so that the platform resends it.
      if (words !== undefined) {
        const named = words.kind === "refused" ? { question: message.text.trim() } : wordsOf(words);
        const changed = { ...named, question: shownAs(named.question, message).question };
        const edited = askEdited(app, message, changed, isAddressed(message));
        const refused = await edited.catch((failure: unknown) => {
          if (!isNotTaken(failure)) throw failure;
          return failure;
        });
        if (refused !== undefined) return refuse(message, refused);
      }
      await message.ack({ kind: "none" });
    },

    /** Undefined: it was asked before, or says nothing to Parley now. */
    asNew: async (message: Edited): Promise<Message | undefined> => {
      if (!message.mentionsParley || (await app.state.turns.getByEventKey(message.questionKey)) !== undefined) {
        return undefined;
      }
      const { questionKey, ...said } = message;
      // The key of the message: the platform may send it again as a mention, and it is asked once.
      return { ...said, kind: "message", eventKey: questionKey };
    },

    handleDeletion: async (message: Deleted) => {
      // First: a question that is being stored looks at it afterwards.
      await app.state
        .keyValue<{ readonly atMs: number }>("gone-questions")
        .set(message.questionKey, { atMs: clock.now() }, goneMs);
      const turn = await app.state.turns.getByEventKey(message.questionKey);
      if (turn !== undefined) {
        await withdrawTurn(app, turn.id, message.actor);
        if (!(await forgetDeleted(app, turn, message.actor))) await removeTakenBack(turn.id);
      }
      // Last: what isn't forgotten yet is deleted again.
      await message.ack({ kind: "none" });
    },
  };
}
