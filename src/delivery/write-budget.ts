/**
 * The budget of writes of a platform: token buckets of workspaces, sliding windows of channels, and what finals reserve.
 */
import type { WriteBucket, WriteLimits, WriteWindow } from "../ports/chat-platform.ts";
import type { Clock } from "../ports/clock.ts";
import type { Log } from "../ports/log.ts";
import type { DeliveryMetrics } from "../ports/metrics.ts";
import { type LearntShare, shareNow, wholeAgainAtMs } from "../ports/model/learnt-share.ts";
import { conversationKey, type Place, workspaceKey } from "../ports/model/place.ts";
import type { Coordinator } from "../ports/state.ts";
import { type Rank, tokensLeft } from "./ranks.ts";
import { createWriteWindows, type Verdict } from "./write-windows.ts";

/** How a budget classifies a write: some only count edits. */
export type Countable = "edit" | "other";

/** Bucket keys for writes to a place; created once per Reply, because they are looked up often. */
export type Budgets = { readonly workspace: string; readonly channel: string };

export function budgetsOf(place: Place): Budgets {
  // A thread counts as its own channel: on Discord it is one.
  return { workspace: `writes/${workspaceKey(place)}`, channel: `writes/channel/${conversationKey(place)}` };
}

/** How long to wait before asking a coordinator that did not respond again. */
const coordinatorAwayMs = 500;

export type WriteBudgetOptions = {
  readonly limits: WriteLimits;
  readonly coordinator: Pick<Coordinator, "takeToken" | "penalise">;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics?: Pick<DeliveryMetrics, "onBudgetLowered" | "watchBudget"> | undefined;
};

export function createWriteBudget({ limits, coordinator, clock, log, metrics }: WriteBudgetOptions) {
  const { perWorkspace, perChannel, keptForFinals } = limits;
  const windows = perChannel === undefined ? undefined : createWriteWindows(perChannel, clock);
  const isUnlimited = perWorkspace === undefined && perChannel === undefined;
  /** Tokens taken for writes that turned out not to be needed. */
  const spare = new Map<string, number>();
  /** Replies open here, by key. Those of other instances are unknown: their finals may wait for a token or two. */
  const expected = new Map<string, Set<Budgets>>();

  /** What 429s have taught about budgets, as known in this process: for the metrics. */
  const learnt = new Map<string, LearntShare>();
  const perMinute = editsPerMinute(limits);
  if (perMinute !== undefined) metrics?.watchBudget("edits", () => perMinute * lowestShare());

  /** Key of what all writes there share: a workspace, or a channel where only channels have a budget. */
  function keyOf({ workspace, channel }: Budgets): string {
    if (isUnlimited) return "";
    return perWorkspace === undefined ? channel : workspace;
  }

  /** A Reply that will end, until it is forgotten: the tokens reserved for finals depend on how many may come. */
  function expect(budgets: Budgets): void {
    for (const key of keysOf(budgets)) expected.set(key, (expected.get(key) ?? new Set()).add(budgets));
  }

  function forget(budgets: Budgets): void {
    for (const key of keysOf(budgets)) {
      const open = expected.get(key);
      open?.delete(budgets);
      if (open?.size === 0) expected.delete(key);
    }
  }

  function keysOf({ workspace, channel }: Budgets): readonly string[] {
    return [...(perWorkspace === undefined ? [] : [workspace]), ...(perChannel === undefined ? [] : [channel])];
  }

  /**
   * Tokens to leave in a budget: for the finals that may come, and one more. An answer that runs alone need not reserve
   * ten.
   */
  function keep(rank: Rank, key: string): number {
    return tokensLeft(rank, expected.get(key)?.size, keptForFinals);
  }

  /** How long it takes to earn an edit back for each Reply that shares a budget: the longest of the budgets. */
  function earnMs({ workspace, channel }: Budgets): number {
    const ofWorkspace = perWorkspace === undefined ? 0 : openIn(workspace) * (60_000 / perWorkspace.refillPerMinute);
    if (perChannel === undefined) return ofWorkspace;
    const { limit, windowMs } = perChannel;
    return Math.max(ofWorkspace, openIn(channel) * (windowMs / Math.max(1, limit - keptForFinals)));
  }

  function openIn(key: string): number {
    return expected.get(key)?.size ?? 0;
  }

  /** Takes a token from each bucket that counts such a write; `key` is the one that had none. */
  async function take(budgets: Budgets, rank: Rank, what: Countable): Promise<Verdict & { key: string }> {
    const { workspace, channel } = budgets;
    const ofChannel = counts(perChannel, what) ? windows?.take(channel, keep(rank, channel)) : undefined;
    if (ofChannel?.taken === false) return { ...ofChannel, key: channel };
    if (!counts(perWorkspace, what)) return { taken: true, key: channel };
    const ofWorkspace = await takeOfWorkspace(workspace, perWorkspace, keep(rank, workspace));
    if (!ofWorkspace.taken && ofChannel !== undefined) windows?.giveBack(channel);
    return { ...ofWorkspace, key: workspace };
  }

  async function takeOfWorkspace(key: string, bucket: WriteBucket, kept: number): Promise<Verdict> {
    const left = spare.get(key) ?? 0;
    if (left > 0) {
      if (left === 1) spare.delete(key);
      else spare.set(key, left - 1);
      return { taken: true };
    }
    try {
      return await coordinator.takeToken(key, bucket, kept);
    } catch (thrown) {
      log.warn({ err: thrown, key }, "The write budget could not be read");
      return { taken: false, waitMs: coordinatorAwayMs };
    }
  }

  /** The write was not needed after all. */
  function giveBack({ workspace, channel }: Budgets, what: Countable): void {
    if (counts(perWorkspace, what)) spare.set(workspace, (spare.get(workspace) ?? 0) + 1);
    if (counts(perChannel, what)) windows?.giveBack(channel);
  }

  /** The platform returned 429 for a write there: nothing is sent for `forMs`. */
  async function penalise({ workspace, channel }: Budgets, forMs: number): Promise<void> {
    if (isUnlimited) return;
    if (windows !== undefined) return learn(channel, windows.penalise(channel, forMs), forMs);
    spare.delete(workspace);
    try {
      learn(workspace, await coordinator.penalise(workspace, forMs), forMs);
    } catch (thrown) {
      log.warn({ err: thrown, key: workspace }, "The platform's Retry-After could not be stored in the write budget");
    }
  }

  function learn(key: string, share: number, forMs: number): void {
    const nowMs = clock.now();
    if (share < shareNow(learnt.get(key), nowMs)) metrics?.onBudgetLowered("edits");
    for (const [other, known] of learnt) if (wholeAgainAtMs(known) <= nowMs) learnt.delete(other);
    learnt.set(key, { share, loweredAtMs: nowMs, quietSinceMs: nowMs + forMs });
  }

  function lowestShare(): number {
    return Math.min(1, ...[...learnt.values()].map((known) => shareNow(known, clock.now())));
  }

  return { keyOf, expect, forget, earnMs, take, giveBack, penalise };
}

function counts<T extends WriteBucket | WriteWindow>(budget: T | undefined, what: Countable): budget is T {
  return budget !== undefined && (budget.counts === undefined || what === "edit");
}

/** What the platform allows in one workspace or channel. */
function editsPerMinute({ perWorkspace, perChannel }: WriteLimits): number | undefined {
  if (perChannel !== undefined) return (perChannel.limit * 60_000) / perChannel.windowMs;
  return perWorkspace?.refillPerMinute;
}
