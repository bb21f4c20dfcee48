/**
 * Completes the sources of an answer by the ledger, which knows when Parley last read each of them, and names the people
 * who added answers. It also knows the
 * whole URL and a title where the service's own crawler kept neither: 25.x stores URLs without the slash at their end,
 * which is another page on some sites.
 */
import type { Named } from "../../core/access.ts";
import { type AnswerStore, answerRowId } from "../../core/content/answering.ts";
import type { Ledger, LedgerDocument } from "../../core/content/ledger.ts";
import type { AddedAnswer } from "../../core/model/insight.ts";
import type { Source } from "../../core/model/turn.ts";
import type { Clock } from "../../core/ports/clock.ts";
import { withTimeout } from "../../core/tools/timeout.ts";
import type { BasesOf } from "./agent-bases.ts";
import { documentId } from "./document-id.ts";

/** Never rejects, and never holds an answer up. */
export type DateSources = (agent: Named, sources: readonly Source[]) => Promise<readonly Source[]>;

const maxBases = 20;
const patienceMs = 500;

export function createSourceDates(options: {
  readonly ledger: Pick<Ledger, "get">;
  readonly answers: Pick<AnswerStore, "get" | "named">;
  readonly basesOf: BasesOf;
  readonly clock: Clock;
}): DateSources {
  const { ledger, answers, basesOf, clock } = options;

  async function completed(source: Source, bases: readonly Named[]): Promise<Source> {
    const { rowId } = source;
    if (rowId !== undefined)
      return withAuthor(source, await answersOf(bases, (base) => answers.get(base, idOf(rowId))));
    const page = await dated(source, bases);
    // What the ledger knows as a page isn't the answer that links to it.
    const name = nameOf(source);
    if (page !== source || name === undefined) return page;
    return withAuthor(source, await answersOf(bases, (base) => answers.named(base, name)));
  }

  async function answersOf(
    bases: readonly Named[],
    find: (base: Named) => Promise<AddedAnswer | undefined>,
  ): Promise<readonly AddedAnswer[]> {
    return (await Promise.all(bases.map(find))).filter((answer) => answer !== undefined);
  }

  /** The same source if there is nothing to say. */
  async function dated(source: Source, bases: readonly Named[]): Promise<Source> {
    const { url } = source;
    if (url === undefined) return source;
    const exact = await documentsOf(url, bases);
    if (exact.length > 0) return { ...source, ...titleOf(source, exact), updatedAtMs: newestOf(exact) };
    const slashed = url.endsWith("/") ? [] : await documentsOf(`${url}/`, bases);
    const crawled = slashed.filter(({ way }) => way === "service");
    if (crawled.length === 0) return source;
    return { ...source, ...titleOf(source, crawled), url: `${url}/`, updatedAtMs: newestOf(crawled) };
  }

  async function documentsOf(url: string, bases: readonly Named[]): Promise<readonly LedgerDocument[]> {
    const id = documentId({ kind: "url", url });
    const known = await Promise.all(bases.map((base) => ledger.get(base, id)));
    return known.filter((document) => document !== undefined);
  }

  return async (agent, sources) => {
    if (sources.length === 0) return sources;
    const work = async () => {
      const bases = (await basesOf(agent)).slice(0, maxBases);
      return Promise.all(sources.map((source) => completed(source, bases)));
    };
    return (await withTimeout(work(), patienceMs, clock)) ?? sources;
  };
}

/** The newest, if it is in several of the bases. */
function withAuthor(source: Source, found: readonly AddedAnswer[]): Source {
  const [newest] = found.toSorted((one, other) => other.atMs - one.atMs);
  if (newest === undefined) return source;
  const { by, atMs, row } = newest;
  const isNamed = source.title !== "" && source.title !== answerRowId(newest.id);
  return {
    ...source,
    ...(isNamed || row === undefined ? {} : row),
    updatedAtMs: atMs,
    addedBy: { name: by.name, atMs },
  };
}

/** Some agents read the content alone, which begins with the question that the row is named after. */
function nameOf({ title, url, excerpt = "" }: Source): Pick<Source, "title" | "url"> | undefined {
  if (title !== "" || url !== undefined) return { title, url };
  const [question = ""] = excerpt.split("\n\n", 1);
  return question === "" ? undefined : { title: question };
}

/** The id of the answer that a row was made of. */
function idOf(rowId: string): string {
  return rowId.slice(answerRowId("").length);
}

function newestOf(documents: readonly LedgerDocument[]): number {
  return Math.max(...documents.map(({ readAtMs }) => readAtMs));
}

/** Nothing if the service gives the source a title of its own. */
function titleOf({ title, url }: Source, [document]: readonly LedgerDocument[]): { readonly title?: string } {
  return title !== url || document === undefined || document.title === "" ? {} : { title: document.title };
}
