/**
 * Composes everything that reads pages, once for the whole process. Jobs with `parley` and the built-in service share
 * it, so that both follow the same rules and together request a site no faster than one would.
 */

import { ParleyError } from "../../core/errors.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { Log } from "../../core/ports/log.ts";
import { type AddressGate, createAddressGate, type Resolve } from "../addresses/address-gate.ts";
import { createNameLookup, type NameLookup } from "../addresses/name-lookup.ts";
import { createForeignContent, type ForeignContent } from "../foreign/foreign-content.ts";
import { createScratch, type Scratch } from "../foreign/scratch.ts";
import type { Row } from "../rows/row-format.ts";
import { type Crawler, createCrawler } from "./crawler.ts";
import { createGuardedFetch, type GuardedFetch, type GuardedFetchOptions } from "./guarded-fetch.ts";
import { createHostPace } from "./host-pace.ts";
import { createPageReader, rowsOf } from "./page-reader.ts";
import { insertReasonOf, ReadFailure } from "./read-failure.ts";
import { createRobots } from "./robots.ts";

export type ReadPagesRequest = {
  readonly urls: readonly string[];
  /** Most pages in total. */
  readonly limit: number;
  readonly depth: number;
  /** Further hosts that links may lead to, including their subdomains. */
  readonly domains: readonly string[];
  readonly signal?: AbortSignal;
};

/** A page is one row, a document several; each has the same id in every version. Throws insert_failed. */
export type ReadPages = (request: ReadPagesRequest) => AsyncIterable<Row>;

export type PageReading = {
  readonly gate: AddressGate;
  /** Lookups inside queue under that person, not under others. */
  readonly asOwner: NameLookup["asOwner"];
  /** False behind a proxy, which resolves names that this machine may not know. */
  readonly resolvesHere: boolean;
  readonly fetch: GuardedFetch;
  readonly content: ForeignContent;
  /** Reads git repositories, which takes minutes, in a process of its own: nobody's page waits for that. */
  readonly repositories: ForeignContent;
  readonly scratch: Scratch;
  readonly crawler: Crawler;
  /** For the built-in service's `urls`. */
  readonly readPages: ReadPages;
  readonly close: () => Promise<void>;
};

/** Pause between two pages of one host. */
const spacingMs = 500;
/** The name in robots.txt; the user agent is this plus the version. */
const agentName = "Parley";
/** The built-in service doesn't say for whom it reads. */
const localOwner = "local-service";

export function createPageReading(options: {
  readonly allowsPrivate: boolean;
  readonly version: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly proxy?: GuardedFetchOptions["proxy"];
  readonly spacingMs?: number;
  /** Replaces the gate's lookup. */
  readonly resolve?: Resolve;
  /** `address:port`. Default: the system's servers. */
  readonly dnsServers?: readonly string[];
  /** For all files in progress. */
  readonly maxScratchBytes?: number;
}): PageReading {
  const { clock, log, version, proxy, dnsServers } = options;
  const policy = { allowsPrivate: options.allowsPrivate };
  const names = createNameLookup({ clock, servers: dnsServers });
  const resolve: Resolve = async (hostname) => (await names.resolve(hostname)).map(({ address }) => address);
  const gate = createAddressGate({ policy, clock, resolve: options.resolve ?? resolve });
  const fetch = createGuardedFetch({
    policy,
    clock,
    userAgent: `${agentName}/${version}`,
    lookup: names.lookup,
    proxy,
  });
  const { maxScratchBytes: maxBytes } = options;
  const scratch = createScratch({ log, maxBytes });
  const content = createForeignContent({ folder: scratch.folder, clock, log });
  const repositories = createForeignContent({ folder: scratch.folder, clock, log });
  const crawler = createCrawler({
    reader: createPageReader({ fetch, content, scratch }),
    robots: createRobots({ fetch, content, scratch, clock, agent: agentName }),
    pace: createHostPace(clock),
    policy,
    spacingMs: options.spacingMs ?? spacingMs,
  });

  async function* readPages({ urls, limit, depth, domains, signal }: ReadPagesRequest): ReturnType<ReadPages> {
    let left = limit;
    for (const start of urls) {
      if (left <= 0) return;
      const crawl = { start, limit: left, depth, domains, owner: localOwner, signal };
      try {
        for await (const event of crawler.crawl(crawl)) {
          if (event.kind !== "page") continue;
          left -= 1;
          for (const row of await rowsOf(event.page)) yield row;
        }
      } catch (thrown) {
        if (!(thrown instanceof ReadFailure)) throw thrown;
        throw new ParleyError("insert_failed", { reason: insertReasonOf(thrown), cause: thrown });
      }
    }
  }

  return {
    gate,
    asOwner: names.asOwner,
    resolvesHere: proxy === undefined,
    fetch,
    content,
    repositories,
    scratch,
    crawler,
    readPages,
    close: async () => {
      await fetch.close();
      await content.close();
      await repositories.close();
      await scratch.close();
    },
  };
}
