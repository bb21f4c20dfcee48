/**
 * Creates the Discord REST client for all calls.
 * It is separate from the gateway's client, so that Parley can still answer while the gateway is disconnected. The
 * token is set before each call, because the library forgets it after a 401.
 */

import { DiscordAPIError, REST, RESTEvents, type RESTOptions, type RequestMethod } from "@discordjs/rest";
import { LRUCache } from "lru-cache";
import { ParleyError } from "../../../src/core/errors.ts";
import type { Clock } from "../../../src/core/ports/clock.ts";
import type { Log } from "../../../src/core/ports/log.ts";
import { orAborted } from "../../../src/core/tools/abortable.ts";
import { byClock } from "../../../src/core/tools/cache-time.ts";
import { fetchWithRetryAfter } from "../../../src/core/tools/retry.ts";
import { requestRetries, requestTimeoutMs } from "../limits.ts";
import { toPlatformError } from "../writing/api-errors.ts";
import { createRequestLimiter } from "../writing/request-limiter.ts";

export type Call = {
  readonly body?: unknown;
  readonly query?: Readonly<Record<string, string>>;
  readonly files?: readonly { readonly name: string; readonly data: Buffer; readonly contentType: string }[];
  readonly signal?: AbortSignal;
  /** The URL itself contains a token, so no authorisation is sent. */
  readonly isPublic?: boolean;
  /** Rejects instead of waiting when the channel is rate limited. */
  readonly isImpatient?: boolean;
  /** Goes before other calls when there are too many at once. */
  readonly isUrgent?: boolean;
  /** Never retried, because a retry would post a second message. */
  readonly isOnce?: boolean;
  /**
   * Its limit holds up no other call. Discord may name one bucket for routes that it counts apart (reported in
   * discord-api-docs#8073), and discord.js believes it: once no thread could be opened in a channel, nothing could be
   * posted there for five minutes either.
   */
  readonly isApart?: boolean;
};

export type Rest = {
  /** Resolves with Discord's response, unparsed. Rejects with ParleyError, whose cause is discord.js's error. */
  readonly call: (method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE", route: string, call?: Call) => Promise<unknown>;
  /** Whether Discord refused the token and has accepted no call since. */
  readonly isRefused: () => boolean;
};

/** discord.js waits silently until a limit is over. Longer waits are logged, since nothing is shown there meanwhile. */
const longWaitMs = 10_000;
const maxRememberedWaits = 100;

/**
 * How all clients send their requests: by Node's own fetch. The library would use undici, which sends them by HTTP/2
 * where a server offers it, and has refused form data.
 */
export const requestOptions = (apiUrl: string) => ({
  version: "10",
  api: apiUrl,
  timeout: requestTimeoutMs,
  makeRequest: fetchWithRetryAfter as unknown as RESTOptions["makeRequest"],
});

export function createRest(options: {
  readonly token: string;
  readonly apiUrl: string;
  readonly clock: Clock;
  readonly log?: Log;
}): Rest {
  const { token, apiUrl, clock, log } = options;
  const limiter = createRequestLimiter(clock);
  const impatient = new Map<string, number>();
  /** What has to wait, until it no longer has to. */
  const waits = new LRUCache<string, true>({ max: maxRememberedWaits, ...byClock(clock) });
  let isRefused = false;
  const shared = requestOptions(apiUrl);
  const retrying: Partial<RESTOptions> = {
    ...shared,
    retries: requestRetries,
    rejectOnRateLimit: ({ global, method, url }) => !global && impatient.has(`${method.toUpperCase()} ${url}`),
  };
  const rest = new REST(retrying);
  const apart = new REST(retrying);
  const once = new REST({ ...shared, retries: 0 });
  // Discord doesn't count these among the bot's requests in a second, but discord.js does.
  const uncounted = { globalRequestsPerSecond: Number.POSITIVE_INFINITY };
  const byToken = new REST({ ...retrying, ...uncounted });
  const byTokenOnce = new REST({ ...shared, ...uncounted, retries: 0 });
  rest.on(RESTEvents.RateLimited, ({ method, route, majorParameter, retryAfter: waitMs, url }) => {
    const key = `${method} ${route} ${majorParameter}`;
    const isImpatient = impatient.has(`${method.toUpperCase()} ${url}`);
    if (isImpatient || waitMs < longWaitMs || waits.has(key)) return;
    waits.set(key, true, { ttl: waitMs });
    const fields = { method, route, channel: majorParameter, waitS: Math.round(waitMs / 1_000) };
    log?.warn(fields, "Discord limits Parley for a while; what is to be shown there waits");
  });

  const clientFor = ({ isPublic, isOnce, isApart }: Call): REST => {
    if (isPublic === true) return isOnce === true ? byTokenOnce : byToken;
    if (isOnce === true) return once;
    return isApart === true ? apart : rest;
  };

  return {
    call: async (method, route, call = {}) => {
      const { body, query, files, signal, isPublic = false, isImpatient = false } = call;
      const { isUrgent = false } = call;
      signal?.throwIfAborted();
      const answered = isPublic ? () => undefined : await limiter.acquire(isUrgent);
      const url = `${method} ${apiUrl}/v10${route}`;
      if (isImpatient) impatient.set(url, (impatient.get(url) ?? 0) + 1);
      const client = clientFor(call);
      client.setToken(token);
      try {
        const asked = client.request({
          method: method as RequestMethod,
          fullRoute: route as `/${string}`,
          body,
          query: query && new URLSearchParams(query),
          files: files && [...files],
          signal,
          auth: isPublic ? false : undefined,
        });
        // discord.js itself continues to wait for a limit to be over, but then sends nothing.
        const answer = await (signal === undefined ? asked : orAborted(asked, signal));
        // discord.js takes what isn't JSON for the answer: a page from something in front of Discord.
        if (answer instanceof ArrayBuffer && answer.byteLength > 0) throw new ParleyError("platform_unreachable");
        if (!isPublic) isRefused = false;
        return answer;
      } catch (thrown) {
        signal?.throwIfAborted();
        if (!isPublic && thrown instanceof DiscordAPIError && thrown.status === 401) isRefused = true;
        throw toPlatformError(thrown);
      } finally {
        answered();
        if (isImpatient) {
          const left = (impatient.get(url) ?? 1) - 1;
          if (left === 0) impatient.delete(url);
          else impatient.set(url, left);
        }
      }
    },
    isRefused: () => isRefused,
  };
}
