/** Whether an answer still rests on an added row, as its proof tested it. Pure. */
import type { AddedAnswer, CheckResult } from "../../ports/model/insight.ts";
import { restsOnSomething } from "../../ports/model/rests-on-something.ts";
import type { TurnView } from "../../ports/model/turn.ts";
import { isOfAnswer } from "../trials/trial.ts";

export function resultOf(view: TurnView, answer: Pick<AddedAnswer, "id" | "question">): CheckResult {
  if (view.sources.some((source) => isOfAnswer(source, answer))) return "held";
  return restsOnSomething(view) ? "other-source" : "no-source";
}
