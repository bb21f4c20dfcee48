/**
 * Who somebody is, from users.info, remembered for a while. When Slack does not say in time, the person gets a guest's
 * rights: they may ask, and nothing more. Never the other way round.
 */
import type { Clock } from "../../src/bridge/ports/clock.ts";
import type { Actor } from "../../src/bridge/words.ts";
import type { Log } from "../../src/operations/log.ts";
import { slackCode, toPlatformError } from "./api-errors.ts";
import type { WebClient } from "./clients.ts";
import type { SlackMessage } from "./events.ts";
import type { Self } from "./ids.ts";

export type Actors = {
  /** Never rejects. */
  readonly person: (self: Self, userId: string) => Promise<Actor>;
  /** Only from memory. */
  readonly knownName: (userId: string) => string | undefined;
};

/** Rights may change; nobody keeps them longer than this after they were taken away. */
const rememberedMs = 5 * 60_000;
const unknownRememberedMs = 10_000;
/** The acknowledgement waits for this, and must not take 3 s. */
const maxWaitMs = 1_000;
const maxRemembered = 10_000;

type Entry = { readonly actor: Promise<Actor>; name?: string; untilMs: number };

export function createActors(options: {
  readonly client: WebClient;
  readonly clock: Clock;
  readonly log: Log;
}): Actors {
  const { client, clock, log } = options;
  const remembered = new Map<string, Entry>();

  const look = async (self: Self, userId: string): Promise<Actor> => {
    const { user } = await client.users.info({ user: userId });
    const team = user?.team_id ?? self.teamId;
    const sameOrganisation =
      team === self.teamId ||
      (self.enterpriseId !== undefined && user?.enterprise_user?.enterprise_id === self.enterpriseId);
    return {
      id: userId,
      workspace: self.teamId,
      name: user?.profile?.display_name || user?.profile?.real_name || user?.real_name || user?.name || userId,
      isAdmin: user?.is_admin === true || user?.is_owner === true || user?.is_primary_owner === true,
      isGuest: user?.is_restricted === true || user?.is_ultra_restricted === true,
      isExternal: !sameOrganisation || user?.is_stranger === true,
      isBot: user?.is_bot === true,
      roles: [],
    };
  };

  const fetchActor = (self: Self, userId: string): Entry => {
    const entry: Entry = {
      untilMs: clock.now() + rememberedMs,
      actor: look(self, userId).then(
        (actor) => {
          entry.name = actor.name;
          return actor;
        },
        (thrown: unknown) => {
          entry.untilMs = clock.now() + unknownRememberedMs;
          log.warn(
            { code: slackCode(thrown) ?? toPlatformError(thrown).code },
            "who somebody is could not be looked up",
          );
          return leastRights(self, userId);
        },
      ),
    };
    return entry;
  };

  return {
    person: async (self, userId) => {
      let entry = remembered.get(userId);
      if (entry === undefined || entry.untilMs <= clock.now()) {
        entry = fetchActor(self, userId);
        remembered.set(userId, entry);
        if (remembered.size > maxRemembered) remembered.delete(remembered.keys().next().value ?? "");
      }
      const found = entry.actor;
      return await new Promise<Actor>((resolve) => {
        const cancel = clock.after(maxWaitMs, () => resolve(leastRights(self, userId)));
        void found.then((actor) => {
          cancel();
          resolve(actor);
        });
      });
    },
    knownName: (userId) => remembered.get(userId)?.name,
  };
}

/** Another app's message says itself who wrote it. */
export function botActor(self: Self, message: SlackMessage): Actor {
  const id = message.user ?? message.bot_id ?? "unknown";
  const name = message.bot_profile?.name ?? message.username ?? id;
  return { ...leastRights(self, id), name, isGuest: false, isBot: true };
}

function leastRights(self: Self, userId: string): Actor {
  return {
    id: userId,
    workspace: self.teamId,
    name: userId,
    isAdmin: false,
    isGuest: true,
    isExternal: false,
    isBot: false,
    roles: [],
  };
}
