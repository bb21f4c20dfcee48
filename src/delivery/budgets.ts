/**
 * The budgets of a platform's writes: token buckets of workspaces, which all instances share, and sliding windows of
 * channels. Each write leaves tokens for more urgent ones, above all for ends. A 429 makes a budget smaller for a while.
 */

import type { BudgetKind, DeliveryMetrics, LoweredBudget } from "../core/metrics.ts";
import { afterLimit, type LearntShare, shareNow, wholeAgainAtMs } from "../core/model/learnt-share.ts";
import { conversationKey, type Place, workspaceKey } from "../core/model/place.ts";
import type { ChatPlatform, WriteLimits, WriteWindow } from "../core/ports/chat-platform.ts";
import type { Clock } from "../core/ports/clock.ts";
import type { Log } from "../core/ports/log.ts";
import type { Bucket, Coordinator } from "../core/ports/state.ts";
import type { News } from "./types.ts";

/** Who is served first. */
export const ranks = [
  /** An end, its further messages and its file. */
  "end",
  /** The reader sees nothing yet. */
  "first-post",
  "first-step",
  "step",
  "first-text",
  "text",
  "result",
  "elapsed",
  /** An answer that is shown already: counts of votes. */
  "counts",
] as const satisfies readonly (News | "end" | "first-post" | "counts")[];

export type Rank = (typeof ranks)[number];

/** How a budget classifies a write: some only count edits, or posts. */
export type Countable = "edit" | "post" | "other";

/** One limit that counts writes of a Reply. */
export type Budget = {
  readonly key: string;
  readonly kind: BudgetKind;
  readonly limit: Bucket | WriteWindow;
  readonly counts: readonly Countable[];
  readonly owner: Pick<LoweredBudget, "workspace" | "channel">;
};

/** The scarcest first, the one of the whole workspace last. */
export type Budgets = readonly Budget[];

/** A Reply that will end. */
export type Expected = {
  /** They change when it gets limits of its own, or loses them. */
  readonly budgets: () => Budgets;
  /** It has something to show, and no message yet. Absent: it has one. */
  readonly lacksMessage?: () => boolean;
};

const everything: readonly Countable[] = ["edit", "post", "other"];
/** A window returns nothing until its oldest write leaves it, and meanwhile an answer can begin more than one step. */
const stepsInWindow = 2;
/** Writes that are always possible in a window, however small 429s have made it: progress and an end. */
const leastInWindow = 2;
/** Windows to remember before those without recent writes are dropped. */
const maxWindows = 1_000;
/** How long to wait before asking a coordinator that did not respond again. */
const coordinatorAwayMs = 500;

/** `apart`: the Reply that has limits of its own, as if it were written alone in a workspace. */
export function budgetsOf(limits: WriteLimits, place: Place, apart?: string): Budgets {
  const { perWorkspace, perChannel, posts } = limits;
  const workspace = apart === undefined ? workspaceKey(place) : `reply/${apart}`;
  const ofWorkspace = apart === undefined ? { workspace: place.workspace } : {};
  const ofChannel = apart === undefined ? { workspace: place.workspace, channel: place.channel } : {};
  // A thread counts as its own channel: on Discord it is one.
  const channel = apart === undefined ? conversationKey(place) : workspace;
  const budgets: Budget[] = [];
  if (perChannel !== undefined) {
    // Of a Reply with limits of its own, messages count among its edits.
    const counts = apart === undefined ? countedBy(perChannel) : everything;
    budgets.push({ key: `writes/channel/${channel}`, kind: "edits", limit: perChannel, counts, owner: ofChannel });
  }
  if (perWorkspace !== undefined) {
    const counts = countedBy(perWorkspace);
    budgets.push({ key: `writes/${workspace}`, kind: "edits", limit: perWorkspace, counts, owner: ofWorkspace });
  }
  if (posts !== undefined) {
    const ofPosts = { kind: "posts", counts: ["post"] } as const;
    // Of the channel whatever the thread.
    const key = `posts/channel/${workspace}/${place.channel}`;
    budgets.push({ ...ofPosts, key, limit: posts.perChannel, owner: ofChannel });
    budgets.push({ ...ofPosts, key: `posts/${workspace}`, limit: posts.perWorkspace, owner: ofWorkspace });
  }
  return budgets;
}

/** The budgets of a Reply at this moment. */
export function createBudgetsOf(platform: ChatPlatform, place: Place, replyId: string): () => Budgets {
  const { limits, hasOwnLimits } = platform;
  const shared = budgetsOf(limits.writes, place);
  if (hasOwnLimits === undefined) return () => shared;
  let own: Budgets | undefined;
  return () => {
    if (!hasOwnLimits(replyId)) return shared;
    own ??= budgetsOf(limits.writes, place, replyId);
    return own;
  };
}

function countedBy({ counts }: { readonly counts?: "edits" }): readonly Countable[] {
  return counts === undefined ? everything : ["edit"];
}

/**
 * Tokens that a write leaves in a budget of edits that `open` Replies share. The reserve is for the ends that may come.
 * What shows no new step leaves one token more for each Reply, and a result leaves those of all next steps, so that it
 * never costs anyone a new step. `stepsEach`: how many a Reply may begin before the budget has another token.
 */
export function tokensLeft(rank: Rank, open: number | undefined, keptForFinals: number, stepsEach: number): number {
  // Without an open Reply here, those of other instances are unknown. An answer that runs alone need not reserve ten.
  const reserve = Math.min(keptForFinals, (open ?? keptForFinals) + 1);
  switch (rank) {
    case "end":
      return 0;
    case "first-post":
      return Math.floor(reserve / 2);
    case "first-step":
    case "step":
    case "first-text":
      return reserve;
    case "text":
    // Once in 30 s at most for each answer. They would never find a busy channel as quiet as results need it.
    case "counts":
      return reserve + (open ?? 0);
    case "result":
    case "elapsed":
      return reserve + stepsEach * (open ?? 0);
  }
}

/**
 * Tokens that a first post which shows no end leaves of a budget of posts: it takes at most a third of a burst. While
 * many wait, all but one are kept, so that the first message of most of them is their answer.
 */
export function placeholdersLeave(capacity: number, withoutMessage: number): number {
  return Math.max(Math.ceil((2 * capacity) / 3), Math.min(capacity - 1, withoutMessage));
}

export type BudgetOptions = {
  readonly limits: WriteLimits;
  readonly coordinator: Pick<Coordinator, "takeToken" | "returnToken" | "penalise">;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics?: Pick<DeliveryMetrics, "onBudgetLowered" | "watchBudget"> | undefined;
};

export function createBudgets({ limits, coordinator, clock, log, metrics }: BudgetOptions) {
  const { keptForFinals } = limits;
  /** Replies open here, by key. Those of other instances are unknown: their finals may wait for a token or two. */
  const open = new Map<string, Set<Expected>>();
  /** The budgets under which each of them is counted. */
  const countedIn = new Map<Expected, Budgets>();
  /**
   * Times of the writes in each window, oldest first. A bucket that never overruns a window would have to refill at half
   * the rate. Counted in this process: mostly one instance writes in a channel.
   */
  const written = new Map<string, readonly number[]>();
  /** What 429s have taught, as known in this process. */
  const lowered = new Map<string, Budget & LearntShare>();
  /** The channel whose post was refused last in a workspace, and until when it waits. */
  const refusedPosts = new Map<string, { readonly channel: string; readonly untilMs: number }>();

  const { perWorkspace, perChannel, posts } = limits;
  if (perChannel !== undefined) watch("edits", "channel", (perChannel.limit * 60_000) / perChannel.windowMs);
  else if (perWorkspace !== undefined) watch("edits", "workspace", perWorkspace.refillPerMinute);
  if (posts !== undefined) watch("posts", "workspace", posts.perWorkspace.refillPerMinute);

  function watch(kind: BudgetKind, per: "channel" | "workspace", perMinute: number): void {
    const loweredNow = (): readonly LoweredBudget[] =>
      [...lowered.values()]
        .filter((known) => known.kind === kind && wholeAgainAtMs(known) > clock.now())
        .map((known) => ({
          ...known.owner,
          perMinute: perMinute * shareNow(known, clock.now()),
          wholeAgainAtMs: wholeAgainAtMs(known),
        }));
    metrics?.watchBudget(kind, { per, perMinute, lowered: loweredNow });
  }

  /** A Reply that will end, until it is forgotten. */
  function expect(one: Expected): void {
    const budgets = one.budgets();
    countedIn.set(one, budgets);
    for (const { key } of budgets) open.set(key, (open.get(key) ?? new Set()).add(one));
  }

  function forget(one: Expected): void {
    for (const { key } of countedIn.get(one) ?? []) {
      const others = open.get(key);
      others?.delete(one);
      if (others?.size === 0) open.delete(key);
    }
    countedIn.delete(one);
  }

  /** Counts it in other budgets, if it has others by now. */
  function follow(one: Expected): void {
    const before = countedIn.get(one);
    if (before === undefined || before === one.budgets()) return;
    forget(one);
    expect(one);
  }

  function left({ key, kind, limit }: Budget, rank: Rank): number {
    const here = open.get(key);
    if (kind === "edits") return tokensLeft(rank, here?.size, keptForFinals, "windowMs" in limit ? stepsInWindow : 1);
    // A channel has a post a second again, so an end there waits for a placeholder no longer than that.
    if (rank === "end" || "windowMs" in limit || limit !== posts?.perWorkspace) return 0;
    const withoutMessage = [...(here ?? [])].filter(({ lacksMessage }) => lacksMessage?.() === true).length;
    return placeholdersLeave(limit.capacity, withoutMessage);
  }

  /** Until the window has room for a write that leaves so many. */
  function windowWaitMs(key: string, { limit, windowMs }: WriteWindow, kept: number): number {
    const nowMs = clock.now();
    const recent = (written.get(key) ?? []).filter((atMs) => atMs + windowMs > nowMs);
    const allowed = Math.max(Math.min(limit, leastInWindow), Math.floor(limit * shareNow(lowered.get(key), nowMs)));
    const blocking = recent[recent.length - Math.max(1, allowed - kept)];
    return blocking === undefined ? 0 : blocking + windowMs - nowMs;
  }

  function writeInWindow(key: string, { windowMs }: WriteWindow): void {
    const nowMs = clock.now();
    const isRecent = (atMs: number) => atMs + windowMs > nowMs;
    if (written.size >= maxWindows) {
      for (const [other, times] of written) if (!times.some(isRecent)) written.delete(other);
    }
    written.set(key, [...(written.get(key) ?? []).filter(isRecent), nowMs]);
  }

  async function tokenWaitMs(key: string, bucket: Bucket, kept: number): Promise<number> {
    try {
      const token = await coordinator.takeToken(key, bucket, kept);
      return token.taken ? 0 : Math.max(1, token.waitMs);
    } catch (thrown) {
      log.warn({ err: thrown, key }, "The write budget could not be read");
      return coordinatorAwayMs;
    }
  }

  /** A channel has lost nothing because its workspace has none to give. */
  async function giveBack(key: string, bucket: Bucket): Promise<void> {
    await coordinator
      .returnToken(key, bucket)
      .catch((err: unknown) => log.info({ err, key }, "A token of a write budget could not be given back"));
  }

  /** Takes a token from each budget that counts such a write; or says which one has none, and for how long. */
  async function take(
    budgets: Budgets,
    rank: Rank,
    what: Countable,
  ): Promise<{ readonly key: string; readonly waitMs: number } | undefined> {
    const counting = budgets.filter(({ counts }) => counts.includes(what));
    const taken: { readonly key: string; readonly bucket: Bucket }[] = [];
    for (const budget of counting) {
      const { key, limit } = budget;
      const kept = left(budget, rank);
      const waitMs = "windowMs" in limit ? windowWaitMs(key, limit, kept) : await tokenWaitMs(key, limit, kept);
      if (waitMs > 0) {
        for (const { key: of, bucket } of taken) await giveBack(of, bucket);
        return { key, waitMs };
      }
      if (!("windowMs" in limit)) taken.push({ key, bucket: limit });
    }
    for (const { key, limit } of counting) if ("windowMs" in limit) writeInWindow(key, limit);
    return undefined;
  }

  /** How long the budgets need to earn one more such edit for each Reply that shares them: the longest of them. */
  function earnMs(budgets: Budgets, rank: "text" | "result"): number {
    const each = budgets.map((budget) => {
      const { key, kind, limit } = budget;
      if (kind !== "edits") return 0;
      const count = open.get(key)?.size ?? 0;
      if (!("windowMs" in limit)) return (count * 60_000) / limit.refillPerMinute;
      // If a text used up its share of a window, its next words would wait for the rest of that window.
      const kept = rank === "text" ? left(budget, rank) : keptForFinals;
      return count * (limit.windowMs / Math.max(1, limit.limit - kept));
    });
    return Math.max(0, ...each);
  }

  /** The platform returned 429 for a write there: nothing is sent for `forMs`, and less than before for some minutes. */
  async function penalise(budgets: Budgets, what: Countable, forMs: number): Promise<void> {
    const isPost = what === "post" && posts !== undefined;
    const [first, shared] = budgets.filter(({ kind }) => kind === (isPost ? "posts" : "edits"));
    if (first === undefined) return;
    const isOfAll = isPost && shared !== undefined && isRefusedElsewhere(first.key, shared.key, forMs);
    await lower(first, forMs);
    if (isOfAll) await lower(shared, forMs);
  }

  /** A platform doesn't say whose limit it was: the channel's, unless another channel is refused meanwhile. */
  function isRefusedElsewhere(channel: string, workspace: string, forMs: number): boolean {
    const nowMs = clock.now();
    for (const [key, { untilMs }] of refusedPosts) if (untilMs <= nowMs) refusedPosts.delete(key);
    const before = refusedPosts.get(workspace);
    refusedPosts.set(workspace, { channel, untilMs: nowMs + forMs });
    return before !== undefined && before.channel !== channel;
  }

  async function lower(budget: Budget, forMs: number): Promise<void> {
    const { key, kind, limit } = budget;
    const nowMs = clock.now();
    const before = lowered.get(key);
    for (const [other, known] of lowered) if (wholeAgainAtMs(known) <= nowMs) lowered.delete(other);
    if ("windowMs" in limit) {
      written.set(key, Array<number>(limit.limit).fill(nowMs + forMs - limit.windowMs));
      lowered.set(key, { ...budget, ...afterLimit(before, nowMs, nowMs + forMs) });
    } else {
      try {
        const share = await coordinator.penalise(key, forMs);
        lowered.set(key, { ...budget, share, loweredAtMs: nowMs, quietSinceMs: nowMs + forMs });
      } catch (thrown) {
        log.warn({ err: thrown, key }, "The platform's Retry-After could not be stored in the write budget");
        return;
      }
    }
    if (shareNow(lowered.get(key), nowMs) < shareNow(before, nowMs)) metrics?.onBudgetLowered(kind);
  }

  return { expect, follow, forget, take, earnMs, penalise };
}
