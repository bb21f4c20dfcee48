/**
 * Fetches URLs that people give, and nothing that the address policy refuses. A check before the request isn't enough:
 * a server may redirect to an internal address, and a name may resolve differently when the connection is made. So each
 * hop is checked as text, and each connection in the lookup that the socket itself uses.
 */
import { open } from "node:fs/promises";
import type { LookupFunction } from "node:net";
import { Agent, type Dispatcher, EnvHttpProxyAgent, fetch, type Response } from "undici";
import type { Clock } from "../../core/ports/clock.ts";
import { addressSentences, pageSentences } from "../../presentation/sentences.ts";
import { firstRule } from "../addresses/address-gate.ts";
import { type AddressPolicy, type AddressRule, checkAddress } from "../addresses/address-policy.ts";
import { maxPageBytes } from "../foreign/content-limits.ts";
import { ReadFailure } from "./read-failure.ts";

export type Answered = {
  /** After redirects. */
  readonly url: string;
  readonly status: number;
  /** As the server states it, or "". */
  readonly contentType: string;
  /** `X-Robots-Tag`, if the server sends one. */
  readonly robotsTag?: string;
  /** `Retry-After`, which is a number of seconds or a date. */
  readonly retryAfterMs?: number;
  /** The body is longer than what was taken of it. */
  readonly isCut?: boolean;
};
export type Fetched = Answered & { readonly bytes: Uint8Array };

export type FetchLimits = {
  /** May depend on the media type. */
  readonly maxBytes: number | ((contentType: string) => number);
  /** For the whole exchange, including redirects. */
  readonly limitMs: number;
  readonly maxRedirects: number;
  /** Truncates a body that is too large instead of refusing it; may depend on the media type. */
  readonly cutsBody: boolean | ((contentType: string) => boolean);
  /** A body with a larger Content-Length is refused even where it would be truncated. */
  readonly maxAnnouncedBytes: number;
};

const pageLimits: FetchLimits = {
  maxBytes: maxPageBytes,
  limitMs: 30_000,
  maxRedirects: 5,
  cutsBody: false,
  maxAnnouncedBytes: maxPageBytes,
};

type FetchOptions = Partial<FetchLimits> & {
  readonly signal?: AbortSignal | undefined;
  /** Sent to that URL, which may be a redirect's; what it throws ends the exchange. */
  readonly headers?: (url: string) => Promise<Readonly<Record<string, string>>>;
  /** Posts it. */
  readonly body?: Uint8Array;
  /** Called before each redirect is followed; what it throws ends the exchange. */
  readonly beforeRedirect?: ((url: string) => Promise<unknown>) | undefined;
};

/** Resolves for any status, with a body only for 2xx. All throw ReadFailure, or the signal's reason. */
export type GuardedFetch = {
  /** For small bodies. */
  readonly get: (url: string, options?: FetchOptions) => Promise<Fetched>;
  /**
   * Writes the body into a new file as it arrives. `onPart`: called before each write with its size; if it throws, the
   * download ends.
   */
  readonly save: (
    url: string,
    path: string,
    options?: FetchOptions & { readonly onPart?: (bytes: number) => void },
  ) => Promise<Answered>;
  readonly close: () => Promise<void>;
};

export type GuardedFetchOptions = {
  readonly policy: AddressPolicy;
  readonly clock: Clock;
  /** Sent to sites. */
  readonly userAgent: string;
  /** Used for every connection: name-lookup.ts. */
  readonly lookup: LookupFunction;
  /** The proxy then resolves names; connections that bypass it are still checked here. */
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

  async function follow(
    start: string,
    limits: FetchLimits & Pick<FetchOptions, "beforeRedirect" | "headers" | "body">,
    signal: AbortSignal,
    sink: Sink,
  ): Promise<Answered> {
    let url = start;
    for (let hops = 0; ; hops += 1) {
      checkHop(url, hops, policy);
      if (hops > 0) await limits.beforeRedirect?.(url);
      const response = await fetch(url, {
        dispatcher,
        signal,
        redirect: "manual",
        headers: { "user-agent": userAgent, accept: accepted, ...(await limits.headers?.(url)) },
        method: limits.body === undefined ? "GET" : "POST",
        body: limits.body ?? null,
      });
      const location = response.headers.get("location");
      if (response.status < 300 || response.status >= 400 || location === null) {
        const isCut = await readBody(response, limits, sink);
        const header = (name: string) => response.headers.get(name) ?? undefined;
        return {
          url,
          status: response.status,
          contentType: header("content-type") ?? "",
          robotsTag: header("x-robots-tag"),
          retryAfterMs: pauseIn(header("retry-after"), clock),
          isCut: isCut ? true : undefined,
        };
      }
      await response.body?.cancel();
      if (hops >= limits.maxRedirects) throw new ReadFailure("unreadable", pageSentences.redirects);
      const next = URL.parse(asUtf8(location), url);
      if (next === null) throw new ReadFailure("unreadable", pageSentences.unreachable);
      url = next.href;
    }
  }

  async function exchange(url: string, { signal, ...changes }: FetchOptions, sink: Sink): Promise<Answered> {
    const limits = { ...pageLimits, ...changes };
    const limit = new AbortController();
    const late = new ReadFailure("unreachable", pageSentences.slow(Math.round(limits.limitMs / 1000)));
    const cancel = clock.after(limits.limitMs, () => limit.abort(late));
    const either = signal === undefined ? limit.signal : AbortSignal.any([limit.signal, signal]);
    try {
      return await follow(url, limits, either, sink);
    } catch (thrown) {
      if (signal?.aborted) throw signal.reason;
      throw limit.signal.aborted ? late : failureOf(thrown);
    } finally {
      cancel();
    }
  }

  return {
    get: async (url, options = {}) => {
      const parts: Uint8Array[] = [];
      const answered = await exchange(url, options, (part) => void parts.push(part));
      return { ...answered, bytes: Buffer.concat(parts) };
    },
    save: async (url, path, options = {}) => {
      const file = await open(path, "wx");
      try {
        return await exchange(url, options, (part) => {
          options.onPart?.(part.length);
          return file.appendFile(part);
        });
      } finally {
        await file.close();
      }
    },
    close: async () => {
      await dispatcher.destroy();
    },
  };
}

/** Checks the addresses that the socket is about to connect to. */
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

/** Receives a piece of a body. */
type Sink = (part: Uint8Array) => Promise<void> | void;

/** Many servers write a URL's letters unescaped, in UTF-8; headers are read as Latin-1. */
function asUtf8(header: string): string {
  if (!/[\x80-\xff]/.test(header)) return header;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(header, "latin1"));
  } catch {
    return header;
  }
}

function pauseIn(retryAfter: string | undefined, clock: Clock): number | undefined {
  if (retryAfter === undefined) return undefined;
  const seconds = Number(retryAfter);
  const ms = Number.isNaN(seconds) ? Date.parse(retryAfter) - clock.now() : seconds * 1000;
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

/** True if it was cut. */
async function readBody(response: Response, limits: FetchLimits, sink: Sink): Promise<boolean> {
  const { status } = response;
  const contentType = response.headers.get("content-type") ?? "";
  const cuts = typeof limits.cutsBody === "boolean" ? limits.cutsBody : limits.cutsBody(contentType);
  const maxBytes = typeof limits.maxBytes === "number" ? limits.maxBytes : limits.maxBytes(contentType);
  const maxAnnouncedBytes = Math.max(maxBytes, limits.maxAnnouncedBytes);
  const tooLarge = (bytes: number) =>
    new ReadFailure("unreadable", pageSentences.tooLarge(Math.round(bytes / 1024 ** 2)));
  if (status < 200 || status >= 300 || response.body === null) {
    await response.body?.cancel();
    return false;
  }
  const announced = Number(response.headers.get("content-length") ?? 0);
  // What may be cut may be cut at once.
  if (announced > maxAnnouncedBytes && (limits.cutsBody === true || !cuts)) {
    await response.body.cancel();
    throw tooLarge(maxAnnouncedBytes);
  }
  let size = 0;
  // Counted after decompression: a small file may unpack to a large one.
  for await (const part of response.body as AsyncIterable<Uint8Array>) {
    await sink(part.subarray(0, maxBytes - size));
    size += part.length;
    if (size <= maxBytes) continue;
    if (!cuts) throw tooLarge(maxBytes);
    return true;
  }
  return false;
}

/** undici wraps errors in "fetch failed"; the reason is somewhere in the chain of causes. */
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
