/** The index of questions: finds stored questions that share words with a new one, among tens of thousands. */
import { z } from "zod";
import type { Collection, CollectionDefinition, CollectionFactory } from "../../core/ports/collection.ts";

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

/** A wording of a gap. `scope`: the workspace and the agent whose gap it is. */
type StoredQuestion = IndexedQuestion & { readonly scope: string };
type Questions = Collection<StoredQuestion, "size">;

const text = z.string();

export const questionCollection: CollectionDefinition<StoredQuestion, "size"> = {
  holds: "Words of gaps, to find questions that mean the same",
  person: { kind: "gaps", erase: "delete" },
  // It goes with its gap.
  retain: { days: "RETENTION_DAYS" },
  isDerived: true,
  schema: z.looseObject({ scope: text, id: text, anchors: text, terms: z.array(text), size: z.int() }),
  fields: { size: ({ size }) => size },
  indexes: [],
  text: {
    of: ({ scope, anchors, terms }) => terms.map((term) => wordOf(scope, anchors, term)),
    order: "size",
    // Grouping has to find every one, and few are ever stored.
    newest: 1_000_000,
  },
};

export const questionsIn = ({ collection }: { readonly collection: CollectionFactory }): Questions =>
  collection("gap-wordings", questionCollection);

/** One word per scope, anchors and term, so that a search reads only questions that matter. */
const wordOf = (scope: string, anchors: string, term: string) => `${scope}\n${anchors}\n${term}`;
const keyOf = (scope: string, id: string) => `${scope}/${id}`;

/** Adds a question, or replaces the one with its id. */
export const putQuestion = (questions: Questions, scope: string, question: IndexedQuestion): Promise<void> =>
  questions.put(keyOf(scope, question.id), { scope, ...question });

export const deleteQuestion = (questions: Questions, scope: string, id: string): Promise<void> =>
  questions.delete(keyOf(scope, id));

/**
 * Questions of that scope with the same anchors and within the bounds; of too many the smallest. Some with fewer shared
 * terms may be among them.
 */
export async function sharing(
  questions: Questions,
  scope: string,
  form: QuestionForm,
  bounds: QuestionBounds,
): Promise<readonly IndexedQuestion[]> {
  const words = neededTerms(form, bounds).map((terms) => terms.map((term) => wordOf(scope, form.anchors, term)));
  const sizes = { from: bounds.minSize, until: bounds.maxSize + 1 };
  const { entries } = await questions.query({ order: "size", ...sizes, isAscending: true, words }, maxFoundQuestions);
  return entries.map(({ record: { id, anchors, terms, size } }) => ({ id, anchors, terms, size }));
}

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
