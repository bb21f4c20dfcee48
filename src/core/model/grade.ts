/** The one verdict on an answer. It is stored with the answer, and nothing else decides whether an answer is good. */
import { saysUnknown } from "../text/says-unknown.ts";
import { hasSilenceToken } from "../text/silence-token.ts";
import type { Grade, TurnView } from "./turn.ts";

export type GradeFacts = {
  /** Whether the agent can look something up. Undefined: unknown, which counts as no. */
  readonly hasKnowledge: boolean | undefined;
  /** Neither the answer nor its sources have enough words of the overheard line. */
  readonly isElsewhere?: boolean;
};

/** Of an answer that has ended. Pure. */
export function gradeOf(view: TurnView, { hasKnowledge, isElsewhere = false }: GradeFacts): Grade {
  const answer = view.answer ?? "";
  if (hasSilenceToken(answer) || view.ownGrade === "nothing") return "nothing";
  const isCut = view.isPartial || view.answerCut !== undefined;
  // It knows what its passages cover.
  if (view.ownGrade !== undefined) return isCut ? "unsure" : view.ownGrade;
  if (saysUnknown(answer)) return "nothing";
  const isEmpty = answer.trim() === "" && (view.answerTable?.rows.length ?? 0) === 0;
  if (isEmpty) return "nothing";
  if (isCut || isElsewhere) return "unsure";
  return restsOnSomething(view) || hasKnowledge !== true ? "sure" : "unsure";
}

function restsOnSomething(view: TurnView): boolean {
  return view.sources.length > 0 || hasRows(view);
}

export function hasRows({ answerTable, tables }: Pick<TurnView, "answerTable" | "tables">): boolean {
  return [...(answerTable === undefined ? [] : [answerTable]), ...tables].some(({ rows }) => rows.length > 0);
}
