/**
 * Lanes, permits and leases are queues: callers wait for one of `n` holds. What both stores share: what a caller wishes,
 * and the fair order in which it gets it.
 */
import type { Coordinator, Lease, WaitOptions } from "../../core/ports/state.ts";

export type QueueKind = "lane" | "permit" | "lease";

export type Wish = {
  readonly kind: QueueKind;
  readonly name: string;
  /** Holds in all; the newest call's applies. */
  readonly n: number;
  /** Groups are served in turn; a lane and a lease have one. */
  readonly group: string;
  /** In a lane callers wait in the order of their entries. */
  readonly entry: string;
  readonly order: string;
};

export type Queues = Pick<Coordinator["lanes"], "enqueue" | "remove"> & {
  readonly acquire: (wish: Wish, options?: WaitOptions) => Promise<Lease>;
};

/** Work that nobody waits for, of all workspaces. No workspace's key begins like that. */
export const spareGroup = "~spare";

/** In a longer queue, callers learn of their positions at most this often: telling all on each change would block. */
export const longQueue = 100;
export const tellEveryMs = 1_000;

const alone = { n: 1, group: "", entry: "", order: "" };

export function overQueues({ acquire, enqueue, remove }: Queues): Pick<Coordinator, "lanes" | "permit" | "lease"> {
  return {
    lanes: {
      enqueue,
      remove,
      acquire: (name, entry, order, wait) => acquire({ ...alone, kind: "lane", name, entry, order }, wait),
    },
    permit: (name, n, workspace, wait) => {
      const group = wait?.isSpare === true ? spareGroup : workspace;
      return acquire({ ...alone, kind: "permit", name, n, group }, wait);
    },
    lease: (name, wait) => acquire({ ...alone, kind: "lease", name }, wait),
  };
}

/** More groups than this cost too much to compare for each caller; positions in the others are estimates. */
export const comparedGroups = 64;

type FairGroup = { readonly held: number; readonly waiting: number };

/**
 * The position of the caller with that index in its group, if nothing is released: permits reach groups in rounds, and
 * round r has one for each group that would then hold r. Within a round, groups that begin later come first; the others
 * keep their order. `groups` are the first ones, in the order of their next permit; `of` all of them.
 */
export function fairPosition(groups: readonly FairGroup[], at: number, index: number, of: number): number {
  const own = groups[at];
  // At most one of each group before it in each round.
  if (own === undefined) return (index + 1) * of;
  const round = own.held + index;
  let before = 0;
  for (const [other, { held, waiting }] of groups.entries()) {
    before += Math.min(waiting, Math.max(0, round - held));
    const isInRound = held <= round && round < held + waiting;
    if (isInRound && (held > own.held || (held === own.held && other < at))) before += 1;
  }
  return before + 1;
}
