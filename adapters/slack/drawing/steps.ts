/** Draws the steps of a Turn as a plan of tasks, or as lines of text. */
import type { types } from "@slack/bolt";
import type { Inline, StepLine } from "../../../src/core/document.ts";
import { safeLink } from "../../../src/presentation/drawing.ts";
import { stepSentences, turnSentences } from "../../../src/presentation/sentences.ts";
import * as limits from "../limits.ts";
import { inlineMrkdwn, inlinePlain } from "./markup.ts";
import type { Alternative, Slot } from "./slots.ts";
import { linesSlots, richText, section, split } from "./text-blocks.ts";

/** Slack refuses an empty title. */
const unnamedStep = "…";

/** The headline stays above the steps, as in a message without them, because a plan's title isn't rich text. */
export function stepsSlot(earlier: number, steps: readonly StepLine[]): Slot {
  const folded = stepSentences.earlier(earlier);
  const plan = (areLinked: boolean): Alternative => {
    const tasks = steps.map((step, index) => taskOf(step, `step-${earlier + index}`, areLinked));
    if (earlier > 0) tasks.unshift({ type: "task_card", task_id: "earlier", title: folded, status: "complete" });
    const title = turnSentences.stepCount(earlier + steps.length);
    return { needs: areLinked ? ["task-sources", "plan"] : ["plan"], blocks: [{ type: "plan", title, tasks }] };
  };
  const text = stepLines(earlier, steps).map(inlineMrkdwn).join("\n");
  const lines: Alternative = { needs: [], blocks: split(text, limits.maxSectionChars).map(section) };
  // A plan takes no more tasks.
  if (steps.length >= limits.maxPlanTasks) return { alternatives: [lines] };
  const hasLinks = steps.some((step) => linksOf(step).length > 0);
  return { alternatives: hasLinks ? [plan(true), plan(false), lines] : [plan(false), lines] };
}

function taskOf(step: StepLine, id: string, areLinked: boolean): types.TaskCardBlock {
  const links = areLinked ? linksOf(step) : [];
  const unlinked = links.length === 0 ? sourcesLine(step) : [];
  const found = [step.detail ?? [], unlinked].filter((line) => inlinePlain(line) !== "");
  return {
    type: "task_card",
    task_id: id,
    title: inlinePlain(step.title).trim() || unnamedStep,
    status: ({ done: "complete", running: "in_progress", failed: "error" } as const)[step.state],
    output: found.length === 0 ? undefined : richText(found),
    sources: links.length === 0 ? undefined : links,
  };
}

/** A task's links need an address. If one of its sources has none, all are text. */
function linksOf(step: StepLine): { type: "url"; url: string; text: string }[] {
  const sources = step.state === "done" ? (step.sources ?? []) : [];
  const links = sources.flatMap(({ title, url }) => {
    const safe = safeLink(title, url ?? "");
    if (safe.url === undefined || safe.url.length > limits.maxLinkChars) return [];
    return [{ type: "url" as const, url: safe.url, text: safe.label }];
  });
  return links.length === sources.length ? links : [];
}

function sourcesLine({ state, sources = [] }: StepLine): Inline {
  if (state !== "done") return [];
  return sources.flatMap(({ title, url }, index) => [
    ...(index === 0 ? [] : [{ text: " · " }]),
    url === undefined ? { text: title } : { text: title, url },
  ]);
}

/** One line per step, and one below it for what it found. */
function stepLines(earlier: number, steps: readonly StepLine[]): readonly Inline[] {
  const folded: readonly Inline[] = earlier > 0 ? [[{ text: `✓ ${stepSentences.earlier(earlier)}` }]] : [];
  const lines = steps.flatMap((step): readonly Inline[] => {
    const mark = { done: "✓", running: "⏳", failed: "✗" }[step.state];
    const below = { text: "      " };
    const detail = inlinePlain(step.detail ?? []);
    const sources = sourcesLine(step);
    return [
      [{ text: `${mark} ` }, ...step.title],
      ...(detail === "" ? [] : [[below, { text: detail, style: "italic" as const }]]),
      ...(sources.length === 0 ? [] : [[below, ...sources]]),
    ];
  });
  return [...folded, ...lines];
}

/** The steps as text, for where no plan may stand. */
export function stepTexts(earlier: number, steps: readonly StepLine[]): readonly Slot[] {
  return linesSlots(stepLines(earlier, steps));
}
