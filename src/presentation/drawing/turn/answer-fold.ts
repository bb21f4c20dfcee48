/** Draws what is below an answer: its sources, its steps and one quiet line; folded where a platform can. */

import type { Block, Fold, Inline, StepLine } from "../../../core/document.ts";
import { hasRows } from "../../../core/model/grade.ts";
import type { Source, Step, TurnView } from "../../../core/model/turn.ts";
import { passageExcerpt } from "../../markdown/plain-text.ts";
import { countText, durationText } from "../../sentences/quantities.ts";
import { turnSentences } from "../../sentences/questions.ts";
import { drawLine, drawn } from "../../sentences/steps.ts";
import { code, dotted } from "../inline.ts";
import { sourceAuthor, sourceTitle } from "../source-title.ts";
import { steps } from "./turn-actions.ts";

/** Of a source's passage, beside its number. */
const maxExcerptChars = 240;
/** Steps in the fold. Show steps has all. */
const maxFoldedSteps = 10;
/** Titles below a step; the passages are below the answer. */
const maxStepSources = 3;

/** `votes`: as said in the quiet line. */
export function answerEnd(
  view: TurnView,
  votes: readonly string[],
  sourceOldMs: number | undefined,
): readonly [Fold] | readonly [Block] {
  const agent = view.agent === "" ? undefined : code(view.agent);
  const said = view.steps.length === 0 ? undefined : turnSentences.stepCount(stepCount(view));
  const restsOnNothing = view.sources.length === 0 && !hasRows(view);
  const rest = [took(view), restsOnNothing ? "no sources" : undefined, ...votes];
  const small: Inline = dotted(agent, said, ...rest);
  const sources = view.sources.length === 0 ? [] : [sourcesBlock(view, sourceOldMs)];
  if (sources.length === 0 && said === undefined) return [{ kind: "quiet", text: small }];
  return [
    {
      kind: "fold",
      title: dotted(sources.length === 0 ? undefined : countText(view.sources.length, "source"), said),
      blocks: [...sources, ...foldedSteps(view)],
      actions: steps(view),
      quiet: dotted(agent, ...rest),
      flat: [...sources, { kind: "quiet", text: small }],
    },
  ];
}

function foldedSteps(view: TurnView): readonly Block[] {
  if (view.steps.length === 0) return [];
  const shown = view.steps.slice(-maxFoldedSteps);
  return [{ kind: "steps", earlier: stepCount(view) - shown.length, steps: shown.map(lineWithSources) }];
}

/** A step with the titles of what it found. */
export function lineWithSources(step: Step): StepLine {
  const line = stepLine(step);
  const found = step.state === "done" ? (step.sources ?? []).slice(0, maxStepSources) : [];
  const sources = found
    .map(({ url, ...source }): Source => ({ title: sourceTitle({ ...source, url }), url }))
    .filter(({ title }) => title !== "");
  return sources.length === 0 ? line : { ...line, sources };
}

export function sourcesBlock(view: TurnView, sourceOldMs: number | undefined): Block {
  const atMs = view.endedAtMs ?? 0;
  const isOld = (updatedAtMs: number) => sourceOldMs !== undefined && atMs - updatedAtMs > sourceOldMs;
  const sources = view.sources.map((source, index) => {
    const title = sourceTitle(source, isOld, String(index + 1));
    const excerpt = passageExcerpt(source.excerpt ?? "", maxExcerptChars);
    return {
      number: index + 1,
      title,
      url: source.url,
      from: sourceAuthor(source, atMs),
      excerpt: excerpt === "" ? undefined : excerpt,
    };
  });
  return { kind: "sources", sources };
}

/** Includes steps that were not stored. */
export function stepCount(view: TurnView): number {
  return view.steps.length + (view.omittedSteps ?? 0);
}

export function took(view: TurnView): string | undefined {
  if (view.startedAtMs === undefined || view.endedAtMs === undefined) return undefined;
  return durationText(view.endedAtMs - view.startedAtMs);
}

function stepLine(step: Step): StepLine {
  const known = drawn.get(step);
  if (known !== undefined) return known;
  const line = drawLine(step);
  drawn.set(step, line);
  return line;
}
