/**
 * Looks up people with users.info and caches the result for five minutes.
 * The payload's team ids decide the organisation if it has them, else the lookup; if neither says, the person counts as
 * external. A person of this organisation who can't be looked up gets a guest's rights: they can only ask. Only Slack's
 * answers are cached, never such a guess.
 */
import { LRUCache } from "lru-cache";
import type { Actor } from "../../../src/core/model/place.ts";
import { byClock, upTo } from "../../../src/core/tools/cache-time.ts";
import { withTimeout } from "../../../src/core/tools/timeout.ts";
import type { WebClient } from "../connection/clients.ts";
import type { Self } from "../ids.ts";
import { usersBurst, usersIntervalMs } from "../limits.ts";
import type { SlackParts } from "../parts.ts";
import { slackCode, toPlatformError } from "../writing/api-errors.ts";
import { createRateLimiter } from "../writing/rate-limiter.ts";
import type { SlackMessage } from "./events.ts";
import { combined, type Organisation, organisationOf } from "./organisation.ts";

export type Actors = ReturnType<typeof createActors>;

/** Also the longest time that someone keeps rights after losing them. */
const rememberedMs = 5 * 60_000;
/** The acknowledgement waits for the lookup and must not take 3 s. */
const maxWaitMs = 1_000;
/** Of that, the time to wait for Slack's limit: in a crowd of strangers some can't be looked up in time. */
const maxQueuedMs = 700;
const maxRemembered = 10_000;
const defaultPauseMs = 1_000;

/** The result of users.info. */
type Profile = {
  readonly actor: Actor;
  readonly organisation: Organisation;
  readonly timeZone?: string;
  /** The account was deactivated. */
  readonly isGone?: true;
};
/** "invisible": Slack knows no such user, or hides them from Parley. That is an answer, too. */
type Found = Profile | "invisible" | "failed";
type Entry = { readonly found: Promise<Found>; name?: string };

const invisibleCodes = ["user_not_found", "user_not_visible", "users_not_found"];

export function createActors(options: SlackParts & { readonly client: WebClient }) {
  const { client, clock, log } = options;
  /** An older name is still better than an id. */
  const remembered = new LRUCache<string, Entry>({
    ...upTo(maxRemembered),
    ttl: rememberedMs,
    ...byClock(clock),
    allowStale: true,
    noDeleteOnStaleGet: true,
  });
  const limiter = createRateLimiter({ clock, burst: usersBurst, intervalMs: usersIntervalMs });
  /** No calls before this time, after a 429. */
  let pausedUntilMs = 0;

  const lookUp = async (self: Self, userId: string): Promise<Profile> => {
    const { user } = await client.users.info({ user: userId });
    const stated = organisationOf(
      {
        teams: [user?.team_id ?? undefined],
        enterpriseId: user?.enterprise_user?.enterprise_id ?? undefined,
      },
      self,
    );
    const organisation = user?.is_stranger === true ? "other" : stated;
    return {
      organisation,
      timeZone: user?.tz,
      isGone: user?.deleted === true ? (true as const) : undefined,
      actor: {
        id: userId,
        workspace: self.teamId,
        name: user?.profile?.display_name || user?.profile?.real_name || user?.real_name || user?.name || userId,
        isAdmin: user?.is_admin === true || user?.is_owner === true || user?.is_primary_owner === true,
        isGuest: user?.is_restricted === true || user?.is_ultra_restricted === true,
        isExternal: organisation !== "own",
        isBot: user?.is_bot === true,
        roles: [],
      },
    };
  };

  const failed = (userId: string, thrown: unknown): Found => {
    const code = slackCode(thrown);
    if (code !== undefined && invisibleCodes.includes(code)) return "invisible";
    const error = toPlatformError(thrown);
    if (error.code === "platform_rate_limited") {
      pausedUntilMs = clock.now() + (error.retryAfterMs ?? defaultPauseMs);
    }
    remembered.delete(userId);
    log.warn({ code: code ?? error.code }, "A Slack user could not be looked up");
    return "failed";
  };

  const entryOf = (self: Self, userId: string, queuedMs: number): Entry | undefined => {
    if (remembered.has(userId)) return remembered.get(userId);
    if (clock.now() < pausedUntilMs) return undefined;
    const turn = limiter.waitWithin("users", queuedMs);
    if (turn === undefined) return undefined;
    const entry: Entry = {
      found: turn
        .then(() => lookUp(self, userId))
        .then(
          (profile) => {
            entry.name = profile.actor.name;
            return profile;
          },
          (thrown: unknown) => failed(userId, thrown),
        ),
    };
    remembered.set(userId, entry);
    return entry;
  };

  /** The result within a second; a later one is cached for the next time. */
  const find = async (self: Self, userId: string, queuedMs = maxQueuedMs): Promise<Found> => {
    const entry = entryOf(self, userId, queuedMs);
    if (entry === undefined) return "failed";
    return (await withTimeout(entry.found, maxWaitMs, clock)) ?? "failed";
  };

  return {
    /** Never rejects. `organisation`: according to the payload. */
    person: async (self: Self, userId: string, stated: Organisation = "unknown"): Promise<Actor> => {
      const found = await find(self, userId);
      if (found === "failed" || found === "invisible") {
        const least = leastRights(self, userId, stated);
        return found === "failed" && stated !== "other" ? { ...least, isUnverified: true } : least;
      }
      const organisation = combined(stated, found.organisation);
      return { ...found.actor, isExternal: organisation !== "own" };
    },
    /** That person now: "gone" when they left the workspace, undefined when Slack doesn't answer. */
    now: async (self: Self, userId: string): Promise<Actor | "gone" | undefined> => {
      const found = await find(self, userId);
      if (found === "failed" || found === "invisible") return undefined;
      return found.isGone === true ? "gone" : found.actor;
    },
    /** "Europe/Berlin". Undefined when Slack doesn't tell. */
    timeZone: async (self: Self, userId: string): Promise<string | undefined> => {
      const found = await find(self, userId);
      return typeof found === "object" ? found.timeZone : undefined;
    },
    /** Display names by user id; people who can't be looked up are missing. */
    names: async (self: Self, userIds: Iterable<string>): Promise<ReadonlyMap<string, string>> => {
      const names = new Map<string, string>();
      for (const id of userIds) {
        const found = await find(self, id, 0);
        // After one failure, stop: names aren't worth waiting for again.
        if (found === "failed") break;
        if (found !== "invisible") names.set(id, found.actor.name);
      }
      return names;
    },
    /** From the cache only. */
    knownName: (userId: string): string | undefined => remembered.get(userId)?.name,
  };
}

/** The author of another app's message, from the message itself. */
export function botActor(self: Self, message: SlackMessage): Actor {
  const id = message.user ?? message.bot_id ?? "unknown";
  const name = message.bot_profile?.name ?? message.username ?? id;
  const organisation = organisationOf({ teams: teamsOf(message) }, self);
  return { ...leastRights(self, id, organisation), name, isGuest: false, isBot: true };
}

/** All team ids of a message's author. */
export function teamsOf(message: Partial<SlackMessage>): readonly (string | undefined)[] {
  const { team, user_team, source_team, user_profile: profile, bot_profile: app } = message;
  return [team, user_team, source_team, profile?.team, app?.team_id];
}

function leastRights(self: Self, userId: string, organisation: Organisation): Actor {
  return {
    id: userId,
    workspace: self.teamId,
    name: userId,
    isAdmin: false,
    isGuest: true,
    isExternal: organisation !== "own",
    isBot: false,
    roles: [],
  };
}
