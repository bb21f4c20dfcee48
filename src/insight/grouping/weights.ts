/** How much each kind of term counts. Tuned on half of the questions in test/insight/grouping; see docs/questions.md. */

/**
 * weak: in most questions in some form. concept: of a table of synonyms. action: what is done; two different ones never
 * mean the same. order: "a>b", from a to b.
 */
export type TermKind = "word" | "weak" | "concept" | "action" | "order" | "exact";

export type Term = { readonly name: string; readonly kind: TermKind };

const weights: Readonly<Record<TermKind, number>> = {
  word: 1,
  concept: 1,
  action: 1,
  exact: 1,
  weak: 0.3,
  // Only refuses.
  order: 0,
};
/** Concepts that are often left out: "how much is the allowance", "the allowance". */
const lightConcepts: ReadonlySet<string> = new Set(["amount", "current", "coming", "past"]);
const lightWeight = 0.5;
/** What is asked for, or done, distinguishes more than what it is about, if only one of the questions says it. */
const distinguishing: ReadonlySet<string> = new Set(["deadline", "cost", "duration", "frequency", "who", "when"]);
const actionAlone = 1.5;
const distinguishingAlone = 2;

/** In both questions. */
export function weightOf({ kind, name }: Term): number {
  return kind === "concept" && lightConcepts.has(name) ? lightWeight : weights[kind];
}

/** In one of them only: at least as much. */
export function weightAlone(term: Term): number {
  if (term.kind === "action") return actionAlone;
  return term.kind === "concept" && distinguishing.has(term.name) ? distinguishingAlone : weightOf(term);
}
