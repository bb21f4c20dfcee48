/**
 * An address into a knowledge base, in one of two ways: the service reads it, or Parley does. The service tells nothing
 * of what it did, stores error pages as content and skips what it cannot reach, so Parley looks at the address first.
 */
import { type ErrorCode, toParleyError } from "../../ports/errors.ts";
import type { JobItem } from "../../ports/model/job.ts";
import { addressSentences, pageSentences } from "../../presentation/sentences.ts";
import type { AddressGate } from "../addresses/address-gate.ts";
import type { Crawler } from "../pages/crawler.ts";
import type { GuardedFetch } from "../pages/guarded-fetch.ts";
import { lookAt, type Page, pageId } from "../pages/page-reader.ts";
import { ReadFailure } from "../pages/read-failure.ts";
import type { Row } from "../rows/row-format.ts";
import type { Errand, Inserting } from "./inserting.ts";
import type { CrawlLimits } from "./payload.ts";

export type UrlWork = {
  readonly byService: (url: string, limits: CrawlLimits, errand: Errand) => Promise<Partial<JobItem>>;
  readonly byParley: (
    url: string,
    limits: CrawlLimits,
    errand: Errand,
    onProgress: (patch: Partial<JobItem>) => void,
  ) => Promise<Partial<JobItem>>;
  /** Within 2 s: what is known of the address; a reason when it is not worth passing on. */
  readonly look: (url: string, signal: AbortSignal) => Promise<{ readonly title?: string; readonly reason?: string }>;
};

export function createUrlWork(options: {
  readonly fetch: GuardedFetch;
  readonly crawler: Crawler;
  readonly inserting: Inserting;
  readonly gate: AddressGate;
  /** INGEST_REQUIRE_DNS: of addresses that the service reads. */
  readonly requiresDns: boolean;
  /** False with INGEST_BY=parley: also for Jobs that were stored under another setting. */
  readonly allowsService: boolean;
}): UrlWork {
  const { fetch, crawler, inserting, gate, requiresDns, allowsService } = options;
  return {
    byService: async (url, { limit, depth, domains }, { target, signal }) => {
      if (!allowsService) throw new ReadFailure("refused", pageSentences.serviceMayNot);
      // Nothing else stands between the service and what it must not read: checked right before it is asked.
      const verdict = await gate.check(url, { mustResolve: requiresDns });
      if (verdict.kind === "refused") throw new ReadFailure("refused", addressSentences[verdict.rule]);
      const filters = serviceFilters(url, domains);
      await inserting.insert(target, { urls: [url], limit, crawlDepth: depth, ...filters }, signal);
      // How many pages it found behind the first one, it does not say.
      return limit === 1 ? { pages: 1 } : {};
    },

    byParley: async (url, limits, { target, owner, signal }, onProgress) => {
      let pages = 0;
      let title: string | undefined;
      for await (const event of crawler.crawl({ start: url, ...limits, owner, signal })) {
        if (event.kind === "failed") continue;
        await inserting.replaceRows(target, oneRow(event.page), signal);
        pages += 1;
        title ??= event.page.title;
        onProgress({ pages, title });
      }
      return { pages, ...(title === undefined ? {} : { title }) };
    },

    look: async (url, signal) => {
      try {
        return await lookAt(fetch, url, signal);
      } catch (thrown) {
        if (!(thrown instanceof ReadFailure)) throw thrown;
        // What cannot be reached from here may be reached from there.
        return thrown.kind === "unreachable" ? {} : { reason: thrown.reason };
      }
    },
  };
}

/** Content, title and address of a page, with the id that its next version will have as well. */
async function* oneRow({ url, title, content }: Page): AsyncGenerator<Row> {
  yield { id: pageId(url), content: await content(), url, title };
}

/**
 * The service's `filters` are regular expressions, matched from the start of each address, the first one included. It
 * follows links within the host anyway, so without domains none are needed.
 */
export function serviceFilters(url: string, domains: readonly string[]): { readonly filters?: readonly string[] } {
  if (domains.length === 0) return {};
  const hosts = [...new Set([new URL(url).hostname, ...domains])];
  return { filters: hosts.map((host) => `^https?://([^/@]+\\.)?${host.replace(/[.[\]]/g, "\\$&")}(:\\d+)?(/|$)`) };
}

/** What to do is said where it fits a Job: most hints are about questions. */
const fittingHints: readonly ErrorCode[] = [
  "insert_failed",
  "file_refused",
  "knowledge_base_busy",
  "knowledge_base_not_found",
];

/** The sentence behind an item that failed. */
export function reasonOf(thrown: unknown): string {
  if (thrown instanceof ReadFailure) return thrown.reason;
  const { code, what, hint } = toParleyError(thrown);
  return fittingHints.includes(code) ? `${what} ${hint}` : what;
}
