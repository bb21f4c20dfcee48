/** The buttons below a Turn, and the tables behind Get CSV. */
import type { Action } from "../../../core/document.ts";
import type { Source, Step, Table, TurnView } from "../../../core/model/turn.ts";
import { markdownBlocks } from "../../markdown/markdown-blocks.ts";
import { labels } from "../../sentences/questions.ts";

/** How much of an answer is searched for tables. */
export const maxSearchedChars = 100_000;
/** Passages behind Show what was found. */
const maxFound = 8;
/** Shorter answers fit one message on every platform. */
const maxWholeChars = 1_000;

export function stop(view: TurnView, { asker }: { readonly asker?: string }): Action {
  return { id: "stop", label: "Stop", value: view.turnId, style: "plain", asker };
}

export function retry(view: TurnView, style: Action["style"] = "primary"): Action {
  return { id: "retry", label: labels.retry, value: view.turnId, style };
}

export function anotherAgent(
  view: TurnView,
  { hasOtherAgents }: { readonly hasOtherAgents?: boolean },
): readonly Action[] {
  if (hasOtherAgents !== true || view.agent === "") return [];
  return [{ id: "another-agent", label: "Ask another agent", value: view.turnId, style: "plain" }];
}

/** Fetches what was neither shown nor attached. Anyone may press it. */
export function rest(view: TurnView): Action | undefined {
  const isLong = (view.answer?.length ?? 0) > maxWholeChars || (view.answerTable?.rows.length ?? 0) > 0;
  return isLong ? { id: "rest", label: "Get the rest", value: view.turnId, style: "plain" } : undefined;
}

export function steps(view: TurnView): readonly Action[] {
  return view.steps.length === 0 ? [] : [{ id: "steps", label: "Show steps", value: view.turnId, style: "plain" }];
}

/** What was found that doesn't answer it, each passage once, best first. */
export function foundSources(view: TurnView, isShown: (step: Step) => boolean = () => true): readonly Source[] {
  const ofSteps = view.steps.filter(isShown).flatMap((step) => step.sources ?? []);
  const all = view.steps.length === 0 ? view.sources : ofSteps;
  const byAddress = new Map<string, Source>();
  for (const source of all.toSorted((one, other) => (other.relevance ?? 0) - (one.relevance ?? 0))) {
    const key = `${source.url ?? ""} ${source.title} ${source.excerpt ?? ""}`;
    if (!byAddress.has(key)) byAddress.set(key, source);
  }
  return [...byAddress.values()].slice(0, maxFound);
}

/** Below an answer that says that it doesn't know. Anyone who may ask that agent there may press it. */
export function found(view: TurnView): readonly Action[] {
  if (view.grade !== "nothing" || foundSources(view).length === 0) return [];
  return [{ id: "found", label: "Show what was found", value: view.turnId, style: "plain" }];
}

/** Below an answer that nobody asked for. Anyone who may ask that agent there may press it. */
export function notForYou(view: TurnView, isUnasked: true | undefined): readonly Action[] {
  if (isUnasked === undefined) return [];
  return [{ id: "not-for-you", label: "Not for you", value: view.turnId, style: "plain" }];
}

export function csv(view: TurnView): readonly Action[] {
  return csvTables(view).length === 0 ? [] : [{ id: "csv", label: "Get CSV", value: view.turnId, style: "plain" }];
}

export function asChart(view: TurnView): Action {
  return { id: "chart", label: labels.chart, value: view.turnId, style: "plain" };
}

export function asTable(view: TurnView): Action {
  return { id: "table", label: "Table", value: view.turnId, style: "plain" };
}

export function newTopic(view: TurnView): Action {
  return { id: "new-topic", label: "New topic", value: view.turnId, style: "plain" };
}

export function thumbs({ turnId: value }: TurnView): readonly Action[] {
  const { thumbUp, thumbUpSpoken, thumbDown, thumbDownSpoken } = labels;
  return [
    { id: "thumb-up", label: thumbUp, accessibleLabel: thumbUpSpoken, value, style: "plain" },
    { id: "thumb-down", label: thumbDown, accessibleLabel: thumbDownSpoken, value, style: "plain" },
  ];
}

/** The tables for Get CSV: the answer's own, else those written in it, else those that tools returned. */
export function csvTables(view: TurnView): readonly Table[] {
  if (view.answerTable !== undefined && view.answerTable.rows.length > 0) return [view.answerTable];
  const searched = (view.answer ?? "").slice(0, maxSearchedChars);
  const written = markdownBlocks(searched).flatMap((block) => (block.kind === "table" ? [block.table] : []));
  return written.length > 0 ? written : view.tables.filter((table) => table.rows.length > 0);
}
