/**
 * Adds web pages to a knowledge base, one row each, or lets the agent service fetch them. The service reports nothing
 * about what it did, stores error pages as content and skips what it can't reach, so Parley looks at the URL first.
 */

import type { Ledger } from "../../core/content/ledger.ts";
import { type ErrorCode, toParleyError } from "../../core/errors.ts";
import type { DocumentSize, JobItem } from "../../core/model/job.ts";
import type { Insert } from "../../core/ports/agent-service.ts";
import {
  addressSentences,
  countText,
  decodedName,
  errorText,
  type LeftPages,
  maxNamed,
  numberText,
  pageSentences,
} from "../../presentation/sentences.ts";
import type { AddressGate } from "../addresses/address-gate.ts";
import type { Keeping } from "../ledger/keeping.ts";
import type { Crawler } from "../pages/crawler.ts";
import { lookAt, rowsOf } from "../pages/page-reader.ts";
import { ReadFailure } from "../pages/read-failure.ts";
import type { Reader } from "../pages/robots.ts";
import type { Errand, Inserting } from "./inserting.ts";
import { createKnownPages, factsOf } from "./known-pages.ts";
import type { CrawlLimits } from "./payload.ts";

export type UrlWork = ReturnType<typeof createUrlWork>;

export function createUrlWork(options: {
  /** Looks at pages before the service is asked for them. */
  readonly page: Parameters<typeof lookAt>[0];
  readonly crawler: Crawler;
  readonly inserting: Inserting;
  readonly keeping: Pick<Keeping, "replace" | "note">;
  readonly ledger: Pick<Ledger, "get">;
  readonly gate: AddressGate;
  /** INGEST_REQUIRE_DNS: for URLs that the service fetches. */
  readonly requiresDns: boolean;
  /** False with INGEST_BY=parley, which also applies to Jobs stored under another setting. */
  readonly allowsService: boolean;
}) {
  const { page, crawler, inserting, keeping, ledger, gate, requiresDns, allowsService } = options;
  const pagesKnown = createKnownPages(ledger);
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
      await keeping.note(facts, pages === undefined ? { way: "service" } : { way: "service", pages }, errand);
      return { pages };
    },

    byParley: async (
      url: string,
      limits: CrawlLimits,
      errand: Errand,
      onProgress: (patch: Partial<JobItem>) => void,
    ): Promise<Partial<JobItem>> => {
      const { owner, signal } = errand;
      const left = new Map<string, string[]>();
      const notes: string[] = [];
      let pages: number | undefined;
      let size: DocumentSize | undefined;
      let title: string | undefined;
      for await (const event of crawler.crawl({ start: url, ...limits, owner, signal })) {
        if (event.kind === "failed") {
          left.set(event.reason, [...(left.get(event.reason) ?? []), event.url]);
          continue;
        }
        if (event.kind === "unread") {
          notes.push(`${countText(event.pages, "more page")} in the list. Run the command again with a higher limit`);
          continue;
        }
        const { page } = event;
        const same = await pagesKnown.add(page, errand, () =>
          keeping.replace(factsOf(page), () => rowsOf(page), errand),
        );
        if (same !== undefined) notes.push(`the same page as ${same}`);
        if (page.size === undefined) pages = (pages ?? 0) + 1;
        else size = size === undefined ? page.size : { count: size.unit === "file" ? size.count + 1 : 2, unit: "file" };
        title ??= page.title;
        if (page.note !== undefined) notes.push(page.note);
        onProgress({ pages, size, title });
      }
      notes.unshift(...leftNotes(left));
      return { pages, size, title, notes: notes.length === 0 ? undefined : notes.slice(0, maxNotes) };
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

const maxNotes = 5;

/** What a site asks for isn't a failure. */
function leftNotes(left: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const all = [...left].map(([reason, urls]) => ({ reason, urls }));
  const isAsked = ({ reason }: LeftPages) => reason === pageSentences.robots || reason === pageSentences.unindexed;
  const failed = all.filter((one) => !isAsked(one));
  const asked = all.filter(isAsked);
  return [
    ...(failed.length === 0 ? [] : [`${leftText(failed, "linked page")} failed: ${reasonsText(failed)}`]),
    ...(asked.length === 0 ? [] : [`${leftText(asked, "linked page")} left out: ${reasonsText(asked)}`]),
  ];
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

function leftText(left: readonly LeftPages[], what: string): string {
  return countText(
    left.reduce((sum, { urls }) => sum + urls.length, 0),
    what,
  );
}

/** "2 not found (a.html, b.html), 1 requires a login (c.html)". */
function reasonsText(left: readonly LeftPages[]): string {
  return left
    .map(({ reason, urls }) => {
      const named = urls.slice(0, maxNamed).map((url) => decodedName(url));
      const names = urls.length > maxNamed ? [...named, "…"] : named;
      // The number says that it is about pages, and the words what the status code means.
      const why = reason.replace(/^(?:the )?page /, "").replace(/ \((?:404|410|401|403)\)$/, "");
      return `${left.length > 1 ? `${numberText(urls.length)} ` : ""}${why} (${names.join(", ")})`;
    })
    .join(", ");
}
