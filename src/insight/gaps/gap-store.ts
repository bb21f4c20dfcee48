/**
 * Where gaps are stored: whose Turn, record, lists, index of questions, in that order. Each step can be repeated: storing
 * the same gap again finishes a change that a crash interrupted.
 */

import type { App } from "../../app.ts";
import type { Audience } from "../../core/content/gaps.ts";
import type { Gap, GapScope, GapState } from "../../core/model/insight.ts";
import { type Place, workspaceKey } from "../../core/model/place.ts";
import type { Ranked } from "../../core/ports/storage/rankings.ts";
import { boundsOf, mostAlike } from "../grouping/grouping.ts";
import { deleteQuestion, putQuestion, type QuestionForm, questionsIn, sharing } from "../grouping/question-index.ts";
import { channelAudience, listsOf, oldestMs, personAudience, type StoredGap, weightOf } from "./gap-record.ts";

type Workspace = Pick<Place, "platform" | "workspace">;

/** Of all workspaces: which gap has the oldest question. */
const oldestList = "gaps-oldest";

/** Those lists are also kept over all workspaces and agents. */
const everywhere = "gaps-everywhere";
const isEverywhere = (name: string) => name.endsWith("/all") || name.endsWith("/public");

/** `turnId`: whose question changed it. `isRepeated`: perhaps this was begun before, by a process that died. */
type Saving = { readonly turnId?: string; readonly isRepeated?: boolean };

export type GapStore = ReturnType<typeof createGapStore>;

export function scopeKeyOf({ agent, ...workspace }: GapScope): string {
  return [workspaceKey(workspace), ...[agent.project, agent.name].map(encodeURIComponent)].join("/");
}

const keyOf = (workspace: Workspace, id: string): string => `${workspaceKey(workspace)}/${id}`;

/** `records`: namespace "gaps". `ofTurns`: namespace "gap-of-turn". The caller of `save` holds the agent's lease. */
export function createGapStore(app: App) {
  const { retentionMs } = app.settings;
  const { rankings } = app.state;
  const questions = questionsIn(app.state);
  const records = app.state.keyValue<StoredGap>("gaps");
  const ofTurns = app.state.keyValue<string>("gap-of-turn");
  const listOf = (scope: GapScope, name: string) => `gaps/${scopeKeyOf(scope)}/${name}`;

  async function leave(gap: StoredGap, names: readonly string[]): Promise<void> {
    const key = keyOf(gap, gap.id);
    await Promise.all([
      ...names.map((name) => rankings.delete(listOf(gap, name), gap.id)),
      ...names.filter(isEverywhere).map((name) => rankings.delete(`${everywhere}/${name}`, key)),
    ]);
  }

  async function erase(gap: StoredGap): Promise<void> {
    await leave(gap, [...gap.leaving, ...listsOf(gap)]);
    await rankings.delete(oldestList, keyOf(gap, gap.id));
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

  async function list(gap: StoredGap, names: readonly string[]): Promise<void> {
    const weight = weightOf(gap);
    const key = keyOf(gap, gap.id);
    const oldest = oldestMs(gap);
    await Promise.all([
      ...names.map((name) => rankings.put(listOf(gap, name), gap.id, weight)),
      ...names.filter(isEverywhere).map((name) => rankings.put(`${everywhere}/${name}`, key, weight)),
      oldest === undefined ? rankings.delete(oldestList, key) : rankings.put(oldestList, key, oldest),
    ]);
  }

  return {
    get: (workspace: Workspace, id: string) => records.get(keyOf(workspace, id)),

    ofTurn: async (workspace: Workspace, turnId: string): Promise<StoredGap | undefined> => {
      const id = await ofTurns.get(keyOf(workspace, turnId));
      return id === undefined ? undefined : records.get(keyOf(workspace, id));
    },

    /** The stored gap whose question means the same. */
    alike: async (scope: GapScope, form: QuestionForm): Promise<StoredGap | undefined> => {
      const scopeKey = scopeKeyOf(scope);
      let found = await sharing(questions, scopeKey, form, boundsOf(form));
      for (;;) {
        const best = mostAlike(form, found);
        if (best === undefined) return undefined;
        const [id = ""] = best.id.split("/");
        const gap = await records.get(keyOf(scope, id));
        if (gap !== undefined) return gap;
        // Its record was damaged, or is too new for this version.
        found = found.filter((question) => question !== best);
      }
    },

    /** `before`: as stored until now; the same to store all of it once more. A gap without questions is deleted. */
    save: async (before: StoredGap | undefined, gap: StoredGap, { turnId, isRepeated }: Saving = {}): Promise<void> => {
      if (before !== undefined) await leave(before, before.leaving);
      if (gap.askers.length === 0) return erase(before ?? gap);
      // First, so that forgetting the Turn finds its question wherever it was stored.
      if (turnId !== undefined) await ofTurns.set(keyOf(gap, turnId), gap.id, retentionMs);
      const lists = listsOf(gap);
      const earlier = before === undefined || before === gap ? [] : listsOf(before);
      const leaving = earlier.filter((name) => !lists.includes(name));
      await records.set(keyOf(gap, gap.id), { ...gap, leaving });
      await Promise.all([leave(gap, leaving), list(gap, lists), index(isRepeated === true ? gap : before, gap)]);
    },

    /** Forgetting that Turn then finds its question there. */
    joinTurn: (workspace: Workspace, turnId: string, gapId: string) =>
      ofTurns.set(keyOf(workspace, turnId), gapId, retentionMs),

    leaveTurn: (workspace: Workspace, turnId: string) => ofTurns.delete(keyOf(workspace, turnId)),

    /** Keys of gaps with a question older than that. */
    oldest: async (beforeMs: number, count: number): Promise<readonly Ranked[]> =>
      rankings.upTo(oldestList, beforeMs - 1, count),
    byKey: (key: string) => records.get(key),
    dropOldest: (key: string) => rankings.delete(oldestList, key),

    list: async (scope: GapScope, state: GapState, audience: Audience, from: number, count: number) =>
      rankings.highest(listOf(scope, `${state}/${nameOf(audience)}`), from, count),
    everywhere: (state: GapState, audience: "all" | "public", from: number, count: number) =>
      rankings.highest(`${everywhere}/${state}/${audience}`, from, count),
    countEverywhere: (state: GapState, audience: "all" | "public") =>
      rankings.count(`${everywhere}/${state}/${audience}`),
    count: (scope: GapScope, state: GapState, audience: Audience) =>
      rankings.count(listOf(scope, `${state}/${nameOf(audience)}`)),
  };
}

export const scopeOf = ({ platform, workspace, agent }: Gap): GapScope => ({ platform, workspace, agent });

function nameOf(audience: Audience): string {
  switch (audience.kind) {
    case "channel":
      return channelAudience(audience.channel);
    case "person":
      return personAudience(audience.person);
    default:
      return audience.kind;
  }
}
