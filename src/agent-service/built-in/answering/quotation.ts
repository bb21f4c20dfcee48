/** The answer without a model: quoted messages and the sections that answer, or one line where nothing does. */
import { docsBaseName } from "../storage/records.ts";
import { bestMessages, quoteMessages, readMessages } from "./about.ts";
import { answerFrom, quoteTable, sourceKey } from "./answer.ts";
import { type Finding, findAnswers } from "./finding.ts";
import type { FoundPassage, PassageSearch } from "./passage-search.ts";
import type { Exchange, Search } from "./question.ts";
import { refusals } from "./refusals.ts";
import type { AnsweringTable } from "./tables/table-answers.ts";

export type Quotable = {
  readonly search: Search;
  readonly messages: readonly Exchange[];
  /** The agent's existing knowledge bases. */
  readonly bases: readonly { readonly id: number; readonly name: string }[];
  /** Names of its knowledge bases that don't exist. */
  readonly missing: readonly string[];
  readonly passages: PassageSearch;
};

export type Quoted = {
  readonly text: string;
  /** `sure`: a section answers. `unsure`: something was found that may not. */
  readonly grade: "sure" | "unsure" | "nothing";
  /** What it rests on, best first; if it isn't sure, what was found. */
  readonly passages: readonly FoundPassage[];
};

/** Most passages of one knowledge base: nobody opens more sources. */
const maxPassages = 5;

export async function quotationOf({ search, messages, bases, missing, passages }: Quotable): Promise<Quoted> {
  const quoted = bestMessages(readMessages(search.context), search);
  const answering: FoundPassage[] = [];
  const others: FoundPassage[] = [];
  const tables: AnsweringTable[] = [];
  for (const base of search.terms.length === 0 ? [] : bases) {
    const found = await findAnswers(passages, base, search);
    answering.push(...(search.asksForMore ? unseen(found, messages) : found.answering).slice(0, maxPassages));
    if (found.table !== undefined) tables.push(found.table);
    others.push(...found.others.slice(0, maxPassages));
  }
  const ranked = mostRelevantFirst(answering);
  const table = tables.find(({ isWorkedOut }) => isWorkedOut) ?? (ranked.length === 0 ? tables[0] : undefined);
  if (quoted.length > 0) {
    const fromDocuments = ranked.length > 0 ? [answerFrom({ ...passages, passages: ranked })] : [];
    return { text: [quoteMessages(quoted), ...fromDocuments].join("\n\n---\n\n"), grade: "sure", passages: ranked };
  }
  if (table !== undefined) {
    return { text: quoteTable(table), grade: "sure", passages: [{ ...table.passage, relevance: 1 }] };
  }
  if (ranked.length > 0)
    return { text: answerFrom({ ...passages, passages: ranked }), grade: "sure", passages: ranked };
  if (bases.length === 0) return { text: refusals.noKnowledgeBase(missing), grade: "nothing", passages: [] };
  if (search.terms.length === 0) return { text: refusals.noQuestion, grade: "nothing", passages: [] };
  const names = bases.map((base) => base.name);
  if (bases.every((base) => passages.list(base.id, 1).length === 0)) {
    return { text: refusals.empty(names), grade: "nothing", passages: [] };
  }
  const text = refusals.nothingFound(
    names,
    names.some((name) => name !== docsBaseName),
  );
  return { text, grade: others.length > 0 ? "unsure" : "nothing", passages: mostRelevantFirst(others) };
}

/** Clients list sources by relevance, across knowledge bases. */
function mostRelevantFirst(found: readonly FoundPassage[]): readonly FoundPassage[] {
  return found.toSorted((a, b) => (b.relevance ?? 0) - (a.relevance ?? 0));
}

/** For "tell me more": what the previous answer didn't quote, even if it only has words of the question. */
function unseen({ answering, others }: Finding, messages: readonly Exchange[]): readonly FoundPassage[] {
  const before = messages.at(-2)?.answer ?? "";
  const all = [...answering, ...others];
  const fresh = all.filter((hit) => !before.includes(`(${sourceKey(hit)})** [`));
  return fresh.length > 0 ? fresh : answering;
}
