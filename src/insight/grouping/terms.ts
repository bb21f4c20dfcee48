/** Collects what is found in a question: terms, anchors, and what goes where. */
import type { QuestionForm } from "./question-index.ts";
import { type Term, type TermKind, weightOf } from "./weights.ts";

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
      const size = Math.round(10 * found.reduce((total, term) => total + weightOf(term), 0));
      return { anchors: [...anchors].sort().join(" "), terms: found.sort(byRarity).map(storedTerm), size };
    },
  };
}

const commonness: Readonly<Record<TermKind, number>> = { exact: 0, word: 1, concept: 2, action: 3, order: 4, weak: 5 };

/** Long words are rarer than short ones, as far as can be told without counting. */
function byRarity(one: Term, other: Term): number {
  const difference = commonness[one.kind] - commonness[other.kind] || other.name.length - one.name.length;
  return difference || (one.name < other.name ? -1 : 1);
}
