/**
 * A room for tests of proofs: real gaps, notices and delivery over one store and a memory platform, scripted answers, and
 * processes that die at a chosen write.
 */
import { onTestFinished } from "vitest";
import type { Reach, Verdict } from "../../../src/core/access.ts";
import type { AnswerAdded } from "../../../src/core/content/answering.ts";
import type { Document } from "../../../src/core/document.ts";
import type { Gap } from "../../../src/core/model/insight.ts";
import type { Actor, Place } from "../../../src/core/model/place.ts";
import type { Source, Turn, TurnView } from "../../../src/core/model/turn.ts";
import type { Passage } from "../../../src/core/ports/agent-service.ts";
import type { CollectionFactory } from "../../../src/core/ports/collection.ts";
import type { KeyValue, KeyValueFactory } from "../../../src/core/ports/state.ts";
import { createDelivery } from "../../../src/delivery/delivery.ts";
import { createNotices } from "../../../src/delivery/notices.ts";
import { createAnswerStore } from "../../../src/insight/answers/answer-store.ts";
import type { InsightApp, RunOnce } from "../../../src/insight/app.ts";
import { createGapSight } from "../../../src/insight/gaps/gap-sight.ts";
import { gapsIn } from "../../../src/insight/gaps/gap-store.ts";
import { createProofs } from "../../../src/insight/proof/proofs.ts";
import { documentText } from "../../../src/presentation/markdown/plain-text.ts";
import { openState } from "../../../src/state/open-state.ts";
import { openSqlite } from "../../../src/state/sqlite/database.ts";
import { createSqliteWorks } from "../../../src/state/sqlite/works.ts";
import { appOf } from "../../doubles/app.ts";
import { createFakeClock } from "../../doubles/fake-clock.ts";
import { createMemoryPlatform, type MemoryPlatform } from "../../doubles/memory-platform.ts";
import { alice } from "../../doubles/people.ts";
import { silentLog as log } from "../../doubles/silent-log.ts";
import { temporaryFolder } from "../../doubles/temporary-folder.ts";
import { createGapRoom } from "../gaps/gap-room.ts";

export const question = "Can a guest move a non-refundable booking to new dates?";
const base = { project: "mindsdb", name: "handbook" };
export const ana: Actor = { ...alice, id: "U9", name: "Ana" };
const yes: Verdict = { allowed: true, isPrivate: false };
/** Only Ana reads it. */
const anasPlace: Place = { platform: "memory", workspace: "T1", channel: "D9" };
export const frontDesk: Place = { platform: "memory", workspace: "T1", channel: "front-desk" };

export type ProofRoom = Awaited<ReturnType<typeof createProofRoom>>;

/** What the agent answers, or what happens when it is asked. */
export type Script = Partial<TurnView> | ((number: number) => Promise<Partial<TurnView>>);

export async function createProofRoom(
  options: { readonly platform?: Partial<MemoryPlatform>; readonly reach?: Partial<Reach> } = {},
) {
  const clock = createFakeClock();
  const state = await openState({ dataDir: await temporaryFolder("proofs"), clock, log });
  const database = await openSqlite({ dataDir: await temporaryFolder("proof-works"), clock, log });
  onTestFinished(async () => {
    endBefore();
    await state.close();
    await database.close();
  });
  const gapRoom = createGapRoom({ ...state, coordinators: [state.coordinator, state.coordinator] }, clock);
  const parts = gapRoom.instance();
  const platform: MemoryPlatform = {
    ...createMemoryPlatform({ clock }),
    visibility: async ({ channel }) => (channel === "hr" ? "private" : "public"),
    isMember: async () => true,
    directPlace: async (actor) => (actor.id === ana.id ? anasPlace : undefined),
    ...options.platform,
  };
  const site = { platform, delivery: createDelivery({ platform, coordinator: state.coordinator, clock, log }) };
  const siteOf = (name: string) => (name === "memory" ? site : undefined);
  const reach = {
    may: () => yes,
    mayAgent: async () => yes,
    mayBase: async () => yes,
    isDirect: ({ channel }: Place) => channel.startsWith("D"),
    resolve: async () => ({ kind: "none" as const }),
    ...options.reach,
  };
  const answerStore = createAnswerStore(state);
  const asked: { readonly question: string; readonly atMs: number }[] = [];
  let script: Script = {};
  let passages: readonly Passage[] = [];
  let going = 0;
  let most = 0;

  const runOnce: RunOnce = async ({ name }, text, signal) => {
    asked.push({ question: text, atMs: clock.now() });
    going += 1;
    most = Math.max(most, going);
    try {
      const said = typeof script === "function" ? await script(asked.length) : script;
      signal.throwIfAborted();
      return viewOf(text, name, said);
    } finally {
      going -= 1;
    }
  };

  let endBefore = () => {};
  /** From its write number `diesAt` on, nothing that this process does reaches anything. The one before it ends. */
  function instance(diesAt = Number.POSITIVE_INFINITY) {
    endBefore();
    let writes = 0;
    let isDead = false;
    const attempt = <T>(call: () => Promise<T>): Promise<T> => {
      writes += 1;
      if (writes >= diesAt) isDead = true;
      return isDead ? new Promise<never>(() => {}) : call();
    };
    const keyValue: KeyValueFactory = <T>(namespace: string): KeyValue<T> => {
      const store = state.keyValue<T>(namespace);
      return {
        ...store,
        get: (key) => (isDead ? new Promise<never>(() => {}) : store.get(key)),
        set: (...set) => attempt(() => store.set(...set)),
        delete: (key) => attempt(() => store.delete(key)),
      };
    };
    const collection: CollectionFactory = (name, definition) => {
      const records = state.collection(name, definition);
      return {
        ...records,
        get: (id) => (isDead ? new Promise<never>(() => {}) : records.get(id)),
        create: (...created) => attempt(() => records.create(...created)),
        update: (...updated) => attempt(() => records.update(...updated)),
      };
    };
    /** What it holds is free soon after it died. */
    const held = new Set<() => Promise<void>>();
    const coordinator = {
      ...state.coordinator,
      lease: async (...asking: Parameters<typeof state.coordinator.lease>) => {
        const lease = await state.coordinator.lease(...asking);
        held.add(lease.release);
        return lease;
      },
    };
    const write = <T>(change: () => T) => (isDead ? new Promise<never>(() => {}) : database.write(change));
    const stored = createSqliteWorks({ database: { ...database, write }, clock, log });
    const works = {
      ...stored,
      add: (...adding: Parameters<typeof stored.add>) => attempt(() => stored.add(...adding)),
    };
    const die = () => {
      isDead = true;
      stored.stop();
    };
    endBefore = die;
    const notices = createNotices({ works, done: keyValue("notices"), coordinator, siteOf, clock, log });
    const gaps = {
      ...parts.gaps,
      change: (...change: Parameters<typeof parts.gaps.change>) => attempt(() => parts.gaps.change(...change)),
    };
    const sight = createGapSight(appOf({ reach, siteOf, clock }));
    const app = appOf({
      keyValue,
      collection,
      coordinator,
      notices,
      works,
      siteOf,
      clock,
      log,
      turns: state.turns,
      reach,
      service: { search: async () => passages },
    });
    const proofs = createProofs({
      ...app,
      gaps,
      sight,
      runOnce,
      answerStore,
      basesOf: async () => [base],
    } as InsightApp);
    // As a new process does: it continues what the last one left.
    void works.start();
    return {
      proofs: {
        ...proofs,
        /** As the Job does: the record is stored first. */
        begin: async (of: AnswerAdded) => {
          await answerStore.put(of.answer);
          await proofs.begin(of);
        },
      },
      notices,
      isDead: () => isDead,
      writes: () => writes,
      bury: async () => {
        die();
        await Promise.all([...held].map((release) => release()));
      },
    };
  }

  return {
    clock,
    state,
    platform,
    gapRoom,
    parts,
    instance,
    answerStore,
    asked,
    most: () => most,
    answers: (next: Script) => {
      script = next;
    },
    finds: (...found: readonly Partial<Source>[]) => {
      passages = found.map((source) => ({ content: "", source: { title: "", ...source } }));
    },
    /** Someone asks in a thread of their own, and gets no source. */
    ask: async (actor: Actor, changes: Partial<Turn> = {}): Promise<Turn> => {
      const channel = changes.askedIn ?? frontDesk;
      const conversation = { ...channel, thread: `thread of ${actor.id}` };
      const before = viewOf(question, "support", { answer: "I found nothing about moving one." });
      const turn = await gapRoom.ask(parts, {
        ...{ question, actor, askedIn: channel, conversation, reply: { place: conversation, parts: [] } },
        ...changes,
      });
      await state.turns.transition(turn.id, ["answered"], "answered", { outcome: { ...before, turnId: turn.id } });
      return turn;
    },
    gap: async () => (await gapRoomGaps(state))[0],
    /** Everything that was said in the thread of that person, without what is drawn beside it. */
    toldTo: ({ id }: Pick<Actor, "id">, channel: Place = frontDesk): readonly string[] =>
      platform.thread({ ...channel, thread: `thread of ${id}` }).map(({ payload }) => payload.text),
    toAna: (): readonly string[] => platform.thread(anasPlace).map(({ payload }) => payload.text),
  };
}

async function gapRoomGaps(stores: Parameters<typeof gapsIn>[0]): Promise<readonly Gap[]> {
  return Array.fromAsync(gapsIn(stores).entries(), ({ record }) => record);
}

function viewOf(text: string, name: string, said: Partial<TurnView>): TurnView {
  return {
    ...{
      turnId: "run",
      ref: "ref",
      state: "answered",
      agent: name,
      question: text,
      steps: [],
      answer: "I don't know.",
    },
    ...{ tables: [], sources: [], isPartial: false, isResumed: false },
    ...said,
  };
}

/** An answer that rests on what Ana added. */
export const better = (answerId: string): Partial<TurnView> => ({
  answer: "**Yes, once**, up to 48 hours before check-in [1]. @everyone",
  sources: [{ title: "Moving a booking", rowId: `answer-${answerId}`, relevance: 0.9 }],
});

/** Ana's answer is in the knowledge base. */
export function added(gapId: string, changes: Partial<AnswerAdded> = {}, atMs = 1_800_000_000_000): AnswerAdded {
  return {
    answer: {
      ...{ version: 1, id: gapId, project: base.project, knowledgeBase: base.name, urls: [] },
      ...{
        question: "Moving a non-refundable booking",
        answer: "Yes, once.",
        by: { key: "memory/T1/U9", name: "Ana" },
      },
      origin: { kind: "gap", gapId },
      atMs,
    },
    ...{ jobId: "job1", actor: ana, place: frontDesk, tell: true },
    ...changes,
  };
}

export const said = (document: Document): string => documentText(document);
