/** Limits the commands per person and minute, over all instances. The refusal says when to try again. */

import type { App } from "../app.ts";
import { ParleyError } from "../core/errors.ts";
import { type Actor, type Place, personKey } from "../core/model/place.ts";

export type CommandLimit = {
  /** Undefined: allowed. */
  readonly refuse: (actor: Pick<Actor, "id">, place: Place) => Promise<ParleyError | undefined>;
  /**
   * Whether to tell the person that a message was one too many: once a minute. A hundred messages would otherwise get a
   * hundred replies, and the platform limits those too. A command or press always gets its reply.
   */
  readonly tells: (actor: Pick<Actor, "id">, place: Place) => Promise<boolean>;
};

const toldBucket = { capacity: 1, refillPerMinute: 1 };

export function createCommandLimit({ state: { coordinator }, settings }: App): CommandLimit {
  const count = settings.commandsPerPersonPerMinute;
  const bucket = { capacity: count, refillPerMinute: count };
  return {
    refuse: async (actor, place) => {
      const key = `commands/${personKey(place, actor)}`;
      const verdict = await coordinator.takeToken(key, bucket, 0);
      if (verdict.taken) return undefined;
      const seconds = Math.max(1, Math.ceil(verdict.waitMs / 1_000));
      return new ParleyError("too_many_commands", {
        hint: `Try again in ${seconds === 1 ? "a second" : `${seconds} seconds`}. Questions don't count.`,
      });
    },
    tells: async (actor, place) => {
      const verdict = await coordinator.takeToken(`commands-told/${personKey(place, actor)}`, toldBucket, 0);
      return verdict.taken;
    },
  };
}
