/**
 * Compares a knowledge base with its ledger: counts the rows that Parley didn't put in, and marks documents whose rows
 * were removed without Parley. The service lists rows slowly, so the result is remembered and renewed in the background.
 */

import type { App } from "../../app.ts";
import type { Named } from "../../core/access.ts";
import type { Ledger, LedgerDocument } from "../../core/content/ledger.ts";
import { toParleyError } from "../../core/errors.ts";
import { ledgerSentences } from "../../presentation/sentences.ts";
import { crawledUrl } from "./crawled-url.ts";
import type { Keeping } from "./keeping.ts";

const says = {
  allGone: "no longer in the service. Refresh it, or add it again",
  partlyGone: "partly no longer in the service. Refresh it, or add it again",
};

export type ElsewhereCount = {
  readonly rows: number;
  /** The service may have more than it listed. */
  readonly isAtLeast: boolean;
  /** Documents of the ledger that the service lacks, wholly or in part. */
  readonly missing?: number;
  readonly atMs: number;
};

export type Elsewhere = {
  /** What was counted last, at once; undefined until it was counted. */
  readonly of: (base: Named) => Promise<ElsewhereCount | undefined>;
  /** Resolves when nothing is being counted. */
  readonly settled: () => Promise<void>;
};

/** The service lacks rows of that document, so reading the same text again must put it in again. */
export function isGone(problem: string | undefined): boolean {
  return problem === says.allGone || problem === says.partlyGone;
}

/** Passages listed at most. */
const maxListed = 10_000;
/** The built-in service lists no more passages than this. */
const builtInCut = 1_000;
const freshMs = 60_000;
const keptMs = 24 * 60 * 60_000;

export function createElsewhere(
  app: App,
  {
    ledger,
    keeping,
  }: {
    readonly ledger: Pick<Ledger, "allRowIds" | "deleteBase" | "page" | "rowIdsByDocument">;
    readonly keeping: Pick<Keeping, "amend">;
  },
): Elsewhere {
  const { service, clock, log } = app;
  const counts = app.state.keyValue<ElsewhereCount>("ledger-counts");
  const targetOf = ({ project, name }: Named) => ({ project, knowledgeBase: name });
  const running = new Map<string, Promise<void>>();
  const keyOf = ({ project, name }: Named) => `${encodeURIComponent(project)}/${encodeURIComponent(name)}`;

  async function count(base: Named): Promise<void> {
    // Before the list: what is put in meanwhile isn't missed in it.
    const { documents } = await ledger.page(base, 0, Number.MAX_SAFE_INTEGER);
    const rowIds = await ledger.rowIdsByDocument(base);
    const listed = await service.listDocuments(base.project, base.name, maxListed);
    const passages = listed.reduce((sum, document) => sum + (document.passages ?? 1), 0);
    const isWhole = passages < maxListed && passages !== builtInCut;
    const known = await ledger.allRowIds(base);
    // The list shows them by URL.
    const { documents: now } = await ledger.page(base, 0, Number.MAX_SAFE_INTEGER);
    const crawled = new Set(
      now.flatMap(({ way, url }) => (way === "service" && url !== undefined ? [crawledUrl(url)] : [])),
    );
    const isCrawled = (url: string | undefined) => url !== undefined && crawled.has(crawledUrl(url));
    const rows = listed.filter(({ id, url }) => !known.has(id) && !isCrawled(url)).length;
    const there = new Set(listed.map(({ id }) => id));
    const missing = isWhole ? await mark(base, documents, rowIds, there) : undefined;
    await counts.set(keyOf(base), { rows, isAtLeast: !isWhole, atMs: clock.now(), missing }, keptMs);
  }

  /** Notes at each document whether the service still has its rows. Resolves with the number that lack some. */
  async function mark(
    base: Named,
    documents: readonly LedgerDocument[],
    rowIds: ReadonlyMap<string, readonly string[]>,
    there: ReadonlySet<string>,
  ): Promise<number> {
    let missing = 0;
    for (const seen of documents) {
      const ids = rowIds.get(seen.id) ?? [];
      // Being put in right now, or read by the service itself.
      if (seen.problem === ledgerSentences.incomplete || ids.length === 0) continue;
      const left = ids.filter((id) => there.has(id)).length;
      const lacks = left === ids.length ? undefined : left === 0 ? says.allGone : says.partlyGone;
      if (lacks !== undefined) missing += 1;
      const isMarked = isGone(seen.problem);
      if (lacks === undefined ? !isMarked : seen.problem === lacks) continue;
      await keeping.amend(targetOf(base), [seen.id], new AbortController().signal, (document) => {
        if (document.readAtMs !== seen.readAtMs || document.problem !== seen.problem) return document;
        const { problem: _problem, ...rest } = document;
        return lacks === undefined ? rest : { ...rest, problem: lacks };
      });
    }
    return missing;
  }

  function begin(base: Named): void {
    const key = keyOf(base);
    if (running.has(key)) return;
    const counting = count(base)
      .catch(async (failure: unknown) => {
        const error = toParleyError(failure);
        // It was deleted without Parley: a new one of that name begins empty.
        if (error.code === "knowledge_base_not_found") await ledger.deleteBase(base);
        else log.debug({ err: error, knowledgeBase: key }, "Could not count the rows of a knowledge base");
      })
      .catch((err: unknown) => log.debug({ err, knowledgeBase: key }, "Could not forget a knowledge base"))
      .finally(() => running.delete(key));
    running.set(key, counting);
  }

  return {
    of: async (base) => {
      const known = await counts.get(keyOf(base));
      if (known === undefined || clock.now() - known.atMs > freshMs) begin(base);
      return known;
    },
    settled: async () => {
      await Promise.all(running.values());
    },
  };
}
