/**
 * Reads a document of the ledger again through Parley and replaces it if it changed. What can't be read stays as it is,
 * and the ledger says why. Every step can run twice, so a refresh continues after a crash.
 */

import type { Ledger, LedgerDocument } from "../../core/content/ledger.ts";
import type { JobItem, RefreshOutcome } from "../../core/model/job.ts";
import type { AgentService } from "../../core/ports/agent-service.ts";
import type { Clock } from "../../core/ports/clock.ts";
import { ledgerSentences, pageSentences } from "../../presentation/sentences.ts";
import { crawledUrl } from "../ledger/crawled-url.ts";
import { documentId } from "../ledger/document-id.ts";
import { isGone } from "../ledger/elsewhere.ts";
import { hashOf, type Keeping } from "../ledger/keeping.ts";
import type { Crawler } from "../pages/crawler.ts";
import { type Page, rowsOf } from "../pages/page-reader.ts";
import { ReadFailure } from "../pages/read-failure.ts";
import type { Destination, Errand, Inserting } from "./inserting.ts";
import { factsOf } from "./known-pages.ts";

export type RefreshWork = ReturnType<typeof createRefreshWork>;

type How = {
  /** A page that is gone is removed. Else it stays, and its person decides. */
  readonly removes: boolean;
  readonly onProgress: (patch: Partial<JobItem>) => void;
};

/** Passages listed to find what the service's own crawler read. */
const maxListed = 10_000;
/** How long one listing of the knowledge base is reused for the documents of a Job. */
const listedMs = 60_000;

export function createRefreshWork(options: {
  readonly service: Pick<AgentService, "profile" | "listDocuments">;
  readonly crawler: Crawler;
  readonly inserting: Inserting;
  readonly keeping: Pick<Keeping, "replaceAlone" | "amend" | "remove">;
  readonly ledger: Ledger;
  readonly clock: Clock;
}) {
  const { service, crawler, inserting, keeping, ledger, clock } = options;
  let listing: { readonly key: string; readonly atMs: number; readonly rows: ReturnType<typeof list> } | undefined;

  const baseOf = ({ project, knowledgeBase }: Destination) => ({ project, name: knowledgeBase });
  const idOf = (url: string) => documentId({ kind: "url", url });

  /** Rows with a URL. Empty if they can't be found out: the service then keeps an older copy. */
  async function list({ project, knowledgeBase }: Destination) {
    try {
      if (!(await service.profile()).urlSourcesSurvive) return [];
      return await service.listDocuments(project, knowledgeBase, maxListed);
    } catch {
      return [];
    }
  }

  /** The rows that the service's own crawler made of that URL, where it tells them. */
  async function rowsOfService(url: string, target: Destination): Promise<readonly string[]> {
    const key = `${target.project}/${target.knowledgeBase}`;
    const isNew = listing === undefined || listing.key !== key || clock.now() - listing.atMs > listedMs;
    if (isNew || listing === undefined) listing = { key, atMs: clock.now(), rows: list(target) };
    const found: string[] = [];
    for (const row of await listing.rows) {
      if (row.url === undefined || crawledUrl(row.url) !== crawledUrl(url)) continue;
      // "/docs" and "/docs/" may both be there, and the crawler calls both "/docs".
      const isOthers = row.url !== url && (await ledger.get(baseOf(target), idOf(row.url)))?.way === "service";
      if (!isOthers) found.push(row.id);
    }
    if (found.length === 0) return [];
    const known = await ledger.allRowIds(baseOf(target));
    return found.filter((id) => !known.has(id));
  }

  async function replace(page: Page, known: LedgerDocument | undefined, errand: Errand): Promise<void> {
    const { target, signal } = errand;
    const old = known === undefined || known.url === page.url ? undefined : known;
    await inserting.alone(target, signal, async (alone) => {
      await keeping.replaceAlone(factsOf(page), await rowsOf(page), alone, errand, known);
      if (known?.way === "service") await alone.delete(await rowsOfService(known.url ?? page.url, target));
      if (old === undefined) return;
      // It moved: the old rows go after the new ones are in.
      await alone.delete(await ledger.rowIds(baseOf(target), old.id));
      await ledger.delete(baseOf(target), old.id);
    });
  }

  async function taken(url: string, page: Page, errand: Errand): Promise<Partial<JobItem>> {
    const { target, signal } = errand;
    const isMoved = page.url !== url;
    if (isMoved && page.asksForPassword) throw new ReadFailure("unreadable", pageSentences.login, undefined, 401);
    const known = await ledger.get(baseOf(target), idOf(url));
    const successor = isMoved ? await ledger.get(baseOf(target), idOf(page.url)) : undefined;
    // After a crash its old entry may be gone already.
    if (known === undefined && successor === undefined) throw new ReadFailure("refused", "it was removed meanwhile");
    const { title } = page;
    if (isMoved) {
      await replace(page, known, errand);
      return { title, url: page.url, outcome: "moved" };
    }
    const isIncomplete = known?.problem === ledgerSentences.incomplete || isGone(known?.problem);
    const isWhole = known?.rows !== undefined && !isIncomplete;
    if (isWhole && known.hash === hashOf(await rowsOf(page))) {
      await keeping.amend(target, [known.id], signal, ({ problem: _problem, ...document }) => ({
        ...document,
        readAtMs: clock.now(),
      }));
      return { title, outcome: "unchanged" };
    }
    await replace(page, known, errand);
    return { title, outcome: "updated" };
  }

  /** False: which rows it has isn't known. */
  async function isRemoved(url: string, { target, signal }: Errand): Promise<boolean> {
    const known = await ledger.get(baseOf(target), idOf(url));
    if (known !== undefined && known.rows === undefined) return false;
    await keeping.remove(target, [idOf(url)], signal);
    return true;
  }

  return {
    /** Throws ReadFailure, ParleyError, or the signal's reason. */
    read: async (url: string, errand: Errand, { removes, onProgress }: How): Promise<Partial<JobItem>> => {
      const { target, owner, signal } = errand;
      try {
        for await (const event of crawler.crawl({ start: url, limit: 1, depth: 0, domains: [], owner, signal })) {
          if (event.kind === "page") return await taken(url, event.page, errand);
        }
        throw new ReadFailure("unreadable", pageSentences.empty);
      } catch (thrown) {
        if (!(thrown instanceof ReadFailure)) throw thrown;
        const outcome = outcomeOf(thrown);
        if (outcome === "gone" && removes && (await isRemoved(url, errand))) return { outcome: "removed" };
        if (outcome !== undefined) {
          onProgress({ outcome });
          // Its rows stay: they are the last that anyone could read there.
          await keeping.amend(target, [idOf(url)], signal, (document) => ({
            ...document,
            readAtMs: clock.now(),
            problem: thrown.reason,
          }));
        }
        throw thrown;
      }
    },
  };
}

function outcomeOf({ status }: ReadFailure): RefreshOutcome | undefined {
  if (status === 404 || status === 410) return "gone";
  return status === 401 || status === 403 ? "login" : undefined;
}
