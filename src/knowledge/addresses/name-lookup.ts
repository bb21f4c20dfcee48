/**
 * Resolves host names from untrusted input without blocking Node's thread pool. Node's own lookup (getaddrinfo) holds
 * one of libuv's four threads until the name server answers, which a silent one never does, and all other lookups and
 * file reads would wait behind it. c-ares uses a socket of the event loop and times out.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { LookupAddress } from "node:dns";
import { Resolver, lookup as systemLookup } from "node:dns/promises";
import { statSync } from "node:fs";
import { isIPv6, type LookupFunction } from "node:net";
import type { Clock } from "../../core/ports/clock.ts";
import { createFairTurns } from "../../core/tools/fair-turns.ts";
import { looksInternal, plainName } from "./address-policy.ts";
import { createHostsFile } from "./hosts-file.ts";
import { createSilentNames, domainOf } from "./silent-names.ts";

export type NameLookup = ReturnType<typeof createNameLookup>;

/** Per name server of the system, and per address family. */
const timeoutMs = 2_000;
const limits = { atOnce: 16, perQueue: 4 };
const systemServers = "/etc/resolv.conf";

export function createNameLookup(options: {
  readonly clock: Clock;
  /** `address:port`. Default: the system's servers. */
  readonly servers?: readonly string[];
  readonly hostsPath?: string;
}) {
  const { clock, servers, hostsPath } = options;
  const knownHere = createHostsFile(hostsPath);
  const silent = createSilentNames(clock);
  const turns = createFairTurns(limits);
  /**
   * Internal names need what only the system knows (search domains, mDNS), so they use one thread of libuv's, and no
   * more.
   */
  const internalTurns = createFairTurns({ atOnce: 1, perQueue: 1 });
  const owners = new AsyncLocalStorage<string>();
  const inFlight = new Map<string, Promise<readonly LookupAddress[]>>();
  const resolverNow = createResolver(servers);

  async function askServers(name: string, queue: string): Promise<readonly LookupAddress[]> {
    if (silent.has(name, queue)) throw notFound(name);
    const resolver = resolverNow();
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const found = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
    const codes = answers.flatMap((answer) => (answer.status === "rejected" ? [String(answer.reason?.code)] : []));
    // One answer of two shows that the server is alive.
    if (codes.length === answers.length && codes.includes("ETIMEOUT")) silent.add(name, queue);
    else silent.answered(name, queue);
    if (found.length === 0) throw notFound(name, codes);
    return found.map(asLookupAddress);
  }

  async function askSystem(name: string, queue: string): Promise<readonly LookupAddress[]> {
    if (silent.has(name, queue)) throw notFound(name);
    try {
      return await systemLookup(name, { all: true });
    } catch (thrown) {
      // getaddrinfo's code for a server that didn't answer.
      if (thrown instanceof Error && "code" in thrown && thrown.code === "EAI_AGAIN") silent.add(name, queue);
      throw thrown;
    }
  }

  /** All addresses of a name. Rejects with code ENOTFOUND when there are none, or on a timeout. */
  function resolve(hostname: string): Promise<readonly LookupAddress[]> {
    const name = plainName(hostname);
    const own = knownHere(name);
    if (own !== undefined) return Promise.resolve(own.map(asLookupAddress));
    const owner = owners.getStore();
    const queue = owner === undefined ? `domain ${domainOf(name)}` : `owner ${owner}`;
    // Only with INGEST_ALLOW_PRIVATE: otherwise the policy has already refused such names.
    if (looksInternal(name)) return internalTurns.run(queue, () => askSystem(name, queue));
    // Shared only within one queue: a second caller must not wait behind another owner's silent names.
    const key = `${queue} ${name}`;
    const running = inFlight.get(key);
    if (running !== undefined) return running;
    const begun = turns.run(queue, () => askServers(name, queue));
    inFlight.set(key, begun);
    const forget = () => inFlight.delete(key);
    begun.then(forget, forget);
    return begun;
  }

  return {
    resolve,
    /** The same, in the form that sockets expect. */
    lookup: ((hostname, { all }, callback) => {
      resolve(hostname).then(
        (found) => {
          const [first] = found;
          if (all === true) callback(null, [...found]);
          else callback(null, first?.address ?? "", first?.family);
        },
        (thrown) => callback(thrown, "", 0),
      );
    }) satisfies LookupFunction,
    /** Lookups inside `work` queue under `owner`; others queue under their domain. */
    asOwner: <T>(owner: string, work: () => Promise<T>): Promise<T> => owners.run(owner, work),
  };
}

/** A resolver remembers which of its servers answer. It is replaced when the system's servers change. */
function createResolver(servers: readonly string[] | undefined): () => Resolver {
  const make = () => {
    const resolver = new Resolver({ timeout: timeoutMs, tries: 1 });
    if (servers !== undefined) resolver.setServers(servers);
    return resolver;
  };
  let resolver = make();
  let version = servers === undefined ? versionOf(systemServers) : 0;
  return () => {
    const now = servers === undefined ? versionOf(systemServers) : 0;
    if (now !== version) {
      resolver = make();
      version = now;
    }
    return resolver;
  };
}

function versionOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function asLookupAddress(address: string): LookupAddress {
  return { address, family: isIPv6(address) ? 6 : 4 };
}

/** The code that Node's lookup uses, whatever c-ares reported. */
function notFound(name: string, codes: readonly string[] = ["remembered as silent"]): Error {
  return Object.assign(new Error(`${name} does not resolve (${codes.join(", ")})`), { code: "ENOTFOUND" });
}
