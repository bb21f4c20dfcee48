/**
 * Remembers who has asked in a thread, whether others write there, and when Parley last answered. One key per fact:
 * instances don't overwrite each other.
 */

import type { App } from "../../app.ts";
import { channelKey, conversationKey, type Place } from "../../core/model/place.ts";
import type { Turn, TurnView } from "../../core/model/turn.ts";
import { topicIdleMs } from "../conversation/topics.ts";
import { endsWithQuestion } from "./question-marks.ts";

/** What was said in the Conversation so far. */
export type Talk = {
  /** Whether its author has asked Parley there. */
  readonly hasAsked: boolean;
  /** Nobody else has written there but Parley. */
  readonly isAlone?: true;
  /** Parley's last answer there: how long ago, how many messages of people ago, and whether it ended with a question. */
  readonly sinceAnswer?: { readonly ms: number; readonly messages: number; readonly asks: boolean };
  /** Titles and URLs of what that answer rested on. */
  readonly lastSources?: readonly string[];
};

/** How long after an answer a short reply in its thread is still one to Parley. */
export const recentMs = 30 * 60_000;
export const recentMessages = 20;
/** `asks`: of an answer that ended with a question. `sources`: titles and URLs of what it rested on. */
export type TalkFact = { readonly atMs: number; readonly asks?: true; readonly sources?: readonly string[] };

/** Of an answer, of those kept. */
const maxSources = 4;

type AskedTurn = Pick<Turn, "conversation" | "topic" | "actor">;

/** Namespace "thread-talk". Keys begin with the Conversation's. */
export function createThreadTalk(app: App) {
  const { clock } = app;
  const { retentionMs } = app.settings;
  const store = app.state.keyValue<TalkFact>("thread-talk");
  const askerKey = (talk: string, actorId: string) => `${talk}/asker/${encodeURIComponent(actorId)}`;
  const answerKey = (talk: string) => `${talk}/answer`;
  /** More than one person has written there. */
  const severalKey = (talk: string) => `${talk}/several`;
  const saidPrefix = (talk: string) => `${talk}/said/`;
  /** Its first question is noted. */
  const begunKey = (talk: string) => `${talk}/begun`;

  async function isAloneIn(talk: string, actorId: string): Promise<boolean> {
    if ((await store.get(severalKey(talk))) !== undefined) return false;
    const own = askerKey(talk, actorId);
    for await (const [key] of store.entries(askerKey(talk, ""))) if (key !== own) return false;
    return true;
  }

  async function saidSince(talk: string, atMs: number): Promise<number> {
    let count = 0;
    for await (const [, said] of store.entries(saidPrefix(talk))) if (said.atMs >= atMs) count += 1;
    return count;
  }

  return {
    /** Before this message, for that person. */
    of: async (message: TalkMessage, actorId: string): Promise<Talk> => {
      const talk = talkOf(message);
      const [begun, asked, answer, isAlone] = await Promise.all([
        store.get(begunKey(talk)),
        store.get(askerKey(talk, actorId)),
        store.get(answerKey(talk)),
        isAloneIn(talk, actorId),
      ]);
      // In a thread that Parley has just opened, the question that it was opened for isn't noted yet.
      const isJustOpened = begun === undefined && message.isInOwnThread === true && answer === undefined;
      const hasAsked = asked !== undefined || isJustOpened;
      const alone = isAlone ? { isAlone } : {};
      if (answer === undefined) return { hasAsked, ...alone };
      const ms = clock.now() - answer.atMs;
      // Nobody needs the number later.
      const messages = ms <= recentMs ? await saidSince(talk, answer.atMs) : 0;
      // What a new topic begins with is no reply to the one before.
      const isOver = message.continuesTopic === true && ms >= topicIdleMs;
      const sinceAnswer = { ms, messages, asks: answer.asks === true && !isOver };
      return { hasAsked, ...alone, sinceAnswer, lastSources: answer.sources };
    },
    /** Counts a person's message while the last answer is recent; `of` has said so. The second person is noted once. */
    noteSaid: async (message: TalkMessage, order: string, { sinceAnswer, isAlone }: Talk): Promise<void> => {
      if (isAlone !== true) {
        const key = severalKey(talkOf(message));
        if ((await store.get(key)) === undefined) await store.set(key, { atMs: clock.now() }, retentionMs);
      }
      if (sinceAnswer === undefined || sinceAnswer.ms > recentMs || sinceAnswer.messages >= recentMessages) return;
      await store.set(`${saidPrefix(talkOf(message))}${order}`, { atMs: clock.now() }, recentMs);
    },
    /**
     * `isFirst`: nothing was asked in that Conversation before. `isAmongOthers`: others had written there, as far as is
     * known.
     */
    noteAsker: async (turn: AskedTurn, isFirst: boolean, isAmongOthers = false): Promise<void> => {
      const fact = { atMs: clock.now() };
      const noting = talksOf(turn).flatMap((talk) => [
        store.set(askerKey(talk, turn.actor.id), fact, retentionMs),
        ...(isFirst && isAmongOthers ? [store.set(severalKey(talk), fact, retentionMs)] : []),
        ...(isFirst ? [store.set(begunKey(talk), fact, retentionMs)] : []),
      ]);
      await Promise.all(noting);
    },
    /** A private answer is no part of the thread. */
    noteAnswer: async (turn: AskedTurn & Pick<Turn, "isPrivate">, view: TurnView): Promise<void> => {
      if (turn.isPrivate === true || view.state !== "answered") return;
      const fact = factOf(view, clock.now());
      const asked = { atMs: fact.atMs };
      // Its thread may have been opened after it was asked, so its asker is noted there too.
      const noting = talksOf(turn).flatMap((talk) => [
        store.set(answerKey(talk), fact, retentionMs),
        store.set(askerKey(talk, turn.actor.id), asked, retentionMs),
      ]);
      await Promise.all(noting);
    },
    /** Nothing said there at the top level is a reply to the last answer from now on. */
    endTopic: (place: Place): Promise<void> => store.delete(answerKey(channelKey(place))),
    /** Not that it has begun: otherwise the next message there would count as the one that it was opened for. */
    forget: async (conversation: Place): Promise<void> => {
      const keys: string[] = [];
      for (const talk of [conversationKey(conversation), channelKey(conversation)]) {
        keys.push(answerKey(talk), severalKey(talk));
        for (const prefix of [askerKey(talk, ""), saidPrefix(talk)]) {
          for await (const [key] of store.entries(prefix)) keys.push(key);
        }
      }
      for (const key of keys) await store.delete(key);
    },
  };
}

export type ThreadTalk = ReturnType<typeof createThreadTalk>;

type TalkMessage = {
  readonly conversation: Place;
  readonly continuesTopic?: true;
  readonly isInOwnThread?: boolean;
};

function factOf({ answer = "", grade, sources }: TurnView, atMs: number): TalkFact {
  const pages = grade === "nothing" ? [] : sources.slice(0, maxSources).flatMap(({ title, url }) => [title, url ?? ""]);
  const known = pages.filter((page) => page !== "");
  return {
    atMs,
    ...(endsWithQuestion(answer) ? { asks: true as const } : {}),
    sources: known.length === 0 ? undefined : known,
  };
}

/** Direct messages at the top level are one talk, although each answer has a thread of its own. */
function talkOf({ conversation, continuesTopic }: TalkMessage): string {
  return continuesTopic === true ? channelKey(conversation) : conversationKey(conversation);
}

/** The answer's thread, and what its question continued. */
function talksOf({ conversation, topic }: AskedTurn): readonly string[] {
  const own = conversationKey(conversation);
  return topic === undefined ? [own] : [own, channelKey(conversation)];
}
