/** Shows what came of a proof: to the person who waits for it in this process, else as a message that only they read. */

import type { App } from "../../app.ts";
import type { Document } from "../../core/document.ts";
import { toParleyError } from "../../core/errors.ts";
import type { Place } from "../../core/model/place.ts";
import { withTimeout } from "../../core/tools/timeout.ts";
import { infoDocument } from "../../presentation/drawing.ts";
import { type Trial, trialKey } from "./trial.ts";

const says = {
  /** In place of "Asking again…" when it takes longer than a private reply can be changed. */
  later: "It takes longer than usual. I'll keep trying for half an hour and send you what comes of it.",
};

/** Private replies can be replaced for 15 minutes, and less when they were begun earlier. */
const watchedMs = 8 * 60_000;
/** A result that is there before the person waits for it. */
const comesMs = 2_000;

type Watcher = { readonly end: Promise<Document>; readonly resolve: (document: Document) => void };

export type Watching = ReturnType<typeof createWatching>;

export function createWatching(app: App) {
  const { sites, notices, clock, log } = app;
  const watchers = new Map<string, Watcher>();
  /** Results that nobody waits for yet. */
  const coming = new Map<string, () => void>();

  function watch(key: string): Promise<Document> {
    const known = watchers.get(key);
    if (known !== undefined) return known.end;
    const { promise, resolve } = Promise.withResolvers<Document>();
    const cancel = clock.after(watchedMs, () => leave(key));
    const settle = (document: Document) => {
      cancel();
      watchers.delete(key);
      resolve(document);
    };
    watchers.set(key, { end: promise, resolve: settle });
    coming.get(key)?.();
    return promise;
  }

  /** They get a message of their own later. */
  function leave(key: string): void {
    watchers.get(key)?.resolve(infoDocument(says.later));
  }

  async function watcherOf(key: string): Promise<Watcher | undefined> {
    if (!watchers.has(key)) {
      const { promise, resolve } = Promise.withResolvers<void>();
      coming.set(key, resolve);
      await withTimeout(promise, comesMs, clock);
      coming.delete(key);
    }
    return watchers.get(key);
  }

  /** What was answered before may be private, so it is said nowhere else. */
  async function placeFor({ actor, place }: Trial): Promise<Place | undefined> {
    const platform = sites.get(place.platform)?.platform;
    if (platform?.isOwnPage === true || platform?.isDirect?.(place) === true) return place;
    return platform?.directPlace?.(actor, place, true);
  }

  return {
    watch,
    leave,
    /** "later": the platform couldn't say where, and may soon. */
    show: async (trial: Trial, document: Document): Promise<"done" | "later"> => {
      const watcher = await watcherOf(trialKey(trial));
      if (watcher !== undefined) {
        watcher.resolve(document);
        return "done";
      }
      const place = await placeFor(trial).catch((err: unknown) => {
        log.warn({ err, proof: trial.id }, "A person can't be reached by direct message");
        return isForGood(err) ? undefined : "later";
      });
      if (place === "later") return place;
      if (place === undefined) log.info({ proof: trial.id }, "What came of a proof was shown to nobody");
      else await notices.post({ key: `proof/${trial.id}/${trial.result?.atMs ?? 0}`, place, document });
      return "done";
    },
  };
}

const isForGood = (failure: unknown): boolean =>
  ["not_permitted", "place_gone", "thread_gone"].includes(toParleyError(failure).code);
