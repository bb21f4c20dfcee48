/**
 * How much a view holds: it lives as long as its Turn and is stored with it, and a tool's output can have 8 MB. What is
 * kept is copied, so that it shares no memory with what it was cut from.
 */

import type { Outcome, Source, Table } from "../../core/model/turn.ts";
import { ownCopy, truncate } from "../conversation/truncate.ts";

/** Of one observation, for Show steps. */
const maxObservationChars = 20_000;
/** Of all observations of a run; later ones only keep their beginning. */
const maxObservationsChars = 400_000;
const minObservationChars = 500;
/**
 * Of a question, which the Turn stores whole: the drawing shows 300 characters, and the view lives while the question
 * waits.
 */
const maxQuestionChars = 600;
/** The most that 10 messages and a file can hold; a longer answer is cut, and says so. */
const maxAnswerChars = 1_000_000;
const maxTables = 20;
/** Of the cells of one table, and of all tables of a run. */
const maxTableChars = 500_000;
const maxTablesChars = 1_000_000;
/** Sources during a run; at its end only the best ones stay. */
const maxSourcesHeard = 100;
/** Passages of one step, for Show steps. */
const maxStepSources = 10;
/** Of all steps of a run. */
const maxStepsSources = 200;
const maxTitleChars = 300;
const maxUrlChars = 2_000;
const maxNames = 100;
const maxNameChars = 200;
/** Sources under an answer. More would bury it; the steps still hold all of them. */
const maxSources = 8;
/** Passages much weaker than the best one were found, but the answer is not based on them. */
const minRelevanceShare = 0.5;

/** The best sources; see minRelevanceShare. */
export function selectSources(found: readonly Source[]): readonly Source[] {
  const sources = mostRelevant(found);
  const best = sources.reduce((most, source) => Math.max(most, source.relevance ?? 0), 0);
  return sources
    .filter((source) => source.relevance === undefined || source.relevance >= best * minRelevanceShare)
    .slice(0, maxSources);
}

/** Cuts the next observation; `keptBefore` is the length of all earlier ones. */
export function keptObservation(observation: string, keptBefore: number) {
  const room = Math.max(minObservationChars, Math.min(maxObservationChars, maxObservationsChars - keptBefore));
  const kept = truncate(observation, room);
  return {
    observation: kept,
    observationOmittedChars: kept.length === observation.length ? undefined : observation.length - kept.length,
  };
}

export function keptQuestion(text: string) {
  if (text.length <= maxQuestionChars) return { question: text };
  const question = truncate(text, maxQuestionChars);
  return { question, questionOmittedChars: text.length - question.length };
}

export function keptAnswer(text: string) {
  if (text.length <= maxAnswerChars) return { answer: text };
  const answer = truncate(text, maxAnswerChars);
  return { answer, answerOmittedChars: text.length - answer.length };
}

/**
 * The answer with its next piece. Joined strings are only copied when they are read, so a piece costs the same however
 * long the answer is.
 */
export function withPiece(
  { answer = "", answerOmittedChars }: { readonly answer?: string; readonly answerOmittedChars?: number },
  piece: string,
) {
  const room = answerOmittedChars === undefined ? maxAnswerChars - answer.length : 0;
  if (piece.length <= room) return { answer: answer + piece };
  const kept = truncate(piece, room);
  return { answer: answer + kept, answerOmittedChars: (answerOmittedChars ?? 0) + piece.length - kept.length };
}

export function keptOutcome(outcome: Outcome): Outcome {
  if (outcome.kind !== "names") return outcome;
  return { kind: "names", names: outcome.names.slice(0, maxNames).map((name) => truncate(name, maxNameChars)) };
}

/** The first rows that fit; undefined when not even the header does. */
export function keptTable(table: Table, maxChars = maxTableChars): Table | undefined {
  let chars = charsOf(table.columns);
  if (chars > maxChars) return undefined;
  const fits = table.rows.findIndex((cells) => {
    chars += charsOf(cells);
    return chars > maxChars;
  });
  const rows = fits < 0 ? table.rows : table.rows.slice(0, fits);
  const omittedRows = (table.omittedRows ?? 0) + table.rows.length - rows.length;
  return ownCopy({ columns: table.columns, rows, omittedRows: omittedRows === 0 ? undefined : omittedRows });
}

/** Adds the table if there is room for it. */
export function withTable(tables: readonly Table[], table: Table | undefined): readonly Table[] {
  if (table === undefined || tables.length >= maxTables) return tables;
  const chars = tables.reduce((sum, known) => sum + tableChars(known), 0);
  const kept = keptTable(table, Math.min(maxTableChars, maxTablesChars - chars));
  return kept === undefined || (kept.rows.length === 0 && table.rows.length > 0) ? tables : [...tables, kept];
}

/** Adds these; beyond the limit the most relevant stay, one per URL. */
export function withSources(known: readonly Source[], found: readonly Source[]): readonly Source[] {
  if (found.length === 0) return known;
  const all = [...known, ...found];
  const best = all.length <= maxSourcesHeard ? all : mostRelevant(all).slice(0, maxSourcesHeard);
  return best.map((source) => (known.includes(source) ? source : keptSource(source)));
}

/** The best passages of one step; `keptBefore` is the number of all earlier ones. Several may be of one document. */
export function keptStepSources(
  found: readonly Source[],
  keptBefore: number,
): { readonly sources?: readonly Source[] } {
  const room = Math.min(maxStepSources, maxStepsSources - keptBefore);
  if (found.length === 0 || room <= 0) return {};
  const best = [...found].sort((a, b) => (b.relevance ?? 0) - (a.relevance ?? 0));
  return { sources: best.slice(0, room).map(keptSource) };
}

/** One entry per added answer, URL or title, most relevant first; in the original order where relevance is unknown. */
function mostRelevant(found: readonly Source[]): readonly Source[] {
  const byKey = new Map<string, Source>();
  for (const source of found) {
    const key = source.rowId ?? source.url ?? source.title;
    const known = byKey.get(key);
    if (known === undefined || (source.relevance ?? 0) > (known.relevance ?? 0)) byKey.set(key, source);
  }
  return [...byKey.values()].sort((a, b) => (b.relevance ?? 0) - (a.relevance ?? 0));
}

function keptSource(source: Source): Source {
  const { title: whole, url, ...rest } = source;
  const title = truncate(whole, maxTitleChars);
  // A truncated URL leads elsewhere.
  return ownCopy({ title, ...(url === undefined || url.length > maxUrlChars ? {} : { url }), ...rest });
}

function tableChars(table: Table): number {
  return charsOf(table.columns) + table.rows.reduce((sum, cells) => sum + charsOf(cells), 0);
}

/** An empty cell costs something too. */
function charsOf(cells: readonly string[]): number {
  return cells.reduce((sum, cell) => sum + cell.length + 8, 0);
}
