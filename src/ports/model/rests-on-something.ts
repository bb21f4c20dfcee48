/** Whether an answer rests on a source or on rows. The one test of it. */
import type { TurnView } from "./turn.ts";

export function restsOnSomething(view: TurnView): boolean {
  return view.state === "answered" && (view.sources.length > 0 || hasRows(view));
}

export function hasRows({ answerTable, tables }: Pick<TurnView, "answerTable" | "tables">): boolean {
  return [...(answerTable === undefined ? [] : [answerTable]), ...tables].some(({ rows }) => rows.length > 0);
}
