/**
 * Remembers names whose DNS server didn't answer, so that nobody waits for them again. For a while they count as not
 * resolving. A domain with several such names and no answer counts as silent as a whole, but only for the owner who
 * asked: strangers may share a domain.
 */
import type { Clock } from "../../ports/clock.ts";
import { keepNewest } from "../../ports/tools/newest.ts";

/** Short, because one lost packet also makes a name silent. */
const rememberedMs = 60_000;
const namesOfSilentDomain = 3;
/** Entries of each map; the oldest are dropped first. */
const maxRemembered = 1_000;

export function createSilentNames(clock: Clock) {
  const names = new Map<string, { readonly untilMs: number }>();
  const domains = new Map<string, { readonly untilMs: number; readonly silent: number }>();
  const domainKey = (name: string, queue: string) => `${queue} ${domainOf(name)}`;

  return {
    has: (name: string, queue: string) => {
      const nowMs = clock.now();
      const domain = domains.get(domainKey(name, queue));
      const isSilentDomain = domain !== undefined && domain.silent >= namesOfSilentDomain && domain.untilMs > nowMs;
      return isSilentDomain || (names.get(name)?.untilMs ?? 0) > nowMs;
    },
    add: (name: string, queue: string) => {
      const untilMs = clock.now() + rememberedMs;
      const domain = domainKey(name, queue);
      const before = domains.get(domain);
      const silent = before !== undefined && before.untilMs > clock.now() ? before.silent : 0;
      remember(names, name, { untilMs });
      remember(domains, domain, { untilMs, silent: silent + 1 });
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

function remember<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  map.set(key, value);
  keepNewest(map, maxRemembered);
}
