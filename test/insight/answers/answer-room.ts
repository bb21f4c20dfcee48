/** A room for tests of added answers: real Jobs, ledger and store over rows in memory, and processes that die at a call. */

import type { AnswerAdded, AnswerDraft } from "../../../src/core/content/answering.ts";
import { ParleyError } from "../../../src/core/errors.ts";
import type { Gap } from "../../../src/core/model/insight.ts";
import type { Actor, Place, Visibility } from "../../../src/core/model/place.ts";
import type { Turn } from "../../../src/core/model/turn.ts";
import type { AgentService } from "../../../src/core/ports/agent-service.ts";
import type { CollectionFactory } from "../../../src/core/ports/collection.ts";
import type { KeyValue, KeyValueFactory } from "../../../src/core/ports/state.ts";
import { systemClock as clock } from "../../../src/core/tools/system-clock.ts";
import { createAnswerStore } from "../../../src/insight/answers/answer-store.ts";
import { createAnswers } from "../../../src/insight/answers/answers.ts";
import { createKnowledge, type PageReading } from "../../../src/knowledge/knowledge.ts";
import { openState } from "../../../src/state/open-state.ts";
import { appOf } from "../../doubles/app.ts";
import { createMemoryGaps } from "../../doubles/gaps.ts";
import { createMemoryPlatform } from "../../doubles/memory-platform.ts";
import { alice, general, project } from "../../doubles/people.ts";
import { silentLog as log } from "../../doubles/silent-log.ts";
import { temporaryFolder } from "../../doubles/temporary-folder.ts";

export const handbook = { project, name: "handbook" };

type Rows = Map<string, Readonly<Record<string, unknown>>>;

export async function openAnswerRoom() {
  const dataDir = await temporaryFolder("answers");
  const bases = new Map<string, Rows>([["handbook", new Map()]]);
  const gaps = createMemoryGaps();
  const turns = new Map<string, Turn>();
  const visibility: Record<string, Visibility> = {};
  /** The write or call at which the process dies, by its name. */
  let fatal: string | undefined;
  let events = 0;
  let isOwnPage = false;

  const rowsOf = (name: string) => {
    const rows = bases.get(name);
    if (rows === undefined) throw new ParleyError("knowledge_base_not_found");
    return rows;
  };

  async function start() {
    const state = await openState({ dataDir, clock, log });
    let isAlive = true;
    /** Before it is done, or when it is done but nobody knows. */
    async function mortal<T>(name: string, work: () => Promise<T>): Promise<T> {
      if (fatal === `before ${name}`) isAlive = false;
      if (!isAlive) return new Promise<never>(() => {});
      const done = await work();
      if (fatal === `after ${name}`) isAlive = false;
      return isAlive ? done : new Promise<never>(() => {});
    }
    const keyValue: KeyValueFactory = <T>(namespace: string): KeyValue<T> => {
      const store = state.keyValue<T>(namespace);
      return {
        ...store,
        set: (...args) => mortal(`set ${namespace}`, () => store.set(...args)),
        delete: (...args) => mortal(`delete ${namespace}`, () => store.delete(...args)),
      };
    };
    const service = {
      insert: (_project: string, base: string, { rows = [] }: Parameters<AgentService["insert"]>[2]) =>
        mortal("insert", async () => {
          for (const row of rows) rowsOf(base).set(String(row["id"]), row);
        }),
      deleteRows: (_project: string, base: string, ids: readonly string[]) =>
        mortal("delete rows", async () => {
          for (const id of ids) rowsOf(base).delete(id);
        }),
    } as unknown as AgentService;
    const platform = {
      ...createMemoryPlatform({ clock }),
      visibility: async ({ channel }: Place) => visibility[channel] ?? "public",
      ...(isOwnPage ? { isOwnPage } : {}),
      permalink: async ({ messageId }: { readonly messageId: string }) => `https://chat.example/${messageId}`,
    };
    const jobs = {
      ...state.jobs,
      transition: (...args: Parameters<typeof state.jobs.transition>) =>
        mortal("job", () => state.jobs.transition(...args)),
    };
    const collection: CollectionFactory = (name, definition) => {
      const records = state.collection(name, definition);
      return { ...records, put: (...args) => mortal(`put ${name}`, () => records.put(...args)) };
    };
    const store = createAnswerStore({ collection });
    const audited: unknown[] = [];
    const told: AnswerAdded[] = [];
    const app = appOf({
      ...{ ...state, keyValue, jobs, service, clock, log },
      audit: { record: async (_who, entry) => void audited.push(entry) },
      siteOf: () => ({ platform }),
    });
    const knowledge = createKnowledge(app, {
      answers: store,
      reading: { asOwner: (_owner: string, work: () => unknown) => work() } as unknown as PageReading,
    });
    const { ledger } = knowledge;
    const ofTurns = { get: async (id: string) => turns.get(id) };
    const answers = createAnswers(appOf({ clock, log, turns: ofTurns, siteOf: () => ({ platform }) }), {
      ...{ store, rows: knowledge.answers, gaps },
      basesOf: async () => [handbook],
    });
    knowledge.connect({
      whenAnswerAdded: answers.added,
      check: async () => ({ checked: { result: "gone" } }),
      offerReader: async () => undefined,
    });
    answers.onAdded((added) => mortal("told", async () => void told.push(added)));
    return { state, knowledge, answers, store, ledger, audited, told, hasDied: () => !isAlive };
  }

  let parts = await start();

  const context = (actor: Actor = alice, place: Place = general) => {
    events += 1;
    return { actor, place, eventKey: `memory/T1/answer-${events}` };
  };
  const draft = (changes: Partial<AnswerDraft> = {}): AnswerDraft => ({
    question: "Can a guest move a booking?",
    answer: "Yes, once.",
    urls: [],
    base: handbook,
    origin: { kind: "gap", gapId: "gap-1" },
    ...changes,
  });

  return {
    ...{ bases, gaps, turns, visibility, context, draft },
    parts: () => parts,
    rows: (base = "handbook") => [...rowsOf(base).values()],
    add: async (changes: Partial<AnswerDraft> = {}, actor: Actor = alice) =>
      (await parts.answers.addAnswer(draft(changes), context(actor))).ended(),
    putGap: (gap: Partial<Gap>) => gaps.put({ id: "gap-1", platform: "memory", askers: [], ...gap } as Gap),
    /** From the next start on. */
    onOwnPage: () => {
      isOwnPage = true;
    },
    dieAt: (step: string) => {
      fatal = step;
    },
    /** As after kill -9: a new process takes up what is stored, and does it to the end. */
    restart: async () => {
      fatal = undefined;
      await parts.state.close();
      parts = await start();
      await parts.knowledge.jobs.recover(true);
      for (const { id } of await parts.state.jobs.recent(10)) await parts.knowledge.jobs.ended(id);
    },
    close: async () => {
      await parts.knowledge.jobs.drain(0);
      await parts.state.close();
    },
  };
}
