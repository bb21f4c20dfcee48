/**
 * The budget of writes of a platform: token buckets of workspaces, sliding windows of channels, and what finals reserve.
 * Where posts are limited apart, they have budgets of their own.
 */

import type { BudgetKind, DeliveryMetrics } from "../../core/metrics.ts";
import { conversationKey, type Place, workspaceKey } from "../../core/model/place.ts";
import type { ChatPlatform, WriteBucket, WriteLimits, WriteWindow } from "../../core/ports/chat-platform.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { Log } from "../../core/ports/log.ts";
import type { Bucket, Coordinator } from "../../core/ports/state.ts";
import { type BudgetOwner, createLearnt } from "./learnt.ts";
import { placeholdersLeave, type Rank, tokensLeft } from "./ranks.ts";
import { createWriteWindows, type Verdict } from "./write-windows.ts";

/** How a budget classifies a write: some only count edits, or posts. "nothing": all is shown, so none is needed. */
export type Countable = "edit" | "post" | "other" | "nothing";

/** Bucket keys for writes to a place; created once, because they are looked up often. */
export type Budgets = {
  readonly workspace: string;
  readonly channel: string;
  /** Of posts alone: of the workspace, and of the channel whatever the thread. */
  readonly posts: string;
  readonly channelPosts: string;
  /** Absent for a Reply with limits of its own. */
  readonly place?: Pick<Place, "workspace" | "channel">;
  /** Of a Reply with limits of its own: its messages count among its edits. */
  readonly isApart: boolean;
};

/** `apart`: the Reply that has limits of its own, as if it were written alone in a workspace. */
export function budgetsOf(place: Place, apart?: string): Budgets {
  const workspace = apart === undefined ? workspaceKey(place) : `reply/${apart}`;
  return {
    workspace: `writes/${workspace}`,
    // A thread counts as its own channel: on Discord it is one.
    channel: `writes/channel/${apart === undefined ? conversationKey(place) : workspace}`,
    posts: `posts/${workspace}`,
    channelPosts: `posts/channel/${workspace}/${place.channel}`,
    isApart: apart !== undefined,
    place: apart === undefined ? place : undefined,
  };
}

/** The budgets of a Reply at this moment. */
export function createBudgetsOf(
  { hasOwnLimits }: Pick<ChatPlatform, "hasOwnLimits">,
  place: Place,
  replyId: string,
): () => Budgets {
  const shared = budgetsOf(place);
  if (hasOwnLimits === undefined) return () => shared;
  let own: Budgets | undefined;
  return () => {
    if (!hasOwnLimits(replyId)) return shared;
    own ??= budgetsOf(place, replyId);
    return own;
  };
}

/** A Reply that will end. */
export type Expected = {
  /** They change when it gets limits of its own, or loses them. */
  readonly budgets: () => Budgets;
  /** It has something to show, and no message yet. Absent: it has one. */
  readonly lacksMessage?: () => boolean;
};

export type Taken =
  | { readonly taken: true }
  /** `key`: of the budget that had no token. */
  | { readonly taken: false; readonly key: string; readonly waitMs: number };

/** One budget that counts a write. */
type Counting = {
  readonly key: string;
  readonly take: () => Promise<Verdict> | Verdict;
  readonly giveBack: () => void;
};

/** A window returns nothing until its oldest write leaves it, and meanwhile an answer can begin more than one step. */
const stepsInWindow = 2;

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
  const { perWorkspace, perChannel, posts, keptForFinals } = limits;
  const windows = perChannel === undefined ? undefined : createWriteWindows(perChannel, clock);
  const isUnlimited = perWorkspace === undefined && perChannel === undefined && posts === undefined;
  /** Tokens taken for writes that turned out not to be needed: until when each of them is worth one. */
  const spare = new Map<string, readonly number[]>();
  /** Replies open here, by key. Those of other instances are unknown: their finals may wait for a token or two. */
  const expected = new Map<string, Set<Expected>>();
  /** The budgets under which each of them is counted. */
  const countedIn = new Map<Expected, Budgets>();
  /** The channel whose post was refused last in a workspace, and until when it waits. */
  const refusedPosts = new Map<string, { readonly channel: string; readonly untilMs: number }>();

  const learnt = createLearnt(limits, clock, metrics);

  /** Key of what all writes there share: a workspace, or a channel where only channels have a budget. */
  function keyOf({ workspace, channel }: Budgets): string {
    if (isUnlimited) return "";
    return perWorkspace === undefined && posts === undefined ? channel : workspace;
  }

  /** A Reply that will end, until it is forgotten: the tokens reserved for finals depend on how many may come. */
  function expect(one: Expected): void {
    const budgets = one.budgets();
    countedIn.set(one, budgets);
    for (const key of keysOf(budgets)) expected.set(key, (expected.get(key) ?? new Set()).add(one));
  }

  /** Counts it in other budgets, if it has others by now. */
  function follow(one: Expected): void {
    const before = countedIn.get(one);
    if (before === undefined || before === one.budgets()) return;
    forget(one);
    expect(one);
  }

  function forget(one: Expected): void {
    const budgets = countedIn.get(one);
    countedIn.delete(one);
    for (const key of budgets === undefined ? [] : keysOf(budgets)) {
      const open = expected.get(key);
      open?.delete(one);
      if (open?.size === 0) expected.delete(key);
    }
  }

  function keysOf({ workspace, channel }: Budgets): readonly string[] {
    const hasWorkspace = perWorkspace !== undefined || posts !== undefined;
    return [...(hasWorkspace ? [workspace] : []), ...(perChannel === undefined ? [] : [channel])];
  }

  /**
   * Tokens to leave in a budget: for the finals that may come, and one more. An answer that runs alone need not reserve
   * ten.
   */
  function keep(rank: Rank, key: string, capacity: number, stepsEach = 1): number {
    return tokensLeft(rank, expected.get(key)?.size, keptForFinals, { capacity, stepsEach });
  }

  /** How long it takes to earn such an edit back for each Reply that shares a budget: the longest of the budgets. */
  function earnMs({ workspace, channel }: Budgets, rank: "text" | "result"): number {
    const ofWorkspace = perWorkspace === undefined ? 0 : openIn(workspace) * earnOneMs(perWorkspace);
    if (perChannel === undefined) return ofWorkspace;
    const { limit, windowMs } = perChannel;
    // If a text used up its share of a window, its next words would wait for the rest of that window.
    const kept = rank === "text" ? keep(rank, channel, limit, stepsInWindow) : keptForFinals;
    return Math.max(ofWorkspace, openIn(channel) * (windowMs / Math.max(1, limit - kept)));
  }

  function openIn(key: string): number {
    return expected.get(key)?.size ?? 0;
  }

  /** The budgets that count such a write, the scarcest first. */
  function countings(budgets: Budgets, rank: Rank, what: Countable): readonly Counting[] {
    const counting: Counting[] = [];
    const { workspace, channel, isApart } = budgets;
    if (windows !== undefined && counts(perChannel, what, isApart)) {
      const take = () => windows.take(channel, keep(rank, channel, perChannel?.limit ?? 0, stepsInWindow));
      counting.push({ key: channel, take, giveBack: () => windows.giveBack(channel) });
    }
    if (counts(perWorkspace, what)) {
      const kept = () => keep(rank, workspace, perWorkspace.capacity);
      counting.push(ofBucket(workspace, perWorkspace, kept));
    }
    if (what === "post" && posts !== undefined) {
      const waiting = () => [...(expected.get(workspace) ?? [])].filter(({ lacksMessage }) => lacksMessage?.()).length;
      const left = () => (rank === "end" ? 0 : placeholdersLeave(posts.perWorkspace.capacity, waiting()));
      counting.push(ofBucket(budgets.channelPosts, posts.perChannel, () => 0));
      counting.push(ofBucket(budgets.posts, posts.perWorkspace, left));
    }
    return counting;
  }

  function ofBucket(key: string, bucket: Bucket, kept: () => number): Counting {
    return {
      key,
      take: () => takeOf(key, bucket, kept()),
      giveBack: () => spare.set(key, [...(spare.get(key) ?? []), clock.now() + earnOneMs(bucket)]),
    };
  }

  /** Keys of the budgets that count such a write. */
  function keysFor(budgets: Budgets, what: Countable): readonly string[] {
    const { workspace, channel, posts: ofPosts, channelPosts, isApart } = budgets;
    const keys = [
      counts(perChannel, what, isApart) ? channel : undefined,
      counts(perWorkspace, what) ? workspace : undefined,
      ...(what === "post" && posts !== undefined ? [ofPosts, channelPosts] : []),
    ];
    return keys.filter((key) => key !== undefined);
  }

  /** Takes a token from each budget that counts such a write. */
  async function take(budgets: Budgets, rank: Rank, what: Countable): Promise<Taken> {
    const taken: Counting[] = [];
    for (const counting of countings(budgets, rank, what)) {
      const verdict = await counting.take();
      if (!verdict.taken) {
        for (const { giveBack: back } of taken) back();
        return { ...verdict, key: counting.key };
      }
      taken.push(counting);
    }
    return { taken: true };
  }

  async function takeOf(key: string, bucket: Bucket, kept: number): Promise<Verdict> {
    const left = (spare.get(key) ?? []).filter((untilMs) => untilMs > clock.now());
    if (left.length > 1) spare.set(key, left.slice(1));
    else spare.delete(key);
    if (left.length > 0) return { taken: true };
    try {
      return await coordinator.takeToken(key, bucket, kept);
    } catch (thrown) {
      log.warn({ err: thrown, key }, "The write budget could not be read");
      return { taken: false, waitMs: coordinatorAwayMs };
    }
  }

  /** The write was not needed after all. */
  function giveBack(budgets: Budgets, what: Countable): void {
    for (const { giveBack: back } of countings(budgets, "end", what)) back();
  }

  /** The platform returned 429 for a write there: nothing is sent for `forMs`. */
  async function penalise(budgets: Budgets, what: Countable, forMs: number): Promise<void> {
    if (isUnlimited) return;
    if (what === "post" && posts !== undefined) return penalisePosts(budgets, forMs);
    const { workspace, channel } = budgets;
    if (windows !== undefined)
      return learnt.lowered("edits", ownerOf(budgets, channel), windows.penalise(channel, forMs), forMs);
    await penaliseBucket("edits", ownerOf(budgets, workspace), forMs);
  }

  /** A platform doesn't say whose limit it was: the channel's, unless another channel is refused meanwhile. */
  async function penalisePosts(budgets: Budgets, forMs: number): Promise<void> {
    const { posts: ofPosts, channelPosts } = budgets;
    const nowMs = clock.now();
    const before = refusedPosts.get(ofPosts);
    const isOfWorkspace = before !== undefined && before.untilMs > nowMs && before.channel !== channelPosts;
    for (const [key, { untilMs }] of refusedPosts) if (untilMs <= nowMs) refusedPosts.delete(key);
    refusedPosts.set(ofPosts, { channel: channelPosts, untilMs: nowMs + forMs });
    await penaliseBucket("posts", ownerOf(budgets, channelPosts), forMs);
    if (isOfWorkspace) await penaliseBucket("posts", ownerOf(budgets, ofPosts), forMs);
  }

  async function penaliseBucket(kind: BudgetKind, owner: BudgetOwner, forMs: number): Promise<void> {
    const { key } = owner;
    spare.delete(key);
    try {
      learnt.lowered(kind, owner, await coordinator.penalise(key, forMs), forMs);
    } catch (thrown) {
      log.warn({ err: thrown, key }, "The platform's Retry-After could not be stored in the write budget");
    }
  }

  /** How long one edit takes to come back. */
  const perEditMs = perWorkspace === undefined ? 0 : earnOneMs(perWorkspace);

  return { keyOf, keysFor, expect, follow, forget, earnMs, perEditMs, take, giveBack, penalise };
}

/** Whose budget has that key. */
function ownerOf({ workspace, posts, place }: Budgets, key: string): BudgetOwner {
  if (place === undefined) return { key };
  const isOfWorkspace = key === workspace || key === posts;
  return { key, workspace: place.workspace, ...(isOfWorkspace ? {} : { channel: place.channel }) };
}

function earnOneMs({ refillPerMinute }: Bucket): number {
  return 60_000 / refillPerMinute;
}

function counts<T extends WriteBucket | WriteWindow>(
  budget: T | undefined,
  what: Countable,
  countsAll = false,
): budget is T {
  if (budget === undefined || what === "nothing") return false;
  return countsAll || budget.counts === undefined || what === "edit";
}
