/**
 * Remembers names whose DNS server didn't answer, so that nobody waits for them again. For a while they count as not
 * resolving. A domain with several such names and no answer counts as silent as a whole, but only for the owner who
 * asked: strangers may share a domain.
 */
import { LRUCache } from "lru-cache";
import type { Clock } from "../../core/ports/clock.ts";
import { byClock } from "../../core/tools/cache-time.ts";

/** Short, because one lost packet also makes a name silent. */
const rememberedMs = 60_000;
const namesOfSilentDomain = 3;
/** Entries of each cache. */
const maxRemembered = 1_000;

export function createSilentNames(clock: Clock) {
  const limits = { max: maxRemembered, ttl: rememberedMs, ...byClock(clock) };
  const names = new LRUCache<string, true>(limits);
  /** How many of its names are silent. */
  const domains = new LRUCache<string, number>(limits);
  const domainKey = (name: string, queue: string) => `${queue} ${domainOf(name)}`;

  return {
    has: (name: string, queue: string) =>
      (domains.get(domainKey(name, queue)) ?? 0) >= namesOfSilentDomain || names.has(name),
    add: (name: string, queue: string) => {
      const domain = domainKey(name, queue);
      names.set(name, true);
      domains.set(domain, (domains.get(domain) ?? 0) + 1);
    },
    /** Its DNS server answered, even if only with "no such name". */
    answered: (name: string, queue: string) => {
      names.delete(name);
      domains.delete(domainKey(name, queue));
    },
  };
}

/**
 * "docs.example.com" -> "example.com". Under endings such as "co.uk", where strangers are neighbours, one label more.
 */
export function domainOf(name: string): string {
  const labels = name.split(".");
  const [secondLast = "", last = ""] = labels.slice(-2);
  return labels.slice(last.length === 2 && secondLast.length <= 3 ? -3 : -2).join(".");
}
