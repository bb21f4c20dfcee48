/** Decides what a question that was asked again shows: whether the added answer was used, else what ranked higher. */

import type { App } from "../../app.ts";
import type { Named } from "../../core/access.ts";
import type { TurnView } from "../../core/model/turn.ts";
import { withTimeout } from "../../core/tools/timeout.ts";
import { baseOf } from "../answers/answer-store.ts";
import { isOfAnswer, ownFirst, type RankedPassage, saidOf, type Trial, type TrialResult } from "./trial.ts";

const maxShownChars = 300;
const maxNoteChars = 600;
const searched = 10;
/** Shown above the added answer. */
const maxAbove = 5;
const lookMs = 15_000;

export function createJudging(
  app: App,
  {
    basesOf,
  }: {
    readonly basesOf: (agent: Named) => Promise<readonly Named[]>;
  },
) {
  const { service, reach, clock, log } = app;

  /** Never rejects. Titles are content of the base: only for people who may search in it. */
  async function ranked({ answer, question, actor, place }: Trial): Promise<readonly RankedPassage[] | undefined> {
    const base = baseOf(answer);
    try {
      if (!(await reach.mayBase(actor, "search", place, base)).allowed) return undefined;
      const found = await service.search(base.project, base.name, question, searched);
      const at = found.findIndex(({ source }) => isOfAnswer(source, answer));
      const own = at < 0 ? [] : found.slice(at, at + 1);
      const titles = new Set<string>();
      const above = found.slice(0, at < 0 ? undefined : at).filter(({ source: { title } }) => {
        const isNew = !titles.has(title);
        titles.add(title);
        return isNew;
      });
      return [...above.slice(0, maxAbove), ...own].map(({ source: { title, url, relevance } }, index) => ({
        title,
        url,
        relevance,
        ...(index >= Math.min(maxAbove, above.length) ? { isOwn: true as const } : {}),
      }));
    } catch (err) {
      log.info({ err }, "What ranks higher than an added answer could not be looked up");
      return undefined;
    }
  }

  async function looksIn({ agent, answer }: Trial): Promise<boolean> {
    const bases = await basesOf(agent).catch(() => undefined);
    return (
      bases === undefined ||
      bases.some(({ project, name }) => project === answer.project && name === answer.knowledgeBase)
    );
  }

  return async (trial: Trial, view: TurnView, tookMs: number): Promise<TrialResult> => {
    const atMs = clock.now();
    const isUsed = view.state === "answered" && view.sources.some((source) => isOfAnswer(source, trial.answer));
    if (isUsed) {
      const own = ownFirst(view, trial);
      return { kind: "used", tookMs, atMs, after: saidOf(own, maxShownChars), note: saidOf(own, maxNoteChars, true) };
    }
    const [passages, isLookedIn] = await Promise.all([withTimeout(ranked(trial), lookMs, clock), looksIn(trial)]);
    return {
      kind: "unused",
      tookMs,
      atMs,
      passages,
      ...(isLookedIn ? {} : { isElsewhere: true as const }),
    };
  };
}
