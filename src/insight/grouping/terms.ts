/**
 * Collects what is found in a question: terms, anchors, what goes where, and how much each kind of term counts. Weights are
 * tuned on half of the questions in test/insight/grouping; see docs/questions.md.
 */

/**
 * What grouping compares of a question. Questions of one meaning have the same `anchors` (numbers, names, negation, …)
 * and share most of their `terms`.
 */
export type QuestionForm = {
  readonly anchors: string;
  /** Each once, at most 24, those first that few questions have. */
  readonly terms: readonly string[];
};

export type IndexedQuestion = QuestionForm & { readonly id: string };

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

/** The first character of a stored term is its kind. */
const marks: Readonly<Record<TermKind, string>> = {
  word: "w",
  weak: "v",
  concept: "c",
  action: "a",
  order: "o",
  exact: "x",
};
const kinds = new Map(Object.entries(marks).map(([kind, mark]) => [mark, kind as TermKind]));

const maxTerms = 24;

function storedTerm({ kind, name }: Term): string {
  return `${marks[kind]}${name}`;
}

export function readTerm(stored: string): Term {
  return { kind: kinds.get(stored.slice(0, 1)) ?? "word", name: stored.slice(1) };
}

export type Terms = ReturnType<typeof createTerms>;

export function createTerms() {
  const terms = new Map<string, Term>();
  const anchors = new Set<string>();
  return {
    add: (term: Term) => {
      if (terms.size < maxTerms) terms.set(storedTerm(term), term);
    },
    anchor: (anchor: string) => void anchors.add(anchor),
    /** Takes the anchor back; false if it wasn't there. */
    unless: (anchor: string) => anchors.delete(anchor),
    has: (term: Term) => terms.has(storedTerm(term)),
    delete: (term: Term) => void terms.delete(storedTerm(term)),
    /** Neither a subject nor an anchor: "how does it work?" */
    isEmpty: () => anchors.size === 0 && ![...terms.values()].some(({ kind }) => kind !== "weak"),
    form: (): QuestionForm => {
      const found = [...terms.values()];
      // A question about one thing never means the same as one about two.
      if (found.filter((term) => weightOf(term) >= 1).length === 1) anchors.add("one");
      return { anchors: [...anchors].sort().join(" "), terms: found.sort(byRarity).map(storedTerm) };
    },
  };
}

const commonness: Readonly<Record<TermKind, number>> = { exact: 0, word: 1, concept: 2, action: 3, order: 4, weak: 5 };

/** Long words are rarer than short ones, as far as can be told without counting. */
function byRarity(one: Term, other: Term): number {
  const difference = commonness[one.kind] - commonness[other.kind] || other.name.length - one.name.length;
  return difference || (one.name < other.name ? -1 : 1);
}
