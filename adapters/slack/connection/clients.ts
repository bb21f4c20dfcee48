/**
 * The Web API clients. None retries or waits by itself: a blind retry posts twice, and one 429 would pause a client's
 * whole queue, posts to other channels included. Progress has a client of its own so that it never stands before finals.
 */
import { type Logger, LogLevel, webApi } from "@slack/bolt";
import type { Clock } from "../../../src/ports/clock.ts";
import type { ErrorCode } from "../../../src/ports/errors.ts";
import type { Log } from "../../../src/ports/log.ts";
import { toPlatformError } from "../writing/api-errors.ts";

export type WebClient = InstanceType<typeof webApi.WebClient>;

export type Clients = {
  readonly progress: WebClient;
  readonly final: WebClient;
  /** Lookups, repeated by `patiently`. */
  readonly read: WebClient;
};

const progressTimeoutMs = 8_000;
const finalTimeoutMs = 15_000;
const readTimeoutMs = 8_000;

export type ClientOptions = { readonly botToken: string; readonly apiUrl?: string; readonly log: Log };

export function createClients(options: ClientOptions): Clients {
  const client = (timeout: number) =>
    new webApi.WebClient(options.botToken, {
      // Each gets an object of its own: the library writes into what it is given.
      ...clientOptions(options),
      timeout,
    });
  return { progress: client(progressTimeoutMs), final: client(finalTimeoutMs), read: client(readTimeoutMs) };
}

/** Never `headers`: the library would put one client's authorisation into the object that all share. */
export function clientOptions({ apiUrl, log }: Pick<ClientOptions, "apiUrl" | "log">) {
  return {
    ...(apiUrl === undefined ? {} : { slackApiUrl: apiUrl.endsWith("/") ? apiUrl : `${apiUrl}/` }),
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    logger: libraryLog(log),
  };
}

const maxTries = 4;
const firstPauseMs = 300;
const maxPauseMs = 30_000;

/** Repeats a lookup that Slack was too busy for; anything else is thrown as a ParleyError at once. */
export function patiently<T>(clock: Clock, call: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  return repeated(clock, call, ["platform_rate_limited", "platform_unreachable"], signal);
}

/** The same for a post: repeated only where Slack said that it was not carried out, so that it never stands there twice. */
export function whenAllowed<T>(clock: Clock, post: () => Promise<T>): Promise<T> {
  return repeated(clock, post, ["platform_rate_limited"]);
}

async function repeated<T>(
  clock: Clock,
  call: () => Promise<T>,
  passing: readonly ErrorCode[],
  signal?: AbortSignal,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await call();
    } catch (thrown) {
      const error = toPlatformError(thrown);
      if (!passing.includes(error.code) || tries >= maxTries) throw error;
      const pauseMs = error.retryAfterMs ?? firstPauseMs * 2 ** (tries - 1);
      await clock.sleep(Math.min(pauseMs, maxPauseMs), signal);
    }
  }
}

/**
 * The library's own words are for debugging only: they repeat what Parley reports once and in words, and their debug
 * lines hold people's messages.
 */
export function libraryLog(log: Log): Logger {
  const quiet = () => undefined;
  const say = (...parts: readonly unknown[]) => {
    log.debug(
      { library: "slack" },
      parts.map((part) => (part instanceof Error ? part.message : String(part))).join(" "),
    );
  };
  return {
    debug: quiet,
    info: quiet,
    warn: say,
    error: say,
    setLevel: quiet,
    getLevel: () => LogLevel.WARN,
    setName: quiet,
  };
}
