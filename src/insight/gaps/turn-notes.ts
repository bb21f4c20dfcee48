/** Notes what happens to Turns: their end, votes on them, that they were asked again, that they are forgotten. */

import type { App } from "../../app.ts";
import type { Begin, ForgottenTurn, TurnNotes } from "../../core/content/gaps.ts";
import type { GapScope } from "../../core/model/insight.ts";
import { personKey } from "../../core/model/place.ts";
import type { Turn, TurnView } from "../../core/model/turn.ts";
import { keepTrying } from "../../core/tools/retry.ts";
import { withTimeout } from "../../core/tools/timeout.ts";
import { questionForm } from "../grouping/form.ts";
import { likeness } from "../grouping/likeness.ts";
import type { QuestionForm } from "../grouping/terms.ts";
import { type GapStore, scopeKeyOf } from "./gap-store.ts";
import type { GapWork } from "./gap-work.ts";
import { regroup } from "./regroup.ts";
import { answerSignals, type IsQuestion, isCounted } from "./signals.ts";

/** Who asks the same again within this was not helped. */
const againWithinMs = 600_000;
/** The end is shown already; its record waits no longer for a note than this. */
const noteWithinMs = 1_000;
/** A store that is away for longer loses the note, not the answer. */
const storePatienceMs = 120_000;

export type RecentQuestion = { readonly turnId: string; readonly form: QuestionForm; readonly atMs: number };

export function createTurnNotes(
  app: App,
  { store, work, isQuestion }: { readonly store: GapStore; readonly work: GapWork; readonly isQuestion: IsQuestion },
): TurnNotes {
  const { clock, log } = app;
  const recent = app.state.keyValue<RecentQuestion>("recent-questions");

  /** The earlier question that this one repeats in other words, or in the same. */
  async function repeated(scope: GapScope, turn: Turn): Promise<string | undefined> {
    if (turn.attempt > 1 || turn.repeats !== undefined || !isCounted(turn)) return undefined;
    const earlier = await recent.get(recentKey(scope, turn));
    if (earlier === undefined || earlier.turnId === turn.id) return undefined;
    const isSoon = Math.abs(turn.createdAtMs - earlier.atMs) <= againWithinMs;
    return isSoon && likeness(questionForm(turn.question), earlier.form) > 0 ? earlier.turnId : undefined;
  }

  async function noteAnswer(scope: GapScope, turn: Turn, view: TurnView): Promise<string | undefined> {
    if (view.state !== "answered") return undefined;
    const signals = answerSignals(turn, view, isQuestion);
    // A better answer to a question that is asked again takes back what the earlier one said.
    if (signals.length === 0 && turn.attempt <= 1) return undefined;
    await work.note(scope, { kind: "answer", turnId: turn.id, signals });
    return turn.id;
  }

  async function noteRepeated(scope: GapScope, turn: Turn): Promise<string | undefined> {
    const earlier = await repeated(scope, turn);
    if (earlier !== undefined) await work.note(scope, { kind: "asked-again", turnId: earlier });
    return earlier;
  }

  /** The Turns that have notes now. */
  async function noteNow(scope: GapScope, turn: Turn, view: TurnView): Promise<readonly string[]> {
    const found = await Promise.all([noteAnswer(scope, turn, view), noteRepeated(scope, turn)]);
    return found.filter((turnId) => turnId !== undefined);
  }

  async function remember(scope: GapScope, turn: Turn, view: TurnView): Promise<void> {
    if (view.state !== "answered" || turn.repeats !== undefined || !isCounted(turn)) return;
    const question = { turnId: turn.id, form: questionForm(turn.question), atMs: turn.createdAtMs };
    await recent.set(recentKey(scope, turn), question, againWithinMs);
  }

  async function noteVotes(turn: Turn): Promise<Begin> {
    const scope = scopeOfTurn(turn);
    if (scope === undefined) return nothing;
    await work.note(scope, { kind: "look", turnId: turn.id });
    return () => work.begin(scope, [turn.id]);
  }

  async function forget(scope: GapScope, turns: readonly ForgottenTurn[], noted: readonly string[]): Promise<void> {
    await work.underLease(scope, async () => {
      for (const turn of turns) {
        await regroup(app.state, store, scope, turn.id, []);
        const key = recentKey(scope, turn);
        if ((await recent.get(key))?.turnId === turn.id) await recent.delete(key);
      }
    });
    for (const key of noted) await work.deleteNote(key);
  }

  return {
    noteEnd: async (turn, view) => {
      const scope = scopeOfTurn(turn);
      if (scope === undefined) return nothing;
      const noting = keepTrying(() => noteNow(scope, turn, view), { clock, forMs: storePatienceMs });
      const done = noting.catch((err: unknown) => {
        log.warn({ err, turnId: turn.id }, "What an answer says about itself was not noted");
        return [];
      });
      await withTimeout(done, noteWithinMs, clock);
      return () => {
        const group = done.then((noted) => (noted.length > 0 ? work.begin(scope, noted) : undefined));
        const kept = remember(scope, turn, view).catch((err: unknown) =>
          log.info({ err, turnId: turn.id }, "A question was not remembered"),
        );
        work.track(Promise.all([group, kept]).then(() => undefined));
      };
    },
    noteSignal: noteVotes,
    withdrawSignal: noteVotes,
    noteForgotten: async (turns) => {
      const byScope = new Map<string, { scope: GapScope; turns: ForgottenTurn[]; noted: string[] }>();
      for (const turn of turns) {
        const scope = scopeOfTurn(turn);
        if (scope === undefined) continue;
        const key = scopeKeyOf(scope);
        const of = byScope.get(key) ?? { scope, turns: [], noted: [] };
        byScope.set(key, of);
        of.turns.push(turn);
        of.noted.push(await work.note(scope, { kind: "look", turnId: turn.id, isForgetting: true }));
      }
      return async () => {
        for (const { scope, turns: forgotten, noted } of byScope.values()) await forget(scope, forgotten, noted);
      };
    },
  };
}

const nothing: Begin = () => {};

/** Undefined: no agent was asked. */
function scopeOfTurn({ agent, askedIn }: Pick<Turn, "agent" | "askedIn">): GapScope | undefined {
  if (agent === undefined) return undefined;
  const { platform, workspace } = askedIn;
  return { platform, workspace, agent: { project: agent.project, name: agent.name } };
}

/** Key of a person's newest question to an agent. */
function recentKey({ agent }: GapScope, { askedIn, actor }: Pick<Turn, "askedIn" | "actor">): string {
  return [personKey(askedIn, actor), ...[agent.project, agent.name].map(encodeURIComponent)].join("/");
}
