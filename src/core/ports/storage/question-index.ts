/** The port to the index of questions: finds stored questions that share words with a new one, among tens of thousands. */

/**
 * What grouping compares of a question. Questions of one meaning have the same `anchors` (numbers, names, negation, …)
 * and share most of their `terms`.
 */
export type QuestionForm = {
  readonly anchors: string;
  /** Each once, at most 24, those first that few questions have. */
  readonly terms: readonly string[];
  /** How much is said in all; close to equal in questions of one meaning. A whole number. */
  readonly size: number;
};

export type IndexedQuestion = QuestionForm & { readonly id: string };

/** What a question must have to be found. */
export type QuestionBounds = {
  /** Number of terms that are shared. */
  readonly least: number;
  readonly minSize: number;
  readonly maxSize: number;
};

export type QuestionIndex = {
  /** Adds a question, or replaces the one with its id. Durable when it resolves. */
  readonly put: (scope: string, question: IndexedQuestion) => Promise<void>;
  /** Deleting what isn't there succeeds. */
  readonly delete: (scope: string, id: string) => Promise<void>;
  /**
   * Questions of that scope with the same anchors and within the bounds, sorted by id; of too many the first
   * `maxFoundQuestions`. Some with fewer shared terms may be among them.
   */
  readonly sharing: (scope: string, form: QuestionForm, bounds: QuestionBounds) => Promise<readonly IndexedQuestion[]>;
};

/** More would cost more than a lookup may take. */
export const maxFoundQuestions = 500;

/** More combinations would cost more than they leave out. */
const maxCombinations = 10;

/**
 * Combinations of terms of which every question within the bounds has at least one whole. A question that shares `least` of n
 * terms shares k of any n - least + k of them, so the terms that most questions have need not be read. The longer the
 * combinations, the fewer questions have one without sharing enough.
 */
export function neededTerms({ terms }: QuestionForm, { least }: QuestionBounds): readonly (readonly string[])[] {
  const spare = terms.length - least;
  let size = Math.min(2, least);
  while (size < least && combinationCount(spare + size + 1, size + 1) <= maxCombinations) size += 1;
  return combinationsOf(terms.slice(0, spare + size), size);
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
