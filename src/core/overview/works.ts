/** The port to background work: what waits, runs or has failed, and trying again what has failed. */
import type { Actor } from "../model/place.ts";
import type { ListedWork, WorkCounts, WorkState } from "../ports/storage/works.ts";

/** Its key holds ids only; its error is without secrets. */
export type WorkLine = ListedWork & { readonly kind: string };

export type WorksReader = {
  /** Of each kind, over all instances. */
  readonly counts: () => Promise<readonly WorkCounts[]>;
  /** At most a hundred, of that kind or of all of them. */
  readonly list: (state: WorkState, kind?: string) => Promise<readonly WorkLine[]>;
  /** Begins one that failed anew, and audits that. False: it no longer is one. */
  readonly retry: (kind: string, key: string, by: Actor) => Promise<boolean>;
};
