/**
 * Posts notices once, whatever dies in between: stored first, posted under a lease with a mark that finds an earlier
 * post, then recorded as posted.
 */

import type { Document } from "../core/document.ts";
import { toParleyError } from "../core/errors.ts";
import { type Place, workspaceKey } from "../core/model/place.ts";
import type { Clock } from "../core/ports/clock.ts";
import type { Log } from "../core/ports/log.ts";
import type { Bucket, Coordinator, KeyValue } from "../core/ports/state.ts";
import { keptId } from "../core/tools/ids.ts";
import type { Site } from "./types.ts";

export type Notice = {
  /** Names the fact and is equal on every instance: "ready/01jx…/1". A second notice with it is not posted. */
  readonly key: string;
  readonly place: Place;
  readonly document: Document;
};

export type Notices = {
  /**
   * Resolves once the notice is stored; it is posted in the background, spaced per workspace, by this process or, after
   * a crash, by another one. False if there was one with that key. Rejects with state_unavailable.
   */
  readonly post: (notice: Notice) => Promise<boolean>;
  /** Posts what dead processes left. Never rejects. */
  readonly recover: () => Promise<void>;
  /** Stops waiting for the platform; unposted notices stay stored. */
  readonly drain: () => Promise<void>;
};

/** Not posted yet, as far as it is known. `isBegun`: perhaps it is, so it is searched before it is posted again. */
export type OpenNotice = Notice & { readonly isBegun?: true };

/** Posted, or given up because the place is gone. */
export type DoneNotice = { readonly atMs: number };

/** Of one workspace: Slack allows about one post a second and channel, and an unpublished number for the workspace. */
const spacing: Bucket = { capacity: 10, refillPerMinute: 60 };
/** Long enough for every redelivery. A fact that must hold longer is stored by its owner. */
const doneMs = 30 * 86_400_000;

/** `open`: namespace "open-notices". `done`: namespace "notices". Keys begin with the workspace. */
export function createNotices(deps: {
  readonly open: KeyValue<OpenNotice>;
  readonly done: KeyValue<DoneNotice>;
  readonly coordinator: Pick<Coordinator, "lease" | "takeToken">;
  readonly siteOf: (platform: string) => Site | undefined;
  readonly clock: Clock;
  readonly log: Log;
}): Notices {
  const { open, done, coordinator, siteOf, clock, log } = deps;
  const ending = new AbortController();
  const { signal } = ending;
  /** By key. */
  const working = new Map<string, Promise<void>>();

  async function waitForTurn(place: Place): Promise<void> {
    const key = `notices/${workspaceKey(place)}`;
    for (;;) {
      const token = await coordinator.takeToken(key, spacing, 0);
      if (token.taken) return;
      await clock.sleep(token.waitMs, signal);
    }
  }

  async function show(storedKey: string, { place, document, isBegun }: OpenNotice): Promise<void> {
    const delivery = siteOf(place.platform)?.delivery;
    if (delivery === undefined) return;
    const parts = isBegun === true ? [{ index: 0, state: "intended" as const }] : [];
    const reply = { place, parts };
    const writer = delivery.open({ replyId: keptId(storedKey), reply, save: async () => undefined, givesWay: true });
    try {
      await writer.finish(document, signal);
    } catch (failure) {
      if (signal.aborted) throw failure;
      log.info({ err: toParleyError(failure), key: storedKey }, "A notice could not be posted and was given up");
    } finally {
      await writer.close();
    }
  }

  /** Under its lease, so that no other instance posts it meanwhile. */
  async function postStored(storedKey: string): Promise<void> {
    const lease = await coordinator.lease(`notice/${storedKey}`, { signal });
    try {
      const notice = await open.get(storedKey);
      // Another platform's, which is switched off now.
      if (notice === undefined || siteOf(notice.place.platform) === undefined) return;
      // Stored by two instances at the same moment, and posted by the other one.
      if ((await done.get(storedKey)) !== undefined) return await open.delete(storedKey);
      await waitForTurn(notice.place);
      await open.set(storedKey, { ...notice, isBegun: true });
      await show(storedKey, notice);
      await done.set(storedKey, { atMs: clock.now() }, doneMs);
      await open.delete(storedKey);
    } finally {
      await lease.release();
    }
  }

  function inBackground(storedKey: string): void {
    if (working.has(storedKey)) return;
    const work = postStored(storedKey)
      .catch((failure: unknown) => {
        if (!signal.aborted) log.warn({ err: failure, key: storedKey }, "A notice was not posted yet");
      })
      .finally(() => working.delete(storedKey));
    working.set(storedKey, work);
  }

  return {
    post: async (notice) => {
      const storedKey = `${workspaceKey(notice.place)}/${encodeURIComponent(notice.key)}`;
      if ((await done.get(storedKey)) !== undefined || (await open.get(storedKey)) !== undefined) return false;
      await open.set(storedKey, notice);
      inBackground(storedKey);
      return true;
    },
    recover: async () => {
      try {
        for await (const [storedKey] of open.entries("")) inBackground(storedKey);
      } catch (failure) {
        log.warn({ err: failure }, "Can't look for unposted notices");
      }
    },
    drain: async () => {
      ending.abort(new Error("The process is ending."));
      await Promise.all(working.values());
    },
  };
}
