/**
 * Decides which Discord servers Parley serves, and looks up who belongs to them.
 * Anyone can invite a public bot to their own server, where they are the admin. So a server is served only if the
 * settings name it, or if it was the bot's only server at the first start, which is remembered: later invitations
 * change nothing.
 */
import { LRUCache } from "lru-cache";
import { z } from "zod";
import { ParleyError } from "../../../src/core/errors.ts";
import { byClock } from "../../../src/core/tools/cache-time.ts";
import { platformPauses, retry } from "../../../src/core/tools/retry.ts";
import { noServerReason, unknownServersReason } from "../connection/connection-problems.ts";
import { directWorkspace } from "../ids.ts";
import type { DiscordParts } from "../parts.ts";
import { toPlatformError } from "../writing/api-errors.ts";
import { type DiscordMember, readMember } from "./events.ts";

/** Ids of servers, or "*" for every server the bot is in. Absent: the one of the first start. */
export type NamedServers = "*" | readonly string[];

export type Servers = ReturnType<typeof createServers>;

export type Membership = { readonly serverId: string; readonly member: DiscordMember };

const guildsSchema = z.array(z.looseObject({ id: z.string(), name: z.string().default("") }));
const homeSchema = z.object({ servers: z.array(z.string()) });

/** How long memberships are cached: a person who leaves a server loses access after this time at the latest. */
const memberMs = 60_000;
const maxRemembered = 2_000;
/** The most servers to look a person up in. */
const maxLookups = 50;

const nothing = () => undefined;

export function createServers(
  options: DiscordParts & {
    readonly named?: NamedServers;
    /** Servers the bot is in, according to the gateway. */
    readonly joined: () => readonly string[];
  },
) {
  const { named, rest, keyValue, joined, clock, log } = options;
  const closing = new AbortController();
  const people = new LRUCache<string, readonly Membership[]>({
    max: maxRemembered,
    ttl: memberMs,
    ...byClock(clock),
    ignoreFetchAbort: true,
    fetchMethod: lookUp,
  });
  let learning: Promise<void> | undefined;
  let served: NamedServers | undefined = named;
  let reason: string | undefined;

  /** Retries until Discord answers or the signal aborts. */
  function retryUntilAborted<T>(
    call: () => Promise<T>,
    signal: AbortSignal,
    onFailure = (_: unknown) => {},
  ): Promise<T> {
    return retry(call, {
      clock,
      ...platformPauses,
      signal,
      pauseAfter: (thrown, pauseMs) => {
        if (signal.aborted) return undefined;
        onFailure(thrown);
        return pauseMs;
      },
    });
  }

  async function firstServers(botUserId: string): Promise<readonly string[]> {
    const key = `*/first-servers/${botUserId}`;
    const stored = await keyValue.get(key);
    if (stored !== undefined) return homeSchema.parse(JSON.parse(stored)).servers;
    // Two are enough to see that there are several.
    const query = { limit: "2" };
    const found = guildsSchema.parse(await rest.call("GET", "/users/@me/guilds", { query })).map(({ id }) => id);
    await keyValue.set(key, JSON.stringify({ servers: found }));
    return found;
  }

  async function learnFrom(botUserId: string): Promise<void> {
    const first = await retryUntilAborted(
      () => firstServers(botUserId),
      closing.signal,
      (thrown) => {
        if (reason === undefined) log.warn({ err: thrown }, unknownServersReason);
        reason = unknownServersReason;
      },
    );
    const [only] = first;
    reason = undefined;
    if (only !== undefined && first.length === 1) {
      served = [only];
      log.info({ server: only }, "Parley serves the one Discord server that its bot was in at the first start");
      return;
    }
    served = [];
    reason = noServerReason(first.length > 1);
    log.warn({}, reason);
  }

  async function memberOf(serverId: string, userId: string): Promise<readonly Membership[]> {
    try {
      const member = readMember(await rest.call("GET", `/guilds/${serverId}/members/${userId}`));
      return member === undefined ? [] : [{ serverId, member }];
    } catch (thrown) {
      // Not a member, or the bot is no longer in that server.
      if (["message_gone", "place_gone", "not_permitted"].includes(toPlatformError(thrown).code)) return [];
      throw thrown;
    }
  }

  async function lookUp(userId: string): Promise<readonly Membership[]> {
    // Until Parley knows what it serves, nobody is known not to belong to it.
    if (served === undefined) throw new ParleyError("platform_unreachable");
    const ids = served === "*" ? joined() : served;
    return (await Promise.all(ids.slice(0, maxLookups).map((id) => memberOf(id, userId)))).flat();
  }

  return {
    /** Finds out which servers are served, once. Resolves when that is known. */
    learn: (botUserId: string): Promise<void> => {
      learning ??= named === undefined ? learnFrom(botUserId) : Promise.resolve();
      return learning;
    },
    serves: (workspace: string): boolean =>
      workspace === directWorkspace || served === "*" || served?.includes(workspace) === true,
    /**
     * The served servers that a person belongs to, for direct messages. Undefined if Discord does not answer within
     * `limitMs`; unknown people aren't served.
     */
    membershipsOf: (userId: string, limitMs: number): Promise<readonly Membership[] | undefined> => {
      const ending = new AbortController();
      const lookUpWhenServed = () => Promise.resolve(learning).then(() => people.forceFetch(userId));
      const found = retryUntilAborted(lookUpWhenServed, ending.signal).catch(() => undefined);
      const late = clock.sleep(limitMs, ending.signal).then(nothing, nothing);
      return Promise.race([found, late]).finally(() => ending.abort());
    },
    /** Why nothing is served, for /readyz and the log. */
    problem: (): string | undefined => reason,
    close: (): void => closing.abort(),
  };
}
