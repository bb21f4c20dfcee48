/** What a site's robots.txt allows, kept for a while. As RFC 9309 says: no such file allows all, a failing server nothing. */
import type { Clock } from "../../ports/clock.ts";
import { pageSentences } from "../../presentation/sentences.ts";
import { maxRobotsBytes } from "../foreign/content-limits.ts";
import type { ForeignContent } from "../foreign/foreign-content.ts";
import type { Scratch } from "../foreign/scratch.ts";
import type { GuardedFetch } from "./guarded-fetch.ts";
import { ReadFailure } from "./read-failure.ts";
import type { RobotsRules } from "./robots-rules.ts";

export type Robots = {
  /** Throws ReadFailure where the page may not be read; else how long to wait between two pages, when the site says. */
  readonly check: (url: string, reader: Reader) => Promise<{ readonly delayMs?: number }>;
};

/** `owner`: who takes turns with others. */
export type Reader = { readonly owner: string; readonly signal?: AbortSignal | undefined };

type Rules = RobotsRules | "away" | "unread";
type Kept = { readonly untilMs: number; readonly rules: Promise<Rules>; chars: number };

const limitMs = 10_000;
const keptMs = 10 * 60_000;
const maxKept = 500;
/** Of all rules that are kept; a usual file has 1,000. */
const maxKeptChars = 5_000_000;
/** A site that asks for more is read no slower than this. */
const maxDelayMs = 10_000;

export function createRobots(options: {
  readonly fetch: GuardedFetch;
  readonly content: ForeignContent;
  readonly scratch: Scratch;
  readonly clock: Clock;
  /** The name in the files: "parley". */
  readonly agent: string;
}): Robots {
  const { fetch, content, scratch, clock, agent } = options;
  const kept = new Map<string, Kept>();
  let keptChars = 0;

  function rulesOf(origin: string, reader: Reader): Promise<Rules> {
    const found = kept.get(origin);
    if (found !== undefined && found.untilMs > clock.now()) return found.rules;
    forget(origin);
    // Others wait for it as well: whoever asked first does not end it.
    const entry: Kept = { untilMs: clock.now() + keptMs, rules: load(`${origin}/robots.txt`, reader.owner), chars: 0 };
    kept.set(origin, entry);
    void entry.rules.then(
      (rules) => {
        if (kept.get(origin) !== entry) return;
        // What did not come, or was in the child process when that ended, is asked for again with the next page.
        if (typeof rules === "string") return forget(origin);
        entry.chars = rules.rules.length;
        keptChars += entry.chars;
        for (const [oldest] of kept) {
          if (kept.size <= maxKept && keptChars <= maxKeptChars) break;
          forget(oldest);
        }
      },
      () => kept.get(origin) === entry && forget(origin),
    );
    return entry.rules;
  }

  function forget(origin: string): void {
    keptChars -= kept.get(origin)?.chars ?? 0;
    kept.delete(origin);
  }

  async function load(url: string, owner: string): Promise<Rules> {
    const file = await scratch.file(maxRobotsBytes);
    try {
      const { status, contentType } = await fetch
        .save(url, file.path, { limitMs, maxBytes: maxRobotsBytes, maxAnnouncedBytes: Infinity, cutsBody: true })
        .catch((thrown: unknown) => {
          if (thrown instanceof ReadFailure && thrown.kind === "unreachable") throw thrown;
          // Led round in circles, or where nothing may be read: as if there were none.
          return { status: 404, contentType: "" };
        });
      if (status >= 500) return "away";
      if (status >= 300) return { rules: "" };
      return await rulesIn(file.path, contentType, owner);
    } finally {
      await file.remove();
    }
  }

  async function rulesIn(path: string, contentType: string, owner: string): Promise<Rules> {
    try {
      return await content.run("robotsRules", { path, contentType, agent }, { owner });
    } catch (thrown) {
      if (thrown instanceof ReadFailure) return "unread";
      throw thrown;
    }
  }

  async function mayRead(rules: string, url: string, reader: Reader): Promise<boolean> {
    if (rules === "") return true;
    try {
      return (await content.run("robotsCheck", { rules, url }, reader)).mayRead;
    } catch (thrown) {
      if (thrown instanceof ReadFailure) throw new ReadFailure("refused", pageSentences.robotsUnchecked, thrown);
      throw thrown;
    }
  }

  return {
    check: async (url, reader) => {
      const found = await rulesOf(new URL(url).origin, reader);
      if (found === "away") throw new ReadFailure("unreachable", pageSentences.robotsAway);
      if (found === "unread") throw new ReadFailure("refused", pageSentences.robotsUnchecked);
      if (!(await mayRead(found.rules, url, reader))) throw new ReadFailure("refused", pageSentences.robots);
      const { delaySeconds } = found;
      return delaySeconds === undefined ? {} : { delayMs: Math.min(maxDelayMs, delaySeconds * 1000) };
    },
  };
}
