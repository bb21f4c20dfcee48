/**
 * Posts notices once, whatever dies in between: each is a work, posted with a mark that finds an earlier post, then
 * recorded as posted.
 */

import type { Document } from "../core/document.ts";
import { toParleyError } from "../core/errors.ts";
import { type Place, workspaceKey } from "../core/model/place.ts";
import type { Clock } from "../core/ports/clock.ts";
import type { Log } from "../core/ports/log.ts";
import type { Bucket, Coordinator, KeyValue } from "../core/ports/state.ts";
import type { Work, Works } from "../core/ports/storage/works.ts";
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
   * Resolves once the notice is stored; it is posted in the background, spaced per workspace, by any instance. False if
   * there was one with that key. Rejects with state_unavailable.
   */
  readonly post: (notice: Notice) => Promise<boolean>;
};

/** Posted, or given up because the place is gone. */
export type DoneNotice = { readonly atMs: number };

/** Of one workspace: Slack allows about one post a second and channel, and an unpublished number for the workspace. */
const spacing: Bucket = { capacity: 10, refillPerMinute: 60 };
/** They mostly wait for their turn, and one workspace's must not keep back another's. */
const concurrency = 1_000;
/** While storage is unreachable, or their platform is switched off. */
const backoffMs = { first: 5_000, longest: 3_600_000 };
/** Long enough for every redelivery. A fact that must hold longer is stored by its owner. */
const doneMs = 30 * 86_400_000;

/** `done`: namespace "notices". Keys begin with the workspace. */
export function createNotices(deps: {
  readonly works: Pick<Works, "define" | "add">;
  readonly done: KeyValue<DoneNotice>;
  readonly coordinator: Pick<Coordinator, "takeToken">;
  readonly siteOf: (platform: string) => Site | undefined;
  readonly clock: Clock;
  readonly log: Log;
}): Notices {
  const { works, done, coordinator, siteOf, clock, log } = deps;

  async function waitForTurn(place: Place, signal: AbortSignal): Promise<void> {
    const key = `notices/${workspaceKey(place)}`;
    for (;;) {
      const token = await coordinator.takeToken(key, spacing, 0);
      if (token.taken) return;
      await clock.sleep(token.waitMs, signal);
    }
  }

  async function show({ key, payload, begun }: Work<Notice>, { delivery }: Site, signal: AbortSignal): Promise<void> {
    const { place, document } = payload;
    // Perhaps it was posted when it was begun before, so it is searched first.
    const parts = begun > 1 ? [{ index: 0, state: "intended" as const }] : [];
    const reply = { place, parts };
    const writer = delivery.open({ replyId: keptId(key), reply, save: async () => undefined, givesWay: true });
    try {
      await writer.finish(document, signal);
    } catch (failure) {
      if (signal.aborted) throw failure;
      log.info({ err: toParleyError(failure), key }, "A notice could not be posted and was given up");
    } finally {
      await writer.close();
    }
  }

  works.define<Notice>("open-notices", {
    concurrency,
    attempts: 1_000,
    backoff: (attempt) => Math.min(backoffMs.longest, backoffMs.first * 2 ** Math.min(attempt - 1, 20)),
    // By then nothing remembers that it was posted.
    giveUpAfterMs: doneMs,
    run: async (work, signal) => {
      const { platform } = work.payload.place;
      const site = siteOf(platform);
      if (site === undefined) throw new Error(`The platform ${platform} is switched off.`);
      // Posted, and the process died before the end of the work was recorded.
      if ((await done.get(work.key)) !== undefined) return undefined;
      await waitForTurn(work.payload.place, signal);
      await show(work, site, signal);
      await done.set(work.key, { atMs: clock.now() }, doneMs);
      return undefined;
    },
  });

  return {
    post: async (notice) => {
      const key = `${workspaceKey(notice.place)}/${encodeURIComponent(notice.key)}`;
      return (await done.get(key)) === undefined && (await works.add<Notice>("open-notices", key, notice));
    },
  };
}
