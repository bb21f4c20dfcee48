/**
 * Adds web pages to a knowledge base, one row each, or lets the agent service fetch them. The service reports nothing
 * about what it did, stores error pages as content and skips what it can't reach, so Parley looks at the URL first.
 */
import type { Insert } from "../../ports/agent-service.ts";
import { type ErrorCode, toParleyError } from "../../ports/errors.ts";
import type { JobItem } from "../../ports/model/job.ts";
import { present } from "../../ports/tools/present.ts";
import { addressSentences, errorText, pageSentences } from "../../presentation/sentences.ts";
import type { AddressGate } from "../addresses/address-gate.ts";
import type { DocumentFacts, Keeping } from "../ledger/keeping.ts";
import type { Crawler } from "../pages/crawler.ts";
import { lookAt, type Page, pageId } from "../pages/page-reader.ts";
import { ReadFailure } from "../pages/read-failure.ts";
import type { Reader } from "../pages/robots.ts";
import type { Row } from "../rows/row-format.ts";
import type { Errand, Inserting } from "./inserting.ts";
import type { CrawlLimits } from "./payload.ts";

export type UrlWork = ReturnType<typeof createUrlWork>;

export function createUrlWork(options: {
  /** Looks at pages before the service is asked for them. */
  readonly page: Parameters<typeof lookAt>[0];
  readonly crawler: Crawler;
  readonly inserting: Inserting;
  readonly keeping: Pick<Keeping, "replace" | "note">;
  readonly gate: AddressGate;
  /** INGEST_REQUIRE_DNS: for URLs that the service fetches. */
  readonly requiresDns: boolean;
  /** False with INGEST_BY=parley, which also applies to Jobs stored under another setting. */
  readonly allowsService: boolean;
}) {
  const { page, crawler, inserting, keeping, gate, requiresDns, allowsService } = options;
  return {
    byService: async (
      url: string,
      { limit, depth, domains }: CrawlLimits,
      errand: Errand,
      title?: string,
    ): Promise<Partial<JobItem>> => {
      const { target, signal } = errand;
      if (!allowsService) throw new ReadFailure("refused", pageSentences.serviceMayNot);
      // The only check on what the service fetches, so it runs right before the request.
      const verdict = await gate.check(url, { mustResolve: requiresDns });
      if (verdict.kind === "refused") throw new ReadFailure("refused", addressSentences[verdict.rule]);
      const what = { urls: [url], limit, crawlDepth: depth, ...withinDomains(url, domains) };
      await inserting.insert(target, what, signal);
      // The service doesn't report how many further pages it found.
      const pages = limit === 1 ? 1 : undefined;
      const facts = { origin: { kind: "url", url }, title: title ?? url, url } as const;
      await keeping.note(facts, { way: "service", ...present({ pages }) }, errand);
      return present({ pages });
    },

    byParley: async (
      url: string,
      limits: CrawlLimits,
      errand: Errand,
      onProgress: (patch: Partial<JobItem>) => void,
    ): Promise<Partial<JobItem>> => {
      const { owner, signal } = errand;
      let pages = 0;
      let title: string | undefined;
      let note: string | undefined;
      for await (const event of crawler.crawl({ start: url, ...limits, owner, signal })) {
        if (event.kind === "failed") continue;
        const { page } = event;
        await keeping.replace(factsOf(page), () => rowsOf(page), errand);
        pages += 1;
        title ??= page.title;
        note ??= page.note;
        onProgress({ pages, title });
      }
      return present({ pages, title, note });
    },

    /** Takes 2 s, and what it takes to parse 64 kB. Returns the title, or a reason not to pass the URL on. */
    look: async (url: string, reader: Reader): Promise<{ readonly title?: string; readonly reason?: string }> => {
      try {
        return await lookAt(page, url, reader);
      } catch (thrown) {
        if (!(thrown instanceof ReadFailure)) throw thrown;
        // The service may reach what Parley can't.
        return thrown.kind === "unreachable" ? {} : { reason: thrown.reason };
      }
    },
  };
}

/** A page's row, with an id that its next version will share. */
export async function rowsOf({ url, title, content }: Page): Promise<readonly Row[]> {
  return [{ id: pageId(url), content: await content(), url, title }];
}

export function factsOf({ url, title }: Page): DocumentFacts {
  return { origin: { kind: "url", url }, title, url };
}

/** Without domains the service follows links within the host anyway, so it gets none. The start page must be allowed. */
export function withinDomains(url: string, domains: readonly string[]): Pick<Insert, "allowedDomains"> {
  return domains.length === 0 ? {} : { allowedDomains: [...new Set([new URL(url).hostname, ...domains])] };
}

/** Errors whose hint fits a Job; most hints are about questions. */
const fittingHints: readonly ErrorCode[] = [
  "insert_failed",
  "file_refused",
  "knowledge_base_busy",
  "knowledge_base_not_found",
];

/** The reason shown for a failed item. */
export function reasonOf(thrown: unknown): string {
  if (thrown instanceof ReadFailure) return thrown.reason;
  const error = toParleyError(thrown);
  const { what, hint } = errorText(error);
  return fittingHints.includes(error.code) ? `${what} ${hint}` : what;
}
