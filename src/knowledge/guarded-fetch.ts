/**
 * Fetches what people name, and nothing that the address policy refuses. A check before the request would not do: a
 * server may redirect inside, and a name may resolve to another address when the connection is made. So each hop is
 * checked as text, and each connection where its address is known: in the lookup that the socket itself uses.
 */
import type { LookupFunction } from "node:net";
import { Agent, type Dispatcher, EnvHttpProxyAgent, fetch, type Response } from "undici";
import type { Clock } from "../bridge/ports/clock.ts";
import { addressSentences, pageSentences } from "../presentation/sentences-knowledge.ts";
import { firstRule } from "./address-gate.ts";
import { type AddressPolicy, type AddressRule, checkAddress } from "./address-policy.ts";
import { ReadFailure } from "./read-failure.ts";

export type Fetched = {
  /** After redirects. */
  readonly url: string;
  readonly status: number;
  /** As the server claims it; "" when it says nothing. */
  readonly contentType: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
};

export type FetchLimits = {
  readonly maxBytes: number;
  /** Of the whole exchange, redirects included. */
  readonly limitMs: number;
  readonly maxRedirects: number;
  /** A body that is too large is cut instead of refused. */
  readonly cutsBody: boolean;
  /** A body that announces more is refused also where it would be cut. */
  readonly maxAnnouncedBytes: number;
};

const pageLimits: FetchLimits = {
  maxBytes: 10 * 1024 * 1024,
  limitMs: 30_000,
  maxRedirects: 5,
  cutsBody: false,
  maxAnnouncedBytes: 10 * 1024 * 1024,
};

export type GuardedFetch = {
  /** Any status resolves, with its body only when it is 2xx. Throws ReadFailure, or the signal's reason. */
  readonly get: (url: string, options?: Partial<FetchLimits> & { readonly signal?: AbortSignal }) => Promise<Fetched>;
  readonly close: () => Promise<void>;
};

export type GuardedFetchOptions = {
  readonly policy: AddressPolicy;
  readonly clock: Clock;
  /** As sites see it. */
  readonly userAgent: string;
  /** Of every connection: name-lookup.ts. */
  readonly lookup: LookupFunction;
  /** Then the proxy resolves the names; what is reached without it is still checked here. */
  readonly proxy?: { readonly httpProxy?: string; readonly httpsProxy?: string; readonly noProxy?: string };
};

const connectMs = 10_000;
const keepAliveMs = 4_000;
const accepted = "text/html, application/xhtml+xml, text/markdown, text/plain;q=0.9, */*;q=0.5";

class RefusedAddress extends Error {
  readonly rule: AddressRule;
  constructor(rule: AddressRule) {
    super(`Refused by the address policy: ${rule}`);
    this.rule = rule;
  }
}

export function createGuardedFetch(options: GuardedFetchOptions): GuardedFetch {
  const { policy, clock, userAgent } = options;
  const connect = { lookup: guardedLookup(policy, options.lookup), timeout: connectMs };
  const common = { connect, keepAliveTimeout: keepAliveMs, headersTimeout: 0, bodyTimeout: 0 };
  const dispatcher: Dispatcher =
    options.proxy === undefined ? new Agent(common) : new EnvHttpProxyAgent({ ...common, ...options.proxy });

  async function follow(start: string, limits: FetchLimits, signal: AbortSignal): Promise<Fetched> {
    let url = start;
    for (let hops = 0; ; hops += 1) {
      checkHop(url, hops, policy);
      const response = await fetch(url, {
        dispatcher,
        signal,
        redirect: "manual",
        headers: { "user-agent": userAgent, accept: accepted },
      });
      const location = response.headers.get("location");
      if (response.status < 300 || response.status >= 400 || location === null) {
        return { ...(await readBody(response, limits)), url };
      }
      await response.body?.cancel();
      if (hops >= limits.maxRedirects) throw new ReadFailure("unreadable", pageSentences.redirects);
      const next = URL.parse(location, url);
      if (next === null) throw new ReadFailure("unreadable", pageSentences.unreachable);
      url = next.href;
    }
  }

  return {
    get: async (url, { signal, ...changes } = {}) => {
      const limits = { ...pageLimits, ...changes };
      const limit = new AbortController();
      const late = new ReadFailure("unreachable", pageSentences.slow(Math.round(limits.limitMs / 1000)));
      const cancel = clock.after(limits.limitMs, () => limit.abort(late));
      try {
        return await follow(url, limits, signal === undefined ? limit.signal : AbortSignal.any([limit.signal, signal]));
      } catch (thrown) {
        if (signal?.aborted) throw signal.reason;
        throw limit.signal.aborted ? late : failureOf(thrown);
      } finally {
        cancel();
      }
    },
    close: async () => {
      await dispatcher.destroy();
    },
  };
}

/** What the socket itself will connect to, checked before it does. */
function guardedLookup(policy: AddressPolicy, resolve: LookupFunction): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, found) => {
      const all = Array.isArray(found) ? found : [];
      const rule =
        error === null
          ? firstRule(
              all.map(({ address }) => address),
              policy,
            )
          : undefined;
      const [first] = all;
      if (error !== null) callback(error, "", 0);
      else if (rule !== undefined || first === undefined) callback(new RefusedAddress(rule ?? "unresolved"), "", 0);
      else if (options.all === true) callback(null, all);
      else callback(null, first.address, first.family);
    });
  };
}

function checkHop(url: string, hops: number, policy: AddressPolicy): void {
  const verdict = checkAddress(url, policy);
  if (verdict.kind === "allowed") return;
  const why = addressSentences[verdict.rule];
  throw new ReadFailure("refused", hops === 0 ? why : pageSentences.redirectRefused(why));
}

async function readBody(response: Response, limits: FetchLimits): Promise<Omit<Fetched, "url">> {
  const { status } = response;
  const contentType = response.headers.get("content-type") ?? "";
  const tooLarge = (bytes: number) =>
    new ReadFailure("unreadable", pageSentences.tooLarge(Math.round(bytes / 1024 ** 2)));
  if (status < 200 || status >= 300 || response.body === null) {
    await response.body?.cancel();
    return { status, contentType, bytes: new Uint8Array() };
  }
  if (Number(response.headers.get("content-length") ?? 0) > limits.maxAnnouncedBytes) {
    await response.body.cancel();
    throw tooLarge(limits.maxAnnouncedBytes);
  }
  const parts: Uint8Array[] = [];
  let size = 0;
  // Counted after decompression: a small file may unpack to a large one.
  for await (const part of response.body as AsyncIterable<Uint8Array>) {
    parts.push(part.subarray(0, limits.maxBytes - size));
    size += part.length;
    if (size <= limits.maxBytes) continue;
    if (!limits.cutsBody) throw tooLarge(limits.maxBytes);
    break;
  }
  return { status, contentType, bytes: joinBytes(parts) };
}

/** In a buffer of their own: Buffer.concat would put few bytes into one that it shares. */
export function joinBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** undici wraps what happened in a "fetch failed"; the reason is somewhere in its causes. */
function failureOf(thrown: unknown): ReadFailure {
  let code = "";
  for (let at: unknown = thrown; at instanceof Error; at = at.cause) {
    if (at instanceof ReadFailure) return at;
    const nested = at instanceof AggregateError ? at.errors : [at];
    const refused = nested.find((error: unknown) => error instanceof RefusedAddress);
    if (refused instanceof RefusedAddress) return new ReadFailure("refused", addressSentences[refused.rule], thrown);
    if ("code" in at && typeof at.code === "string") code = at.code;
  }
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") {
    return new ReadFailure("unreachable", addressSentences.unresolved, thrown);
  }
  const isTls = /CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code);
  return new ReadFailure("unreachable", isTls ? pageSentences.noHttps : pageSentences.unreachable, thrown);
}
