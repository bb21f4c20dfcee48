/** What a site's robots.txt allows, kept for a while. As RFC 9309 says: no such file allows all, a failing server nothing. */
import robotsParserModule from "robots-parser";
import type { Clock } from "../bridge/ports/clock.ts";
import { pageSentences } from "../presentation/sentences-knowledge.ts";
import { decodeText } from "./charset.ts";
import type { GuardedFetch } from "./guarded-fetch.ts";
import { ReadFailure } from "./read-failure.ts";

export type Robots = {
  /** Throws ReadFailure where the page may not be read; else how long to wait between two pages, when the site says. */
  readonly check: (url: string) => Promise<{ readonly delayMs?: number }>;
};

type Rules = Pick<ReturnType<typeof parse>, "isDisallowed" | "getCrawlDelay"> | "none" | "away";
type Kept = { readonly untilMs: number; readonly rules: Promise<Rules> };

/** RFC 9309: at least 500 KiB are read. */
const maxBytes = 512 * 1024;
const limitMs = 10_000;
const keptMs = 10 * 60_000;
const maxKept = 500;
/** A site that asks for more is read no slower than this. */
const maxDelayMs = 10_000;

// The package is CommonJS: what its types call the default export is the module itself.
const parse = robotsParserModule as unknown as typeof robotsParserModule.default;

export function createRobots(options: {
  readonly fetch: GuardedFetch;
  readonly clock: Clock;
  /** The name in the files: "parley". */
  readonly agent: string;
}): Robots {
  const { fetch, clock, agent } = options;
  const kept = new Map<string, Kept>();

  function rulesOf(origin: string): Promise<Rules> {
    const found = kept.get(origin);
    if (found !== undefined && found.untilMs > clock.now()) return found.rules;
    const rules = load(`${origin}/robots.txt`);
    kept.delete(origin);
    kept.set(origin, { untilMs: clock.now() + keptMs, rules });
    // What did not come is asked for again with the next page.
    void rules.then(
      (loaded) => loaded === "away" && kept.delete(origin),
      () => kept.delete(origin),
    );
    const oldest = kept.keys().next();
    if (kept.size > maxKept && !oldest.done) kept.delete(oldest.value);
    return rules;
  }

  async function load(url: string): Promise<Rules> {
    try {
      const file = await fetch.get(url, { limitMs, maxBytes, cutsBody: true });
      if (file.status >= 500) return "away";
      if (file.status >= 300) return "none";
      return parse(url, decodeText(file.bytes, file.contentType));
    } catch {
      // Whatever is wrong with the server shows when the page itself is asked for, with a better reason.
      return "none";
    }
  }

  return {
    check: async (url) => {
      const rules = await rulesOf(new URL(url).origin);
      if (rules === "none") return {};
      if (rules === "away") throw new ReadFailure("unreachable", pageSentences.robotsAway);
      if (rules.isDisallowed(url, agent) === true) throw new ReadFailure("refused", pageSentences.robots);
      const delay = rules.getCrawlDelay(agent);
      return delay === undefined ? {} : { delayMs: Math.min(maxDelayMs, Math.max(0, delay * 1000)) };
    },
  };
}
