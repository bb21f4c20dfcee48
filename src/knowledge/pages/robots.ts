/**
 * Checks and caches what a site's robots.txt allows. Per RFC 9309, a missing file allows everything and a failing
 * server nothing.
 */
import { LRUCache } from "lru-cache";
import type { Clock } from "../../core/ports/clock.ts";
import { byClock } from "../../core/tools/cache-time.ts";
import { pageSentences } from "../../presentation/sentences.ts";
import { maxRobotsBytes } from "../foreign/content-limits.ts";
import type { ForeignContent } from "../foreign/foreign-content.ts";
import type { Scratch } from "../foreign/scratch.ts";
import type { GuardedFetch } from "./guarded-fetch.ts";
import { ReadFailure } from "./read-failure.ts";
import type { RobotsRules } from "./robots-rules.ts";

export type Robots = ReturnType<typeof createRobots>;

/** `owner`: the queue for fair scheduling. */
export type Reader = { readonly owner: string; readonly signal?: AbortSignal | undefined };

const limitMs = 10_000;
const cacheMs = 10 * 60_000;
const maxCached = 500;
/** For all cached rules; a usual file has 1,000. */
const maxCachedChars = 5_000_000;
/** A site that asks for a longer pause gets this one. */
const maxDelayMs = 10_000;

export function createRobots(options: {
  readonly fetch: GuardedFetch;
  readonly content: ForeignContent;
  readonly scratch: Scratch;
  readonly clock: Clock;
  /** The name in the files: "parley". */
  readonly agent: string;
}) {
  const { fetch, content, scratch, clock, agent } = options;
  /** By origin. Other callers wait for it too, so the first one's signal doesn't end it. */
  const cache = new LRUCache<string, RobotsRules, string>({
    max: maxCached,
    maxSize: maxCachedChars,
    sizeCalculation: ({ rules }) => rules.length + 1,
    ttl: cacheMs,
    ...byClock(clock),
    ignoreFetchAbort: true,
    fetchMethod: (origin, _stale, { context: owner }) => load(`${origin}/robots.txt`, owner),
  });

  async function load(url: string, owner: string): Promise<RobotsRules> {
    const file = await scratch.file(maxRobotsBytes);
    try {
      const { status, contentType } = await fetch
        .save(url, file.path, { limitMs, maxBytes: maxRobotsBytes, maxAnnouncedBytes: Infinity, cutsBody: true })
        .catch((thrown: unknown) => {
          if (thrown instanceof ReadFailure && thrown.kind === "unreachable") throw thrown;
          // A redirect loop, or a redirect to a refused URL, counts as no file.
          return { status: 404, contentType: "" };
        });
      // A busy server would be asked for every page, whatever its rules are.
      if (status >= 500 || status === 429) throw new ReadFailure("unreachable", pageSentences.robotsAway);
      if (status >= 300) return { rules: "" };
      return await checked(content.run("robotsRules", { path: file.path, contentType, agent }, { owner }));
    } finally {
      await file.remove();
    }
  }

  /** What can't be checked isn't read. */
  async function checked<T>(task: Promise<T>): Promise<T> {
    return task.catch((thrown: unknown) => {
      throw thrown instanceof ReadFailure ? new ReadFailure("refused", pageSentences.robotsUnchecked, thrown) : thrown;
    });
  }

  return {
    /**
     * Throws ReadFailure when the page must not be read; otherwise returns the pause between two pages, if the site asks
     * for one.
     */
    check: async (url: string, reader: Reader): Promise<{ readonly delayMs?: number }> => {
      const { rules, delaySeconds } = await cache.forceFetch(new URL(url).origin, { context: reader.owner });
      const { mayRead } =
        rules === "" ? { mayRead: true } : await checked(content.run("robotsCheck", { rules, url }, reader));
      if (!mayRead) throw new ReadFailure("refused", pageSentences.robots);
      return delaySeconds === undefined ? {} : { delayMs: Math.min(maxDelayMs, delaySeconds * 1000) };
    },
  };
}
