/** The answer without a model: quoted messages and passages, or why there is nothing to quote. */
import { bestMessages, quoteMessages, readMessages } from "./about.ts";
import {
  answerFrom,
  emptyKnowledgeBase,
  noKnowledgeBase,
  nothingAsked,
  nothingFound,
  sureRelevance,
} from "./answer.ts";
import type { FoundPassage, PassageSearch } from "./passage-search.ts";
import type { Search } from "./question.ts";

export type Quotable = {
  readonly search: Search;
  /** The agent's existing knowledge bases. */
  readonly bases: readonly { readonly id: number; readonly name: string }[];
  /** Names of its knowledge bases that don't exist. */
  readonly missing: readonly string[];
  readonly passages: PassageSearch;
};

/** Parts of a page count, and are then listed once. */
const topicsRead = 40;

export function createQuotation({ search, bases, missing, passages }: Quotable) {
  const quoted = bestMessages(readMessages(search.context), search);

  return {
    /** Beside quoted messages, a passage that only mentions the words says nothing. */
    leastRelevance: quoted.length > 0 ? sureRelevance : 0,
    /** Whether there are words of documents or messages to quote. */
    canQuote: (found: readonly FoundPassage[]) => quoted.length > 0 || found.length > 0,
    answer: (found: readonly FoundPassage[]): string => {
      const ranked = mostRelevantFirst(found);
      if (quoted.length > 0) {
        const fromDocuments = ranked.length > 0 ? [answerFrom({ ...passages, passages: ranked })] : [];
        return [quoteMessages(quoted), ...fromDocuments].join("\n\n---\n\n");
      }
      if (bases.length === 0) return noKnowledgeBase(missing);
      const topics = passages.topics(
        bases.map((base) => base.id),
        topicsRead,
      );
      if (ranked.length > 0) return answerFrom({ ...passages, passages: ranked });
      if (search.terms.length === 0) return nothingAsked(topics);
      const names = bases.map((base) => base.name);
      const isEmpty = bases.every((base) => passages.list(base.id, 1).length === 0);
      return isEmpty ? emptyKnowledgeBase(names) : nothingFound(names, topics);
    },
  };
}

export function mostRelevantFirst(found: readonly FoundPassage[]): readonly FoundPassage[] {
  return found.toSorted((a, b) => (b.relevance ?? 0) - (a.relevance ?? 0));
}
