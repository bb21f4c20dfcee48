/**
 * Crawls from one URL to linked pages, breadth first, one page at a time. Each page is passed on and forgotten, so only
 * the URLs stay in memory, and the limit bounds those.
 */
import { type AddressPolicy, checkAddress } from "../addresses/address-policy.ts";
import type { HostPace } from "./host-pace.ts";
import type { Page, PageReader } from "./page-reader.ts";
import { ReadFailure } from "./read-failure.ts";
import type { Reader, Robots } from "./robots.ts";

export type CrawlOptions = {
  readonly start: string;
  /** Most pages. */
  readonly limit: number;
  /** 0: only this page; 1: also the pages it links to. */
  readonly depth: number;
  /** Hosts that links may lead to, including subdomains; the start's own host if empty. */
  readonly domains: readonly string[];
  /** An additional filter, from the local service. */
  readonly matches?: (url: string) => boolean;
} & Reader;

export type CrawlEvent =
  /** Disposed when the next event is requested. */
  | { readonly kind: "page"; readonly page: Page }
  /** A linked page failed. If the start can't be read, the crawl throws instead. */
  | { readonly kind: "failed"; readonly url: string; readonly reason: string };

export type Crawler = ReturnType<typeof createCrawler>;

/** Queued URLs per page that may still be read: some of them will fail. */
const waitingPerPage = 5;

export function createCrawler(options: {
  readonly reader: PageReader;
  readonly robots: Robots;
  readonly pace: HostPace;
  readonly policy: AddressPolicy;
  /** Pause between two pages of a host, unless the host asks for more. */
  readonly spacingMs: number;
}) {
  const { reader, robots, pace, policy, spacingMs } = options;

  async function read(url: string, by: Reader): Promise<Page> {
    const { delayMs = 0 } = await robots.check(url, by);
    await pace.turn(new URL(url).host, Math.max(spacingMs, delayMs), by.signal);
    return reader.read(url, by);
  }

  return {
    /** Throws ReadFailure when the start can't be read, or the signal's reason. */
    crawl: async function* (options: CrawlOptions): AsyncGenerator<CrawlEvent, void, void> {
      const { start, limit, depth, domains, matches, owner, signal } = options;
      const seen = new Set([start]);
      const delivered = new Set<string>();
      const waiting = [{ url: start, level: 0 }];
      const maxSeen = limit * waitingPerPage;
      let ownHost = new URL(start).hostname;
      let pages = 0;
      for (let next = waiting.shift(); next !== undefined && pages < limit; next = waiting.shift()) {
        signal?.throwIfAborted();
        let page: Page;
        try {
          page = await read(next.url, { owner, signal });
        } catch (thrown) {
          if (!(thrown instanceof ReadFailure) || next.level === 0) throw thrown;
          yield { kind: "failed", url: next.url, reason: thrown.reason };
          continue;
        }
        // "example.com" may redirect to "www.example.com", and so may its links.
        if (next.level === 0) ownHost = new URL(page.url).hostname;
        // Two URLs of the same page.
        if (delivered.has(page.url)) {
          await page.dispose();
          continue;
        }
        delivered.add(page.url);
        seen.add(page.url);
        pages += 1;
        try {
          yield { kind: "page", page };
        } finally {
          await page.dispose();
        }
        if (next.level >= depth) continue;
        for (const link of page.links) {
          if (seen.size >= maxSeen) break;
          if (seen.has(link) || !isWithin(link, domains, ownHost) || matches?.(link) === false) continue;
          if (checkAddress(link, policy).kind === "refused" || isNotAPage(link)) continue;
          seen.add(link);
          waiting.push({ url: link, level: next.level + 1 });
        }
      }
    },
  };
}

function isWithin(link: string, domains: readonly string[], ownHost: string): boolean {
  const { hostname } = new URL(link);
  if (domains.length === 0) return hostname === ownHost;
  return domains.some((domain) => hostname === domain || hostname.endsWith(`.${domain}`)) || hostname === ownHost;
}

/** The file extension shows that a request isn't worth it. */
function isNotAPage(link: string): boolean {
  return /\.(?:png|jpe?g|gif|svg|webp|ico|css|js|mjs|zip|gz|tgz|rar|7z|exe|dmg|iso|mp[34]|webm|mov|avi|woff2?|ttf|pdf|docx?|xlsx?|pptx?)$/i.test(
    new URL(link).pathname,
  );
}
