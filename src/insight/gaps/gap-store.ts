/** Where gaps are stored, and what finds them: their state, who may read them, their questions, and words of these. */

import { setImmediate as nextLoopTurn } from "node:timers/promises";
import { z } from "zod";
import type { Audience, GapsEverywhere, WeighedGap } from "../../core/content/gaps.ts";
import type { GapScope, GapState } from "../../core/model/insight.ts";
import { type Place, workspaceKey } from "../../core/model/place.ts";
import type { Collection, CollectionDefinition, CollectionFactory, Query } from "../../core/ports/collection.ts";
import { mostAlike, wordsOf, wordsToFind } from "../grouping/likeness.ts";
import type { IndexedQuestion, QuestionForm } from "../grouping/terms.ts";
import { audiencesOf, oldestMs, type StoredGap, weightOf } from "./gap-record.ts";

type Workspace = Pick<Place, "platform" | "workspace">;

type GapField = "weight" | "state" | "scope" | "public" | "oldestMs";

/** Counting ends there. */
const maxCounted = 1_000_000;
/** Gaps whose wordings are compared with a new question. More would cost more than a lookup may take. */
const maxCompared = 500;
/** A full gap has 70 kB: so many are parsed without a pause. */
const readAtOnce = 10;

const text = z.string();

/** By workspace and id. */
export const gapCollection: CollectionDefinition<StoredGap, GapField> = {
  holds: "Questions that were not answered well",
  person: { kind: "gaps", erase: (gap, strip) => strip(gap), isBare: true },
  // Each question in it goes when it is that old.
  retain: { days: "RETENTION_DAYS" },
  schema: z.looseObject({
    id: text,
    platform: text,
    workspace: text,
    agent: z.looseObject({ project: text, name: text }),
    askers: z.array(z.looseObject({ turnId: text, question: text, atMs: z.number() })),
    state: text,
    forms: z.array(z.unknown()),
  }),
  fields: {
    weight: weightOf,
    state: ({ state }) => state,
    scope: (gap) => scopeKeyOf(gap),
    public: (gap) => (audiencesOf(gap).some(({ kind }) => kind === "public") ? 1 : undefined),
    oldestMs,
  },
  indexes: [
    { by: ["state"], order: "weight" },
    { by: ["state", "public"], order: "weight" },
    { by: ["scope", "state"], order: "weight" },
    { by: ["scope", "state", "public"], order: "weight" },
    { by: [], order: "oldestMs" },
  ],
  // A gap can be asked about in many channels.
  text: {
    of: (gap) => [
      ...audiencesOf(gap).flatMap((audience) => audienceWord(gap, gap.state, audience) ?? []),
      ...gap.askers.map(({ turnId }) => turnWord(gap, turnId)),
      ...gap.forms.flatMap(({ form }) => wordsOf(form).map((word) => questionWord(gap, word))),
    ],
    order: "weight",
    // Grouping has to find every one.
    newest: maxCounted,
  },
};

export const gapsIn = ({ collection }: { readonly collection: CollectionFactory }): Collection<StoredGap, GapField> =>
  collection("gaps", gapCollection);

export function scopeKeyOf({ agent, ...workspace }: GapScope): string {
  return [workspaceKey(workspace), ...[agent.project, agent.name].map(encodeURIComponent)].join("/");
}

/** By which a gap is found for the members of a private channel, and for one person. */
function audienceWord(scope: GapScope, state: GapState, audience: Audience): string | undefined {
  const words = (id: string) => [scopeKeyOf(scope), state, audience.kind, id].join("\n");
  switch (audience.kind) {
    case "channel":
      return words(audience.channel);
    case "person":
      return words(audience.person);
    default:
      return undefined;
  }
}

/** By which a gap is found for one of its questions. */
const turnWord = (workspace: Workspace, turnId: string) => `turn\n${workspaceKey(workspace)}\n${turnId}`;

/** Of its own for each scope, so that a search reads only gaps that matter. */
const questionWord = (scope: GapScope, word: string) => `question\n${scopeKeyOf(scope)}\n${word}`;

function queryOf(scope: GapScope, state: GapState, audience: Audience): Query<GapField> {
  const word = audienceWord(scope, state, audience);
  if (word !== undefined) return { order: "weight", words: [[word]] };
  return {
    order: "weight",
    where: { scope: scopeKeyOf(scope), state, public: audience.kind === "public" ? 1 : undefined },
  };
}

const everywhereQuery = (state: GapState, audience: "all" | "public"): Query<GapField> => ({
  order: "weight",
  where: { state, public: audience === "public" ? 1 : undefined },
});

const keyOf = (workspace: Workspace, id: string): string => `${workspaceKey(workspace)}/${id}`;

export type GapStore = ReturnType<typeof createGapStore>;

export function createGapStore(state: { readonly collection: CollectionFactory }) {
  const records = gapsIn(state);

  const byKey = async (key: string): Promise<StoredGap | undefined> => (await records.get(key))?.record;

  return {
    byKey,
    get: (workspace: Workspace, id: string) => byKey(keyOf(workspace, id)),

    ofTurn: async (workspace: Workspace, turnId: string): Promise<StoredGap | undefined> => {
      const { entries } = await records.query({ order: "weight", words: [[turnWord(workspace, turnId)]] }, 1);
      return entries[0]?.record;
    },

    /** The gap whose question means the same. */
    alike: async (scope: GapScope, form: QuestionForm): Promise<StoredGap | undefined> => {
      const words = wordsToFind(form).map((list) => list.map((word) => questionWord(scope, word)));
      const found = await records.ids({ order: "weight", words }, maxCompared);
      const wordings: (IndexedQuestion & { readonly gap: StoredGap })[] = [];
      for (let at = 0; at < found.length; at += readAtOnce) {
        if (at > 0) await nextLoopTurn();
        const gaps = await Promise.all(found.slice(at, at + readAtOnce).map(({ id }) => byKey(id)));
        for (const gap of gaps.filter((one) => one !== undefined))
          wordings.push(...gap.forms.map((own) => ({ ...own.form, id: gap.id, gap })));
      }
      return mostAlike(form, wordings)?.gap;
    },

    /** The caller holds the agent's lease. A gap without questions is deleted. */
    put: (gap: StoredGap): Promise<void> =>
      gap.askers.length === 0 ? records.delete(keyOf(gap, gap.id)) : records.put(keyOf(gap, gap.id), gap),

    /** Gaps with a question older than that. */
    olderThan: (beforeMs: number) => records.all({ order: "oldestMs", until: beforeMs, isAscending: true }),

    list: async (
      scope: GapScope,
      state: GapState,
      audience: Audience,
      count: number,
    ): Promise<readonly WeighedGap[]> => {
      const found = await records.ids(queryOf(scope, state, audience), count);
      const prefix = keyOf(scope, "");
      return found.map(({ id, order }) => ({ id: id.slice(prefix.length), weight: order }));
    },
    count: async (scope: GapScope, state: GapState, audience: Audience): Promise<number> =>
      (await records.count(queryOf(scope, state, audience), maxCounted)).count,
    everywhere: async (
      state: GapState,
      audience: "all" | "public",
      count: number,
      after?: string,
    ): Promise<GapsEverywhere> => {
      const { entries, next } = await records.query(everywhereQuery(state, audience), count, after);
      return { gaps: entries.map(({ id, record }) => ({ key: id, gap: record })), next };
    },
    countEverywhere: async (state: GapState, audience: "all" | "public"): Promise<number> =>
      (await records.count(everywhereQuery(state, audience), maxCounted)).count,
  };
}

export const scopeOf = ({ platform, workspace, agent }: GapScope): GapScope => ({ platform, workspace, agent });
