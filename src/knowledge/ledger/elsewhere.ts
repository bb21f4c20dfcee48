/**
 * Counts the rows of a knowledge base that are not in the ledger. They are from before there was one, from links that the
 * service's own crawler followed, or put in without Parley. The service lists them slowly, so the count is remembered and renewed in the
 * background.
 */
import type { Named } from "../../ports/access.ts";
import type { AgentService } from "../../ports/agent-service.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Ledger } from "../../ports/content/ledger.ts";
import { toParleyError } from "../../ports/errors.ts";
import type { Log } from "../../ports/log.ts";
import type { KeyValue } from "../../ports/state.ts";
import { crawledUrl } from "./crawled-url.ts";

export type ElsewhereCount = {
  readonly rows: number;
  /** The service may have more than it listed. */
  readonly isAtLeast: boolean;
  readonly atMs: number;
};

export type Elsewhere = {
  /** What was counted last, at once; undefined until it was counted. */
  readonly of: (base: Named) => Promise<ElsewhereCount | undefined>;
  /** Resolves when nothing is being counted. */
  readonly settled: () => Promise<void>;
};

/** Passages listed at most. */
const maxListed = 10_000;
/** The built-in service lists no more passages than this. */
const fewestCut = 1_000;
const freshMs = 60_000;
const keptMs = 24 * 60 * 60_000;

export function createElsewhere(options: {
  readonly service: Pick<AgentService, "listDocuments">;
  readonly ledger: Pick<Ledger, "allRowIds" | "page" | "deleteBase">;
  /** Namespace "ledger-counts". */
  readonly counts: KeyValue<ElsewhereCount>;
  readonly clock: Clock;
  readonly log: Log;
}): Elsewhere {
  const { service, ledger, counts, clock, log } = options;
  const running = new Map<string, Promise<void>>();
  const keyOf = ({ project, name }: Named) => `${encodeURIComponent(project)}/${encodeURIComponent(name)}`;

  async function count(base: Named): Promise<void> {
    const listed = await service.listDocuments(base.project, base.name, maxListed);
    const known = await ledger.allRowIds(base);
    // The list shows them by URL.
    const { documents } = await ledger.page(base, 0, Number.MAX_SAFE_INTEGER);
    const crawled = new Set(
      documents.flatMap(({ way, url }) => (way === "service" && url !== undefined ? [crawledUrl(url)] : [])),
    );
    const isCrawled = (url: string | undefined) => url !== undefined && crawled.has(crawledUrl(url));
    const rows = listed.filter(({ id, url }) => !known.has(id) && !isCrawled(url)).length;
    await counts.set(keyOf(base), { rows, isAtLeast: listed.length >= fewestCut, atMs: clock.now() }, keptMs);
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
