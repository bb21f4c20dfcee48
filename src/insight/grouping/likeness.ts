/** Decides whether two questions mean the same, from their forms alone. */
import type { QuestionForm } from "./question-index.ts";
import { readTerm } from "./terms.ts";
import { type Term, type TermKind, weightAlone, weightOf } from "./weights.ts";

/** One question says what the other one says, and more. */
const leastOfAddition = 0.7;
/** Each says something that the other one doesn't. */
const leastOfSubstitution = 0.75;
/** Words that most questions have mean the same only together. */
const leastExact = 0.9;

/** Time that is named must be the same time. */
const times: ReadonlySet<string> = new Set(["current", "coming", "past"]);

/** 0: they differ. Else how much of them is the same, up to 1. Symmetric. */
export function likeness(one: QuestionForm, other: QuestionForm): number {
  if (one.anchors !== other.anchors) return 0;
  const terms = one.terms.map(readTerm);
  const others = other.terms.map(readTerm);
  if (isContrary(terms, others)) return 0;
  const known = new Set(other.terms);
  const own = new Set(one.terms);
  const isShared = (_: Term, index: number) => known.has(one.terms[index] ?? "");
  const shared = sum(terms.filter(isShared).map(weightOf));
  const onlyOne = sum(terms.filter((term, index) => !isShared(term, index)).map(weightAlone));
  const onlyOther = sum(others.filter((_, index) => !own.has(other.terms[index] ?? "")).map(weightAlone));
  if (shared === 0) return 0;
  const score = shared / (shared + onlyOne + onlyOther);
  const isExact = terms.some(({ kind }) => kind === "exact");
  const isSubstitution = onlyOne >= 1 && onlyOther >= 1;
  const least = isExact ? leastExact : isSubstitution ? leastOfSubstitution : leastOfAddition;
  return score >= least ? score : 0;
}

/** What an index needs to leave out what can't mean the same: the least number of shared terms, and the sizes. */
export function boundsOf({ terms, size }: QuestionForm) {
  const own = terms.map((term) => weightOf(readTerm(term))).sort((a, b) => b - a);
  const needed = leastOfAddition * sum(own);
  let reached = 0;
  let count = 0;
  // Rounding must not ask for one too many.
  while (reached < needed - 1e-9 && count < own.length) reached += own[count++] ?? 0;
  return {
    least: Math.max(1, count),
    minSize: Math.floor(size * leastOfAddition),
    maxSize: Math.ceil(size / leastOfAddition),
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function isContrary(one: readonly Term[], other: readonly Term[]): boolean {
  const names = (terms: readonly Term[], kind: TermKind) =>
    new Set(terms.filter((term) => term.kind === kind).map(({ name }) => name));
  const [actions, otherActions] = [names(one, "action"), names(other, "action")];
  if (actions.size > 0 && otherActions.size > 0 && actions.isDisjointFrom(otherActions)) return true;
  const [concepts, otherConcepts] = [names(one, "concept"), names(other, "concept")];
  if (concepts.has("who") !== otherConcepts.has("who")) return true;
  const [time, otherTime] = [concepts.intersection(times), otherConcepts.intersection(times)];
  if (time.size > 0 && otherTime.size > 0 && time.isDisjointFrom(otherTime)) return true;
  const orders = names(other, "order");
  return [...names(one, "order")].some((order) => orders.has(order.split(">").reverse().join(">")));
}
