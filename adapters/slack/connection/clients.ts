/**
 * Creates the Slack Web API clients without retries of their own; two helpers retry after a 429.
 * The library's own retries are off: a blind retry posts twice, and one 429 would pause a client's whole queue,
 * including posts to other channels. Progress has its own client so that it never queues before final answers.
 */
import { type Logger, LogLevel, webApi } from "@slack/bolt";
import { type ErrorCode, ParleyError } from "../../../src/core/errors.ts";
import type { Clock } from "../../../src/core/ports/clock.ts";
import type { Log } from "../../../src/core/ports/log.ts";
import { fetchWithRetryAfter, retry } from "../../../src/core/tools/retry.ts";
import { slackCode, tokenCodes, toPlatformError } from "../writing/api-errors.ts";

export type WebClient = InstanceType<typeof webApi.WebClient>;

export type Clients = {
  readonly progress: WebClient;
  readonly final: WebClient;
  /** For lookups, which `retryWhileBusy` retries. */
  readonly read: WebClient;
};

const progressTimeoutMs = 8_000;
const finalTimeoutMs = 15_000;
const readTimeoutMs = 8_000;

/** A token, or what returns the one that is valid now. */
export type BotToken = string | (() => Promise<string>);

export type ClientOptions = {
  readonly botToken: BotToken;
  readonly apiUrl: string;
  readonly log: Log;
  /** For the token of an organisation, which has to name the workspace in each call. */
  readonly teamId?: string | undefined;
  /** Slack no longer accepts the token. Called after each such call. */
  readonly tokenRefused?: ((code: string) => void) | undefined;
};

export function createClients(options: ClientOptions): Clients {
  const { botToken, teamId, tokenRefused = () => undefined } = options;
  // A rotating token changes while the client lives.
  const send: typeof fetch = async (url, request) => {
    const headers = new Headers(request?.headers);
    headers.set("authorization", `Bearer ${typeof botToken === "string" ? botToken : await botToken()}`);
    return fetchWithRetryAfter(url, { ...request, headers });
  };
  const client = (timeout: number) =>
    new WatchedClient(
      // A new object for each client: the library writes into it.
      { ...clientOptions(options), fetch: send, timeout, ...(teamId === undefined ? {} : { teamId }) },
      tokenRefused,
    );
  return { progress: client(progressTimeoutMs), final: client(finalTimeoutMs), read: client(readTimeoutMs) };
}

/** Tells when Slack refuses the token, whichever call finds out. */
class WatchedClient extends webApi.WebClient {
  readonly #tokenRefused: (code: string) => void;

  constructor(options: webApi.WebClientOptions, tokenRefused: (code: string) => void) {
    super(undefined, options);
    this.#tokenRefused = tokenRefused;
  }

  override async apiCall(...call: Parameters<WebClient["apiCall"]>): ReturnType<WebClient["apiCall"]> {
    try {
      return await super.apiCall(...call);
    } catch (thrown) {
      const code = slackCode(thrown);
      if (code !== undefined && tokenCodes.has(code)) this.#tokenRefused(code);
      // There was no token to send.
      throw thrown instanceof webApi.WebAPIRequestError && thrown.original instanceof ParleyError
        ? thrown.original
        : thrown;
    }
  }
}

/** Without `headers`: the library would write one client's authorisation into that shared object. */
export function clientOptions({ apiUrl, log }: Pick<ClientOptions, "apiUrl" | "log">) {
  return {
    slackApiUrl: apiUrl.endsWith("/") ? apiUrl : `${apiUrl}/`,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    fetch: fetchWithRetryAfter,
    logger: libraryLog(log),
  };
}

const maxTries = 4;
const firstPauseMs = 300;
const maxPauseMs = 30_000;

/** Retries a lookup while Slack is busy or unreachable. Throws ParleyError. */
export function retryWhileBusy<T>(clock: Clock, call: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  return retryCall(clock, call, ["platform_rate_limited", "platform_unreachable"], signal);
}

/** Retries a post only after a rate limit, when Slack did not carry it out, so that nothing is posted twice. */
export function retryAfterRateLimit<T>(clock: Clock, post: () => Promise<T>): Promise<T> {
  return retryCall(clock, post, ["platform_rate_limited"]);
}

function retryCall<T>(
  clock: Clock,
  call: () => Promise<T>,
  temporary: readonly ErrorCode[],
  signal?: AbortSignal,
): Promise<T> {
  const attempt = () => call().catch((thrown: unknown) => Promise.reject(toPlatformError(thrown)));
  return retry(attempt, {
    clock,
    firstPauseMs,
    maxPauseMs,
    signal,
    pauseAfter: (thrown, pauseMs, tries) => {
      const { code, retryAfterMs = pauseMs } = toPlatformError(thrown);
      return temporary.includes(code) && tries < maxTries ? Math.min(retryAfterMs, maxPauseMs) : undefined;
    },
  });
}

/**
 * Passes the library's warnings and errors to the debug log: Parley reports the same once, in words.
 * Its debug and info lines are dropped because they include people's messages.
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
