/** Whether an answer still rests on an added row, as its proof tested it. Pure. */
import type { AddedAnswer, CheckResult } from "../../core/model/insight.ts";
import type { TurnView } from "../../core/model/turn.ts";
import { isOfAnswer } from "../trials/trial.ts";

export function resultOf(view: TurnView, answer: Pick<AddedAnswer, "id" | "question">): CheckResult {
  if (view.sources.some((source) => isOfAnswer(source, answer))) return "held";
  return view.grade === "nothing" || view.sources.length === 0 ? "no-source" : "other-source";
}
