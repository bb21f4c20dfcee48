/** Contract of the count of Discord gateway sessions, over restarts and instances, on every storage. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Rest } from "../../../../adapters/discord/connection/clients.ts";
import { createSessionStarts } from "../../../../adapters/discord/connection/session-starts.ts";
import { ParleyError } from "../../../../src/core/errors.ts";
import type { KeyValueFactory } from "../../../../src/core/ports/state.ts";
import { createMemoryCoordinator } from "../../../../src/state/memory/coordinator.ts";
import { createFakeClock, type FakeClock } from "../../../doubles/fake-clock.ts";
import { silentLog as log } from "../../../doubles/silent-log.ts";
import { until } from "../../../doubles/until.ts";

export type SessionStartsUnderTest = { readonly keyValue: KeyValueFactory; readonly close: () => Promise<void> };

const hourMs = 3_600_000;
const never = new AbortController().signal;
const waitFor = () => undefined;

/** Quarters of an hour; the storage answers in real time. */
async function pass(clock: FakeClock, quarters: number): Promise<void> {
  for (let times = 0; times < quarters; times += 1) {
    await clock.advance(hourMs / 4);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** What GET /gateway/bot answers. */
type Limit = { remaining?: number | null; reset_after?: number; max_concurrency?: number } | null;

export function describeSessionStarts(name: string, create: () => Promise<SessionStartsUnderTest>): void {
  describe(`session starts on ${name}`, () => {
    let subject: SessionStartsUnderTest;
    let bots = 0;
    beforeAll(async () => {
      subject = await create();
    });
    afterAll(() => subject?.close());

    /** A bot of its own; each call of `instance` is another process. */
    function bot(limit: () => Limit = () => ({ remaining: 1_000, reset_after: 0, max_concurrency: 1 })) {
      bots += 1;
      const token = `token-${name}-${bots}`;
      const clock: FakeClock = createFakeClock(Date.now());
      const coordinator = createMemoryCoordinator({ clock, log });
      let reads = 0;
      const rest: Rest = {
        isRefused: () => false,
        call: async () => {
          reads += 1;
          return { url: "wss://gateway", shards: 1, session_start_limit: limit() };
        },
      };
      const instance = () =>
        createSessionStarts({ token, rest, keyValue: subject.keyValue<string>("discord"), coordinator, clock, log });
      return { clock, instance, reads: () => reads };
    }

    it("are counted by every instance, and by the next process", async () => {
      const { instance } = bot();
      const [one, other] = [instance(), instance()];

      await Promise.all([one.accepted(), other.accepted(), one.accepted(), other.accepted()]);

      expect(await one.count()).toBe(4);
      expect(await instance().count()).toBe(4);
    });

    it("are those of the last 24 hours, and of that token", async () => {
      const { clock, instance } = bot();
      const starts = instance();
      await starts.accepted();
      await clock.advance(23 * hourMs);
      await starts.accepted();

      expect(await starts.count()).toBe(2);
      await clock.advance(2 * hourMs);
      expect(await starts.count()).toBe(1);
      expect(await bot().instance().count()).toBe(0);
    });

    it("wait at 50 left until Discord resets them, and say until when", async () => {
      const limit = { remaining: 50, reset_after: 3 * hourMs, max_concurrency: 1 };
      const { clock, instance, reads } = bot(() => limit);
      const waits: (number | undefined)[] = [];
      const fromMs = clock.now();
      let isAllowed = false;

      const permit = instance()
        .permit(0, never, (untilMs) => void waits.push(untilMs))
        .then(() => {
          isAllowed = true;
        });
      await until("the first wait", () => waits.length > 0);
      await pass(clock, 11);
      const wasAllowed = isAllowed;
      limit.remaining = 1_000;
      await pass(clock, 4);
      await permit;

      expect(wasAllowed).toBe(false);
      expect(waits[0]).toBe(fromMs + 3 * hourMs);
      expect(waits.at(-1)).toBeUndefined();
      // Read anew every quarter of an hour: somebody may have reset the token.
      expect(reads()).toBeGreaterThan(8);
      expect(reads()).toBeLessThan(20);
    });

    it("continue with 51 left", async () => {
      const { instance } = bot(() => ({ remaining: 51, reset_after: hourMs, max_concurrency: 1 }));
      expect(await instance().permit(0, never, waitFor)).toBe("wss://gateway");
    });

    it("of another instance count between two reads", async () => {
      const { clock, instance } = bot(() => ({ remaining: 52, reset_after: hourMs, max_concurrency: 16 }));
      const [one, other] = [instance(), instance()];
      const waits: (number | undefined)[] = [];
      await one.permit(0, never, waitFor);
      await clock.advance(1);
      await other.accepted();
      await other.accepted();

      const stopping = new AbortController();
      const waiting = one.permit(1, stopping.signal, (untilMs) => void waits.push(untilMs)).catch(() => "stopped");
      await expect.poll(() => waits.length).toBe(1);
      stopping.abort();
      await waiting;
    });

    it("are counted by Parley where Discord doesn't report how many are left", async () => {
      const { instance } = bot(() => null);
      const starts = instance();
      await Promise.all(Array.from({ length: 950 }, starts.accepted));

      const stopping = new AbortController();
      const waits: (number | undefined)[] = [];
      const waiting = instance()
        .permit(0, stopping.signal, (untilMs) => void waits.push(untilMs))
        .catch(() => "stopped");
      await expect.poll(() => waits.length).toBe(1);
      stopping.abort();

      expect(await waiting).toBe("stopped");
    });

    it("of shards that share a key are 5 s apart, whichever instance starts them", async () => {
      const { clock, instance } = bot(() => ({ remaining: 1_000, reset_after: 0, max_concurrency: 2 }));
      const fromMs = clock.now();
      const begun: [number, number][] = [];
      for (const [shard, one] of [0, 1, 2, 3, 4].map((id) => [id, instance()] as const)) {
        void one.permit(shard, never, waitFor).then(() => begun.push([shard, clock.now() - fromMs]));
      }

      // The storage answers in real time.
      for (let times = 0; times < 40; times += 1) {
        await new Promise((resolve) => setTimeout(resolve, 5));
        await clock.advance(500);
      }

      expect(begun.length).toBe(5);
      for (const key of [0, 1]) {
        const moments = begun.filter(([shard]) => shard % 2 === key).map(([, atMs]) => atMs);
        const apart = moments.slice(1).map((atMs, index) => atMs - (moments[index] ?? 0));
        expect(Math.min(...apart)).toBeGreaterThanOrEqual(5_000);
      }
    });

    it("fail when Discord answers something else", async () => {
      const { clock } = bot();
      const rest: Rest = { isRefused: () => false, call: async () => ({ url: null }) };
      const coordinator = createMemoryCoordinator({ clock, log });
      const keyValue = subject.keyValue<string>("discord");
      const starts = createSessionStarts({ token: "another", rest, keyValue, coordinator, clock, log });

      await expect(starts.permit(0, never, waitFor)).rejects.toBeInstanceOf(ParleyError);
    });
  });
}
