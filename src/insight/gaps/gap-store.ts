/**
 * Where gaps are stored: whose Turn, record, index of questions, in that order. Each step can be repeated: storing the
 * same gap again finishes a change that a crash interrupted.
 */

import { z } from "zod";
import type { App } from "../../app.ts";
import type { Audience, GapsEverywhere, WeighedGap } from "../../core/content/gaps.ts";
import type { Gap, GapScope, GapState } from "../../core/model/insight.ts";
import { type Place, workspaceKey } from "../../core/model/place.ts";
import type { Collection, CollectionDefinition, CollectionFactory, Query } from "../../core/ports/collection.ts";
import { boundsOf, mostAlike } from "../grouping/grouping.ts";
import { deleteQuestion, putQuestion, type QuestionForm, questionsIn, sharing } from "../grouping/question-index.ts";
import { audiencesOf, oldestMs, type StoredGap, weightOf } from "./gap-record.ts";

type Workspace = Pick<Place, "platform" | "workspace">;

type GapField = "weight" | "state" | "scope" | "public" | "oldestMs";

/** Counting ends there. */
const maxCounted = 1_000_000;

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
    of: (gap) => audiencesOf(gap).flatMap((audience) => wordOf(gap, gap.state, audience) ?? []),
    order: "weight",
    newest: maxCounted,
  },
};

export const gapsIn = ({ collection }: { readonly collection: CollectionFactory }): Collection<StoredGap, GapField> =>
  collection("gaps", gapCollection);

/** `turnId`: whose question changed it. `isRepeated`: perhaps this was begun before, by a process that died. */
type Saving = { readonly turnId?: string; readonly isRepeated?: boolean };

export type GapStore = ReturnType<typeof createGapStore>;

export function scopeKeyOf({ agent, ...workspace }: GapScope): string {
  return [workspaceKey(workspace), ...[agent.project, agent.name].map(encodeURIComponent)].join("/");
}

/** By which a gap is found for the members of a private channel, and for one person. */
function wordOf(scope: GapScope, state: GapState, audience: Audience): string | undefined {
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

function queryOf(scope: GapScope, state: GapState, audience: Audience): Query<GapField> {
  const word = wordOf(scope, state, audience);
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

/** `ofTurns`: namespace "gap-of-turn". The caller of `save` holds the agent's lease. */
export function createGapStore(app: App) {
  const { retentionMs } = app.settings;
  const questions = questionsIn(app.state);
  const records = gapsIn(app.state);
  const ofTurns = app.state.keyValue<string>("gap-of-turn");

  const byKey = async (key: string): Promise<StoredGap | undefined> => (await records.get(key))?.record;

  async function erase(gap: StoredGap): Promise<void> {
    await Promise.all(gap.forms.map((_, at) => deleteQuestion(questions, scopeKeyOf(gap), `${gap.id}/${at}`)));
    await records.delete(keyOf(gap, gap.id));
  }

  /** Only what has changed, unless it is stored once more. */
  async function index(before: StoredGap | undefined, gap: StoredGap): Promise<void> {
    const scope = scopeKeyOf(gap);
    const known = before === gap ? undefined : before?.forms;
    const entries = gap.forms.map(async (wording, at) => {
      const id = `${gap.id}/${at}`;
      if (known !== undefined && known[at] === wording) return;
      await (wording === null
        ? deleteQuestion(questions, scope, id)
        : putQuestion(questions, scope, { ...wording.form, id }));
    });
    await Promise.all(entries);
  }

  return {
    get: (workspace: Workspace, id: string) => byKey(keyOf(workspace, id)),

    ofTurn: async (workspace: Workspace, turnId: string): Promise<StoredGap | undefined> => {
      const id = await ofTurns.get(keyOf(workspace, turnId));
      return id === undefined ? undefined : byKey(keyOf(workspace, id));
    },

    /** The stored gap whose question means the same. */
    alike: async (scope: GapScope, form: QuestionForm): Promise<StoredGap | undefined> => {
      const scopeKey = scopeKeyOf(scope);
      let found = await sharing(questions, scopeKey, form, boundsOf(form));
      for (;;) {
        const best = mostAlike(form, found);
        if (best === undefined) return undefined;
        const [id = ""] = best.id.split("/");
        const gap = await byKey(keyOf(scope, id));
        if (gap !== undefined) return gap;
        // Its record was damaged, or is too new for this version.
        found = found.filter((question) => question !== best);
      }
    },

    /** `before`: as stored until now; the same to store all of it once more. A gap without questions is deleted. */
    save: async (before: StoredGap | undefined, gap: StoredGap, { turnId, isRepeated }: Saving = {}): Promise<void> => {
      if (gap.askers.length === 0) return erase(before ?? gap);
      // First, so that forgetting the Turn finds its question wherever it was stored.
      if (turnId !== undefined) await ofTurns.set(keyOf(gap, turnId), gap.id, retentionMs);
      await records.put(keyOf(gap, gap.id), gap);
      await index(isRepeated === true ? gap : before, gap);
    },

    /** Forgetting that Turn then finds its question there. */
    joinTurn: (workspace: Workspace, turnId: string, gapId: string) =>
      ofTurns.set(keyOf(workspace, turnId), gapId, retentionMs),

    leaveTurn: (workspace: Workspace, turnId: string) => ofTurns.delete(keyOf(workspace, turnId)),

    /** Gaps with a question older than that. */
    olderThan: (beforeMs: number) => records.all({ order: "oldestMs", until: beforeMs, isAscending: true }),

    byKey,

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
    count: async (scope: GapScope, state: GapState, audience: Audience): Promise<number> =>
      (await records.count(queryOf(scope, state, audience), maxCounted)).count,
  };
}

export const scopeOf = ({ platform, workspace, agent }: Gap): GapScope => ({ platform, workspace, agent });
