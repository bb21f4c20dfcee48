/** Decides whether two questions mean the same, from their forms alone: without a model and the same everywhere. */
import {
  type IndexedQuestion,
  type QuestionForm,
  readTerm,
  type Term,
  type TermKind,
  weightAlone,
  weightOf,
} from "./terms.ts";

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

/** The one most like it, the smallest id first where several are; undefined if none means the same. */
export function mostAlike<Q extends IndexedQuestion>(form: QuestionForm, stored: Iterable<Q>): Q | undefined {
  let best: { readonly question: Q; readonly score: number } | undefined;
  for (const question of stored) {
    const score = likeness(form, question);
    if (score === 0) continue;
    const isBetter =
      best === undefined || score > best.score || (score === best.score && question.id < best.question.id);
    if (isBetter) best = { question, score };
  }
  return best?.question;
}

/** Words by which a stored question is found: questions of one meaning have the same anchors and close to one size. */
export function wordsOf(form: QuestionForm): readonly string[] {
  const step = stepOf(sizeOf(form));
  return form.terms.map((term) => wordOf(form, step, term));
}

/**
 * Lists of such words: every question that means the same has all words of at least one list. Others may have them too.
 */
export function wordsToFind(form: QuestionForm): readonly (readonly string[])[] {
  const size = sizeOf(form);
  // Rounding must not leave one out.
  const first = stepOf(size * leastOfAddition - 1e-9);
  const last = stepOf(size / leastOfAddition + 1e-9);
  const steps = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  const needed = neededTerms(form.terms);
  return steps.flatMap((step) => needed.map((terms) => terms.map((term) => wordOf(form, step, term))));
}

const wordOf = ({ anchors }: QuestionForm, step: number, term: string) => `${anchors}\n${step}\n${term}`;

/** How much is said in all. */
const sizeOf = ({ terms }: QuestionForm): number => sum(terms.map((term) => weightOf(readTerm(term))));

/** Each step is a quarter more. */
const stepsPerDoubling = 3;

const stepOf = (size: number): number => Math.floor(stepsPerDoubling * Math.log2(Math.max(size, 0.1)));

/** More combinations would cost more than they leave out. */
const maxCombinations = 10;

/**
 * Combinations of terms of which every question that means the same has at least one whole. A question that shares `least`
 * of n terms shares k of any n - least + k of them, so the terms that most questions have need not be read. The longer the
 * combinations, the fewer questions have one without sharing enough.
 */
function neededTerms(terms: readonly string[]): readonly (readonly string[])[] {
  const least = leastShared(terms);
  const spare = terms.length - least;
  let size = Math.min(2, least);
  while (size < least && combinationCount(spare + size + 1, size + 1) <= maxCombinations) size += 1;
  return combinationsOf(terms.slice(0, spare + size), size);
}

/** How many terms a question that means the same shares at least. */
function leastShared(terms: readonly string[]): number {
  const own = terms.map((term) => weightOf(readTerm(term))).sort((a, b) => b - a);
  const needed = leastOfAddition * sum(own);
  let reached = 0;
  let count = 0;
  // Rounding must not ask for one too many.
  while (reached < needed - 1e-9 && count < own.length) reached += own[count++] ?? 0;
  return Math.max(1, count);
}

function combinationCount(of: number, size: number): number {
  let count = 1;
  for (let chosen = 1; chosen <= size; chosen += 1) count = (count * (of - size + chosen)) / chosen;
  return count;
}

function combinationsOf(terms: readonly string[], size: number): readonly (readonly string[])[] {
  if (size === 0) return [[]];
  return terms.flatMap((term, index) =>
    combinationsOf(terms.slice(index + 1), size - 1).map((rest) => [term, ...rest]),
  );
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
