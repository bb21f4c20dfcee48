/**
 * Removes a shared channel with everything said there. The channel is marked as removed first, so no one reads or
 * writes there; the rest is a work.
 */

import type { Forget } from "../../../src/core/conversations.ts";
import type { Actor, Place } from "../../../src/core/model/place.ts";
import type { Clock } from "../../../src/core/ports/clock.ts";
import type { Works } from "../../../src/core/ports/storage/works.ts";
import { untilDone } from "../../../src/core/tools/until-done.ts";
import { type Thread, threadOfKey } from "../conversations/thread-key.ts";
import { placeOf, platformName, workspaceName } from "../intake/inbound.ts";
import type { PageEvent } from "../writing/messages.ts";
import type { ConsoleStore } from "../writing/store.ts";
import type { Channels } from "./channels.ts";

export type Removals = ReturnType<typeof createRemovals>;

/** Conversations read at once. */
const batch = 20;
/** By then it is marked, or its process is dead. */
const markMs = 2_000;
/** What was being written meanwhile is removed then. */
const lookAgainMs = 5_000;

export function createRemovals(deps: {
  readonly channels: Channels;
  readonly store: ConsoleStore;
  readonly works: Pick<Works, "define" | "add" | "cancel">;
  readonly forget: Forget;
  /** Forgets who answers there. */
  readonly unbind: (place: Place) => Promise<void>;
  readonly notify: (event: PageEvent) => void;
  readonly clock: Clock;
}) {
  const { channels, store, works, clock } = deps;
  const { listing } = store;

  async function removeConversation(at: Thread, by: Actor): Promise<void> {
    // It stays in the list until nothing of it is left, since that is how the next process finds it.
    await store.going(at);
    await deps.forget(placeOf(at.channel, at.thread), by, true);
    await store.removeAll(at);
    await store.gone(at);
  }

  /** Idempotent. Whether nothing of it is left. */
  async function empty(id: string, by: Actor): Promise<boolean> {
    await deps.unbind({ platform: platformName, workspace: workspaceName, channel: id });
    for (let below = Number.MAX_SAFE_INTEGER; ; ) {
      const found = await listing.keys({ channels: [id] }, below, batch);
      for (const { key } of found) await removeConversation(threadOfKey(key), by);
      const last = found.at(-1);
      if (last === undefined) break;
      below = last.order;
    }
    return (await listing.count(id)) === 0;
  }

  works.define<null>("page-channels", {
    ...untilDone(works, clock, "page-channels"),
    run: async ({ key: id }) => {
      const by = await channels.removedBy(id);
      if (by === undefined) return undefined;
      if (!(await empty(id, by))) return clock.now() + lookAgainMs;
      await channels.emptied(id);
      return undefined;
    },
  });

  return {
    /** Resolves once it is marked; what was said there goes afterwards. */
    remove: async (id: string, by: Actor): Promise<"removed" | "gone" | "last"> => {
      await works.add("page-channels", id, null, { dueAtMs: clock.now() + markMs });
      const outcome = await channels.remove(id, by);
      if (outcome !== "removed") return outcome;
      deps.notify({ type: "channels" });
      await works.add("page-channels", id, null);
      return outcome;
    },
  };
}
