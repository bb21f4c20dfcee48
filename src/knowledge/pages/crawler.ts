/**
 * Crawls from one URL to linked pages, breadth first, one page at a time. Each page is passed on and forgotten, so only
 * the URLs stay in memory, and the limit bounds those.
 */
import { createHash } from "node:crypto";
import { addressSentences, pageSentences } from "../../presentation/sentences.ts";
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
} & Reader;

export type CrawlEvent =
  /** Disposed when the next event is requested. */
  | { readonly kind: "page"; readonly page: Page }
  /** A linked page failed. If the start can't be read, the crawl throws instead. */
  | { readonly kind: "failed"; readonly url: string; readonly reason: string }
  /** At the end: pages of a list that weren't read, because of the limit. */
  | { readonly kind: "unread"; readonly url: string; readonly pages: number };

export type Crawler = ReturnType<typeof createCrawler>;

/** Queued URLs per page that may still be read: some of them will fail. */
const waitingPerPage = 5;
/** Without a limit from a person, a list has more than its first page read. */
const pagesOfList = 20;
/** Lists of lists can continue forever. */
const maxLists = 100;
/** How often a page is requested again from a busy server. */
const maxRetries = 2;
/** A site whose pages name wrong URLs as their own this often isn't asked about the others. */
const maxLies = 3;
/** Pages that send their readers on, one after the other. */
const maxRefreshes = 5;

export function createCrawler(options: {
  readonly reader: PageReader;
  readonly robots: Robots;
  readonly pace: HostPace;
  readonly policy: AddressPolicy;
  /** Pause between two pages of a host, unless the host asks for more. */
  readonly spacingMs: number;
}) {
  const { reader, robots, pace, policy, spacingMs } = options;

  async function readOnce(url: string, by: Reader): Promise<Page> {
    for (let retries = 0; ; retries += 1) {
      const { host } = new URL(url);
      const { delayMs = 0 } = await robots.check(url, by);
      await pace.turn(host, Math.max(spacingMs, delayMs), by.signal);
      try {
        return await reader.read(url, by, (next) => robots.check(next, by));
      } catch (thrown) {
        const pauseMs = thrown instanceof ReadFailure ? thrown.retryAfterMs : undefined;
        if (pauseMs === undefined || retries >= maxRetries) throw thrown;
        pace.hold(host, pauseMs);
      }
    }
  }

  /** Follows pages that only send their readers on. Each is requested under the same rules as any page. */
  async function read(start: string, by: Reader): Promise<Page> {
    let page = await readOnce(start, by);
    for (let hops = 0; page.refreshTo !== undefined; hops += 1) {
      const { refreshTo } = page;
      await page.dispose();
      if (hops >= maxRefreshes) throw new ReadFailure("unreadable", pageSentences.redirects);
      const verdict = checkAddress(refreshTo, policy);
      if (verdict.kind === "refused") {
        throw new ReadFailure("refused", pageSentences.redirectRefused(addressSentences[verdict.rule]));
      }
      page = await readOnce(refreshTo, by);
    }
    return page;
  }

  /** True if what the page names as its own URL has the same text. */
  async function isTrue(url: string, page: Page, by: Reader): Promise<boolean> {
    try {
      const named = await read(url, by);
      try {
        return named.use === undefined && (await fingerprintOf(named)) === (await fingerprintOf(page));
      } finally {
        await named.dispose();
      }
    } catch (thrown) {
      if (!(thrown instanceof ReadFailure)) throw thrown;
      return false;
    }
  }

  return {
    /** Throws ReadFailure when the start can't be read, or the signal's reason. */
    crawl: async function* (options: CrawlOptions): AsyncGenerator<CrawlEvent, void, void> {
      const { start, depth, domains, owner, signal } = options;
      const seen = new Set([start]);
      const delivered = createDelivered();
      const waiting: Waiting[] = [{ url: start, level: 0 }];
      let { limit } = options;
      let maxSeen = limit * waitingPerPage;
      let ownHost = new URL(start).hostname;
      let pages = 0;
      let lists = 0;
      let unindexed: string | undefined;
      let lies = 0;

      /** Under the URL where it was found, unless the one that it names has the same text. */
      const ownUrl = async (page: Page): Promise<Page> => {
        const { url, foundAt } = page;
        if (foundAt === undefined || isSameAddress(url, foundAt)) return page;
        if (await delivered.hasText(page)) return page;
        if (lies < maxLies && (await isTrue(url, page, { owner, signal }))) return page;
        lies += 1;
        return { ...page, url: foundAt };
      };

      let next = waiting.shift();
      for (; next !== undefined && pages < limit; next = waiting.shift()) {
        signal?.throwIfAborted();
        const isStart = next.url === start;
        let page: Page;
        try {
          page = await read(next.url, { owner, signal });
        } catch (thrown) {
          if (!(thrown instanceof ReadFailure) || isStart) throw thrown;
          yield { kind: "failed", url: next.url, reason: thrown.reason };
          continue;
        }
        // "example.com" may redirect to "www.example.com", and so may its links.
        if (isStart) ownHost = new URL(page.url).hostname;
        seen.add(page.foundAt ?? page.url);
        if (page.use === "list") {
          lists += 1;
          if (isStart && depth === 0) limit = Math.max(limit, pagesOfList);
          maxSeen = Math.max(maxSeen, limit * waitingPerPage, page.links.length + 1);
        }
        if (page.use === "unindexed") {
          if (isStart) unindexed = pageSentences.unindexed;
          else yield { kind: "failed", url: next.url, reason: pageSentences.unindexed };
        }
        if (page.use !== undefined) await page.dispose();
        else {
          const named = await ownUrl(page);
          if (await delivered.has(named)) {
            await page.dispose();
            continue;
          }
          await delivered.add(named);
          seen.add(named.url);
          pages += 1;
          try {
            yield { kind: "page", page: named };
          } finally {
            await page.dispose();
          }
        }
        // A list is only the way to its pages.
        const isListed = page.use === "list";
        const level = isListed ? next.level : next.level + 1;
        if (level > depth && !isListed) continue;
        const found: Waiting[] = [];
        for (const link of page.links) {
          if (seen.size >= maxSeen) break;
          if (seen.has(link) || !isWithin(link, domains, ownHost)) continue;
          if (checkAddress(link, policy).kind === "refused" || isNotAPage(link)) continue;
          seen.add(link);
          found.push({ url: link, level, isListed });
        }
        // The pages of a list before the next list of a list of lists.
        if (isListed) waiting.unshift(...found);
        else for (const one of found) waiting.push(one);
        if (lists >= maxLists) break;
      }
      if (pages === 0 && unindexed !== undefined) throw new ReadFailure("refused", unindexed);
      if (pages === 0 && lists > 0) throw new ReadFailure("unreadable", pageSentences.emptyList);
      const unread = [...waiting, ...(next === undefined ? [] : [next])].filter(({ isListed }) => isListed).length;
      if (unread > 0) yield { kind: "unread", url: start, pages: unread };
    },
  };
}

type Waiting = { readonly url: string; readonly level: number /** By a list. */; readonly isListed?: boolean };

/** What a crawl has passed on, by URL and by text: one page may have five URLs. */
function createDelivered() {
  const urls = new Set<string>();
  const texts = new Set<string>();
  const keyOf = async (page: Page) => `${new URL(page.url).host} ${await fingerprintOf(page)}`;
  return {
    has: async (page: Page) => urls.has(page.url) || texts.has(await keyOf(page)),
    hasText: async (page: Page) => texts.has(await keyOf(page)),
    add: async (page: Page) => {
      urls.add(page.url);
      texts.add(await keyOf(page));
    },
  };
}

/** The same for each URL of a page. */
async function fingerprintOf(page: Page): Promise<string> {
  return createHash("sha256")
    .update(await page.content())
    .digest("hex");
}

/** What campaigns add to links. */
const trackingNames = /^(?:utm_\w+|gclid|fbclid|msclkid|dclid|mc_[ce]id|ref|ref_src|source|igshid|_ga|yclid)$/;

/** The same page, however it was linked to: with a slash at the end, "index.html", or a campaign's name. */
function isSameAddress(one: string, other: string): boolean {
  const plain = (address: string) => {
    const url = new URL(address);
    for (const name of [...url.searchParams.keys()]) if (trackingNames.test(name)) url.searchParams.delete(name);
    url.searchParams.sort();
    const path = url.pathname.replace(/(?:\/|\/index\.\w{3,5}|\.html?)$/, "");
    return `${url.host}${path}?${url.searchParams}`;
  };
  return plain(one) === plain(other);
}

function isWithin(link: string, domains: readonly string[], ownHost: string): boolean {
  const { hostname } = new URL(link);
  if (domains.length === 0) return hostname === ownHost;
  return domains.some((domain) => hostname === domain || hostname.endsWith(`.${domain}`)) || hostname === ownHost;
}

/** The file extension shows that a request isn't worth it. */
function isNotAPage(link: string): boolean {
  const { pathname } = new URL(link);
  // A packed sitemap is a list of pages.
  if (/\.xml\.gz$/i.test(pathname)) return false;
  return /\.(?:png|jpe?g|gif|svg|webp|ico|css|js|mjs|zip|gz|tgz|rar|7z|exe|dmg|iso|mp[34]|webm|mov|avi|woff2?|ttf|pdf|docx?|xlsx?|pptx?)$/i.test(
    pathname,
  );
}
