/** A room for tests of gaps: instances over one store, people who ask, and processes that die at a chosen write. */

import type { Gap, GapScope, Signal } from "../../../src/core/model/insight.ts";
import type { Turn, TurnView } from "../../../src/core/model/turn.ts";
import type { Clock } from "../../../src/core/ports/clock.ts";
import type { CollectionFactory } from "../../../src/core/ports/collection.ts";
import type { Coordinator, KeyValueFactory, TurnStore } from "../../../src/core/ports/state.ts";
import { systemClock } from "../../../src/core/tools/system-clock.ts";
import type { StoredGap } from "../../../src/insight/gaps/gap-record.ts";
import { createGapStore, gapsIn } from "../../../src/insight/gaps/gap-store.ts";
import { createGaps } from "../../../src/insight/gaps/gaps.ts";
import { questionForm } from "../../../src/insight/grouping/form.ts";
import { sampleTurn } from "../../contracts/storage/sample-records.ts";
import { appOf } from "../../doubles/app.ts";
import { mortalStores } from "../../doubles/mortal-stores.ts";
import { alice } from "../../doubles/people.ts";

export type GapStores = {
  readonly keyValue: KeyValueFactory;
  readonly turns: TurnStore;
  readonly collection: CollectionFactory;
  /** One of each instance. */
  readonly coordinators: readonly [Coordinator, Coordinator];
};

const agent = { project: "mindsdb", name: "support" };
const place = { platform: "memory", workspace: "T1", channel: "general" };
export const scopeIn = (workspace = "T1"): GapScope => ({ platform: "memory", workspace, agent });

/** What an answer without any source looks like. */
function viewOf(turn: Pick<Turn, "id" | "question">, changes: Partial<TurnView> = {}): TurnView {
  return {
    turnId: turn.id,
    ref: "ref",
    state: "answered",
    agent: agent.name,
    question: turn.question,
    steps: [],
    answer: "I don't know.",
    grade: "nothing",
    tables: [],
    sources: [],
    isPartial: false,
    isResumed: false,
    ...changes,
  };
}

export const sourced: Partial<TurnView> = { sources: [{ title: "Handbook", relevance: 0.9 }], grade: "sure" };

export type GapRoom = ReturnType<typeof createGapRoom>;

export function createGapRoom(stores: GapStores, base: Clock = systemClock) {
  let laterMs = 0;
  let number = 0;
  const clock = { ...base, now: () => base.now() + laterMs };

  function instance(which: 0 | 1 = 0, diesAt = Number.POSITIVE_INFINITY) {
    const { isDead, ...own } = mortalStores(stores, diesAt);
    const parts = createGaps(appOf({ ...stores, ...own, coordinator: stores.coordinators[which], clock }), {
      isQuestion: (question) => question !== "thank you so much",
    });
    return { ...parts, isDead };
  }
  type Instance = ReturnType<typeof instance>;

  function turnOf(changes: Partial<Turn> = {}): Turn {
    number += 1;
    const id = `${clock.now().toString(36).padStart(9, "0")}turn${String(number).padStart(3, "0")}`;
    return sampleTurn(id, {
      state: "running",
      agent,
      askedIn: place,
      conversation: { ...place, thread: id },
      actor: alice,
      visibility: "public",
      createdAtMs: clock.now(),
      ...changes,
    });
  }

  /** Shows its end as the bridge does: noted, recorded, begun. */
  async function end(by: Instance, turn: Turn, view: Partial<TurnView> = {}): Promise<void> {
    const begin = await by.notes.noteEnd(turn, viewOf(turn, view));
    if (by.isDead()) return;
    await stores.turns.transition(turn.id, ["running", "queued"], "answered", {});
    begin();
    await by.settled();
  }

  return {
    clock,
    instance,
    turnOf,
    end,
    pass: (ms: number) => {
      laterMs += ms;
    },
    ask: async (by: Instance, changes: Partial<Turn> = {}, view: Partial<TurnView> = {}): Promise<Turn> => {
      const turn = turnOf(changes);
      await stores.turns.create(turn);
      await end(by, turn, view);
      return turn;
    },
    vote: async (by: Instance, turn: Turn, thumb: "up" | "down" | undefined, more: object = {}): Promise<void> => {
      const { actor, askedIn } = turn;
      const key = `${askedIn.platform}/${askedIn.workspace}/${turn.id}/${actor.id}`;
      const votes = stores.keyValue<object>("feedback");
      const begin = await by.notes.noteSignal(turn, "thumbs-down");
      const vote = { version: 1, turnId: turn.id, voter: actor.id, actor, thumb, atMs: clock.now(), ...more };
      await (thumb === undefined ? votes.delete(key) : votes.set(key, vote));
      begin();
      await by.settled();
    },
    gaps: async (workspace = "T1"): Promise<readonly Gap[]> => {
      const found: Gap[] = [];
      for await (const { record } of gapsIn(stores).entries()) if (record.workspace === workspace) found.push(record);
      return found;
    },
    notes: async (): Promise<readonly string[]> => {
      const found: string[] = [];
      for await (const [key] of stores.keyValue("open-signals").entries("")) found.push(key);
      return found;
    },
    /** Asked and shown to nobody: only the stored facts are compared. */
    problems: async (workspace = "T1"): Promise<readonly string[]> => problemsIn(stores, workspace),
  };
}

/** Also what was asked before an edit. */
async function* everythingAsked(turns: TurnStore, workspace: string): AsyncIterable<Pick<Turn, "question">> {
  for (const question of ["How do I reset the wifi password?", "how can I reset my wifi password"]) yield { question };
  for (const turn of await turns.recent(100)) if (turn.askedIn.workspace === workspace) yield turn;
}

/** What gaps say, and isn't found. */
async function problemsIn({ turns, collection }: GapStores, workspace: string): Promise<readonly string[]> {
  const problems: string[] = [];
  const store = createGapStore({ collection });
  const records = new Map<string, StoredGap>();
  for await (const { record } of gapsIn({ collection }).entries()) {
    if (record.workspace === workspace) records.set(record.id, record);
  }
  for await (const { question } of everythingAsked(turns, workspace)) {
    const found = await store.alike(scopeIn(workspace), questionForm(question));
    if (found !== undefined && !records.has(found.id)) problems.push(`${found.id} is still found`);
  }
  for (const { id, forms, askers } of records.values()) {
    const turnIds = askers.map(({ turnId }) => turnId);
    for (const { turnId, form } of forms) {
      if ((await store.alike(scopeIn(workspace), form))?.id !== id) problems.push(`${id} isn't found by its words`);
      if (!turnIds.includes(turnId)) problems.push(`${id} has words of a question that left it`);
    }
    for (const turnId of turnIds) {
      if ((await store.ofTurn(scopeIn(workspace), turnId))?.id !== id) problems.push(`${turnId} doesn't find its gap`);
    }
  }
  return problems;
}

export const signalsIn = (gap: Gap | undefined): readonly (readonly Signal[])[] =>
  gap?.askers.map(({ signals }) => signals) ?? [];
