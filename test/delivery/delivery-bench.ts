/**
 * A Reply writer over the in-memory platform, with everything a delivery test needs.
 */

import type { Document, Tone } from "../../src/core/document.ts";
import type { Place } from "../../src/core/model/place.ts";
import type { Reply } from "../../src/core/model/reply.ts";
import type { PlatformLimits } from "../../src/core/ports/chat-platform.ts";
import type { Clock } from "../../src/core/ports/clock.ts";
import type { Log } from "../../src/core/ports/log.ts";
import { createDelivery } from "../../src/delivery/delivery.ts";
import { createMemoryCoordinator } from "../../src/state/memory/coordinator.ts";
import { createFakeClock } from "../doubles/fake-clock.ts";
import { createMemoryPlatform, type MemoryPlatformOptions } from "../doubles/memory-platform.ts";

export const place: Place = { platform: "memory", workspace: "w1", channel: "c1", thread: "t1" };

const silent: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

export function document(text: string, tone: Tone = "running"): Document {
  return { tone, blocks: [{ kind: "markdown", text }], actions: [], summary: text.slice(0, 100) || "-" };
}

export function createBench(
  options: Partial<Omit<MemoryPlatformOptions, "limits">> & {
    readonly writes?: PlatformLimits["writes"];
    /** Delivery's timers fire a moment before they are due, as real ones may. */
    readonly hasEarlyTimers?: boolean;
    /** How long a token takes to come, as from a store on another machine. Default: nothing. */
    readonly tokenMs?: number;
  } = {},
) {
  const clock = createFakeClock();
  const { writes, hasEarlyTimers = false, tokenMs = 0, ...rest } = options;
  const platform = createMemoryPlatform({ clock, ...rest, ...(writes === undefined ? {} : { limits: { writes } }) });
  const memory = createMemoryCoordinator({ clock });
  const takeToken: typeof memory.takeToken = async (...bucket) => {
    await clock.sleep(tokenMs);
    return memory.takeToken(...bucket);
  };
  const coordinator = tokenMs === 0 ? memory : { ...memory, takeToken };
  const metrics: { kind: string; outcome: string }[] = [];
  const ends: string[] = [];
  const budget = { lowered: 0, perMinute: () => Number.NaN, owners: (): unknown => [] };
  const early: Clock = { ...clock, after: (ms, callback) => clock.after(Math.max(1, ms - 1), callback) };
  const delivery = createDelivery({
    platform,
    coordinator,
    clock: hasEarlyTimers ? early : clock,
    log: silent,
    metrics: {
      onWrite: (kind, outcome) => metrics.push({ kind, outcome }),
      onRateLimited: () => {},
      onEnd: (way) => ends.push(way),
      onPlaceholderSkipped: () => ends.push("skipped"),
      onBudgetLowered: () => {
        budget.lowered += 1;
      },
      watchBudget: (_kind, { perMinute, lowered }) => {
        budget.perMinute = () => Math.min(perMinute, ...lowered().map((one) => one.perMinute));
        budget.owners = () => lowered().map(({ workspace, channel }) => [workspace, channel]);
      },
    },
  });

  /** Opens a writer; `saved` has every Reply that was stored, oldest first. */
  function open(
    replyId = "turn1",
    at: Place = place,
    reply: Reply = { place: at, parts: [] },
    options: { readonly mayPostAnew?: boolean; readonly givesWay?: boolean; readonly mayShow?: () => boolean } = {},
  ) {
    const saved: Reply[] = [];
    const writer = delivery.open({
      replyId,
      reply,
      save: async (stored) => {
        saved.push(structuredClone(stored));
      },
      ...options,
    });
    return { writer, saved };
  }

  /** Lets time pass until the promise settles; fails when it does not within `maxMs`. */
  async function settle<T>(promise: Promise<T>, maxMs = 3_600_000): Promise<T> {
    let isSettled = false;
    const settled = promise.finally(() => {
      isSettled = true;
    });
    settled.catch(() => {});
    await clock.advance(0);
    for (let passedMs = 0; !isSettled && passedMs < maxMs; passedMs += 1_000) await clock.advance(1_000);
    if (!isSettled) throw new Error(`not settled after ${maxMs} ms`);
    return settled;
  }

  const texts = (at: Place = place) => platform.thread(at).map((message) => message.payload.text);
  const outcomes = () => platform.writes.map((write) => `${write.kind} ${write.outcome}`);
  return { clock, platform, coordinator, delivery, open, settle, texts, outcomes, metrics, budget, ends };
}
