/**
 * Creates the Discord REST client for all calls.
 * It is separate from the gateway's client, so that Parley can still answer while the gateway is disconnected. The
 * token is set before each call, because the library forgets it after a 401.
 */
import { DiscordAPIError, REST, type RESTOptions, type RequestMethod } from "discord.js";
import type { Clock } from "../../../src/ports/clock.ts";
import { present } from "../../../src/ports/tools/present.ts";
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
};

export type Rest = {
  /** Resolves with Discord's response, unparsed. Rejects with ParleyError, whose cause is discord.js's error. */
  readonly call: (method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE", route: string, call?: Call) => Promise<unknown>;
  /** Whether Discord refused the token and has accepted no call since. */
  readonly isRefused: () => boolean;
};

export function createRest(options: { readonly token: string; readonly apiUrl: string; readonly clock: Clock }): Rest {
  const { token, apiUrl } = options;
  const limiter = createRequestLimiter(options.clock);
  const impatient = new Map<string, number>();
  let isRefused = false;
  const shared = {
    version: "10",
    api: apiUrl,
    timeout: requestTimeoutMs,
    // Not the library's own undici: with Parley's dispatcher it refuses form data, and every file was lost.
    makeRequest: fetch as unknown as RESTOptions["makeRequest"],
  };
  const rest = new REST({
    ...shared,
    retries: requestRetries,
    rejectOnRateLimit: ({ global, method, url }) => !global && impatient.has(`${method.toUpperCase()} ${url}`),
  });
  const once = new REST({ ...shared, retries: 0 });

  return {
    call: async (method, route, call = {}) => {
      const { body, query, files, signal, isPublic = false, isImpatient = false, isOnce = false } = call;
      const { isUrgent = false } = call;
      signal?.throwIfAborted();
      const answered = isPublic ? () => undefined : await limiter.acquire(isUrgent);
      const url = `${method} ${apiUrl}/v10${route}`;
      if (isImpatient) impatient.set(url, (impatient.get(url) ?? 0) + 1);
      const client = isOnce ? once : rest;
      client.setToken(token);
      try {
        const answer = await client.request({
          method: method as RequestMethod,
          fullRoute: route as `/${string}`,
          ...present({
            body,
            query: query && new URLSearchParams(query),
            files: files && [...files],
            signal,
            auth: isPublic ? false : undefined,
          }),
        });
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
