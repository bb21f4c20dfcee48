/**
 * Removes a shared channel with everything said there. The channel is marked as removed first, so no one reads or
 * writes there; any process finishes the rest.
 */

import type { Forget } from "../../../src/core/conversations.ts";
import type { Actor, Place } from "../../../src/core/model/place.ts";
import type { Clock } from "../../../src/core/ports/clock.ts";
import type { Log } from "../../../src/core/ports/log.ts";
import type { Coordinator } from "../../../src/core/ports/state.ts";
import { type Thread, threadOfKey } from "../conversations/thread-key.ts";
import { placeOf, platformName, workspaceName } from "../intake/inbound.ts";
import type { PageEvent } from "../writing/messages.ts";
import type { ConsoleStore } from "../writing/store.ts";
import type { Channels } from "./channels.ts";

export type Removals = ReturnType<typeof createRemovals>;

/** Conversations read at once. */
const batch = 20;

export function createRemovals(deps: {
  readonly channels: Channels;
  readonly store: ConsoleStore;
  readonly coordinator: Pick<Coordinator, "lease">;
  readonly forget: Forget;
  /** Forgets who answers there. */
  readonly unbind: (place: Place) => Promise<void>;
  readonly notify: (event: PageEvent) => void;
  readonly clock: Clock;
  readonly log: Log;
}) {
  const { channels, store, log } = deps;
  const { listing } = store;

  async function removeConversation(at: Thread, by: Actor): Promise<void> {
    // It stays in the ranking until nothing of it is left, since that is how the next process finds it.
    await store.going(at);
    await deps.forget(placeOf(at.channel, at.thread), by, true);
    await store.removeAll(at);
    await store.gone(at);
  }

  /** Idempotent. */
  async function empty(id: string, by: Actor): Promise<void> {
    const lease = await deps.coordinator.lease(`console/removal/${id}`);
    try {
      if ((await channels.removedBy(id)) === undefined) return;
      await deps.unbind({ platform: platformName, workspace: workspaceName, channel: id });
      for (let below = Number.MAX_SAFE_INTEGER; ; ) {
        const found = await listing.keys({ channels: [id] }, below, batch);
        for (const { member } of found) await removeConversation(threadOfKey(member), by);
        const last = found.at(-1);
        if (last === undefined) break;
        below = last.score;
      }
      // What was being written meanwhile is removed by the next look.
      if ((await listing.count(id)) === 0) await channels.emptied(id);
    } finally {
      await lease.release();
    }
  }

  return {
    /** Resolves once it is marked; what was said there goes afterwards. */
    remove: async (id: string, by: Actor): Promise<"removed" | "gone" | "last"> => {
      const outcome = await channels.remove(id, by);
      if (outcome !== "removed") return outcome;
      deps.notify({ type: "channels" });
      empty(id, by).catch((err: unknown) => log.warn({ err, channel: id }, "A removed channel is not yet empty"));
      return outcome;
    },

    /** Finishes what other processes began. Waits while one of them is still at it. */
    recover: async (): Promise<void> => {
      for (const { id, by } of await channels.leaving()) {
        await empty(id, by).catch((err: unknown) =>
          log.warn({ err, channel: id }, "A removed channel is not yet empty"),
        );
      }
    },
  };
}
