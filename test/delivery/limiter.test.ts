import { describe, expect, it } from "vitest";
import { budgetsOf, type Rank } from "../../src/delivery/budgets.ts";
import { type Candidate, createLimiter } from "../../src/delivery/limiter.ts";
import { createMemoryCoordinator } from "../../src/state/memory/coordinator.ts";
import { createFakeClock } from "../doubles/fake-clock.ts";
import { untilAdvanced } from "../doubles/until.ts";
import { createBench, document, place } from "./delivery-bench.ts";

const slackLike = { perWorkspace: { capacity: 10, refillPerMinute: 40 }, keptForFinals: 4 };

function channels(count: number) {
  return Array.from({ length: count }, (_channel, at) => ({ ...place, channel: `c${at}` }));
}

describe("the write budget", () => {
  it("is spent at once while there are tokens", async () => {
    const { open, clock, platform } = createBench({ writes: slackLike });
    const { writer } = open();

    for (let at = 0; at < 5; at += 1) {
      writer.show(document(`step ${at}`));
      await clock.advance(10);
    }

    expect(platform.writes.map((write) => write.payload?.text)).toEqual([
      "step 0",
      "step 1",
      "step 2",
      "step 3",
      "step 4",
    ]);
  });

  it("is granted to thousands by urgency and age, without ranking all of them for each write", async () => {
    const clock = createFakeClock();
    const limits = { keptForFinals: 0 };
    const limiter = createLimiter({
      limits,
      coordinator: createMemoryCoordinator({ clock }),
      clock,
      log: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
    });
    const count = 3_000;
    const written: string[] = [];
    let asked = 0;
    const wake = (name: string, rank: Rank, sinceMs: number) => {
      let isDone = false;
      const candidate: Candidate = {
        budgets: () => budgetsOf(limits, place),
        wish: () => {
          asked += 1;
          return isDone ? undefined : { rank, sinceMs, countsAs: "other" };
        },
        next: () => ({
          countsAs: "other",
          start: async () => {
            isDone = true;
            written.push(name);
            if (name === "first 100") wake("final in between", "end", 0);
          },
        }),
      };
      limiter.wake(candidate);
    };

    for (let at = count - 1; at >= 0; at -= 1) wake(`first ${at}`, "first-post", at);
    wake("final", "end", 5);
    wake("progress", "step", 0);
    await untilAdvanced(clock, "all writes", () => written.length >= count + 3, 1);

    const firsts = Array.from({ length: count }, (_, at) => `first ${at}`);
    expect(written).toEqual(["final", ...firsts.toSpliced(101, 0, "final in between"), "progress"]);
    expect(asked).toBeLessThan(count * 60);
  });

  it("serves a candidate when its own budget allows, though the others have to wait longer", async () => {
    const clock = createFakeClock();
    const limits = {
      perWorkspace: { capacity: 10, refillPerMinute: 6_000 },
      perChannel: { limit: 5, windowMs: 5_000 },
      keptForFinals: 0,
    };
    const limiter = createLimiter({
      limits,
      ...{ coordinator: createMemoryCoordinator({ clock }), clock },
      log: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
    });
    const writtenAtMs = new Map<string, number>();
    const startedMs = clock.now();
    const wanting = new Set<string>();
    const candidates = channels(3).map(({ channel }, at): Candidate => {
      const budgets = budgetsOf(limits, { ...place, channel });
      return {
        budgets: () => budgets,
        wish: () => (wanting.has(channel) ? { rank: "step", sinceMs: at, countsAs: "edit" } : undefined),
        next: () => ({
          countsAs: "edit",
          start: async () => {
            wanting.delete(channel);
            writtenAtMs.set(channel, clock.now() - startedMs);
          },
        }),
      };
    });
    const [long, short, free] = candidates;
    const wake = (candidate: Candidate | undefined, channel: string) => {
      wanting.add(channel);
      if (candidate !== undefined) limiter.wake(candidate);
    };
    await limiter.penalise(budgetsOf(limits, { ...place, channel: "c0" }), "edit", 4_000);
    await limiter.penalise(budgetsOf(limits, { ...place, channel: "c1" }), "edit", 1_000);
    wake(long, "c0");
    wake(short, "c1");
    await clock.advance(100);
    wanting.delete("c1");
    wake(free, "c2");
    await clock.advance(100);
    wake(short, "c1");
    await clock.advance(10_000);

    expect(writtenAtMs.get("c2")).toBe(100);
    expect(writtenAtMs.get("c1")).toBeLessThanOrEqual(1_001);
    expect(writtenAtMs.get("c0")).toBeLessThanOrEqual(4_001);
  });

  it("serves a blocked candidate as soon as possible, before those that rank behind it", async () => {
    const clock = createFakeClock();
    const coordinator = createMemoryCoordinator({ clock });
    const limits = { perWorkspace: { capacity: 2, refillPerMinute: 60 }, keptForFinals: 1 };
    const limiter = createLimiter({
      limits,
      ...{ coordinator, clock, log: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} } },
    });
    const written: string[] = [];
    const wake = (name: string, rank: Rank, sinceMs: number) => {
      let isDone = false;
      limiter.wake({
        budgets: () => budgetsOf(limits, place),
        wish: () => (isDone ? undefined : { rank, sinceMs, countsAs: "edit" }),
        next: () => ({
          countsAs: "edit",
          start: async () => {
            isDone = true;
            written.push(name);
          },
        }),
      });
    };

    for (let at = 0; at < 8; at += 1) wake(`progress ${at}`, "step", at);
    await clock.advance(1_000);
    wake("final", "end", 100);
    await clock.advance(60_000);

    expect(written.filter((name) => name.startsWith("progress"))).toEqual(
      Array.from({ length: 8 }, (_, at) => `progress ${at}`),
    );
    expect(written.indexOf("final")).toBeLessThan(4);
  });

  it("is coalesced when it runs low, and always shows the newest", async () => {
    const { open, clock, platform } = createBench({ writes: slackLike });
    const { writer } = open();

    for (let at = 0; at < 100; at += 1) {
      writer.show(document(`step ${at}`));
      await clock.advance(100);
    }
    await clock.advance(5_000);

    expect(platform.writes.length).toBeLessThanOrEqual(6 + 11);
    expect(platform.writes.at(-1)?.payload?.text).toBe("step 99");
  });

  it("reserves no more than the finals that may come: one answer alone can spend what ten would have to reserve", async () => {
    const spentBy = async (count: number) => {
      const { open, clock, platform } = createBench({ writes: { ...slackLike, keptForFinals: 7 } });
      const [first] = channels(count).map((at, index) => open(`turn${index}`, at).writer);
      for (let at = 0; at < 20; at += 1) {
        first?.show(document(`step ${at}`));
        await clock.advance(10);
      }
      return platform.writes.length;
    };

    expect(await spentBy(1)).toBe(8);
    expect(await spentBy(10)).toBe(3);
  });

  it("stops reserving for others when they have ended", async () => {
    const { open, clock, platform } = createBench({ writes: { ...slackLike, keptForFinals: 7 } });
    const [first, ...others] = channels(10).map((at, index) => open(`turn${index}`, at).writer);
    for (const other of others) await other.close();
    for (let at = 0; at < 20; at += 1) {
      first?.show(document(`step ${at}`));
      await clock.advance(10);
    }

    expect(platform.writes.length).toBe(8);
  });

  it("keeps tokens for finals, which do not wait for progress", async () => {
    const { open, clock, platform } = createBench({ writes: slackLike });
    const writers = channels(3).map((at, index) => open(`turn${index}`, at).writer);
    for (let at = 0; at < 20; at += 1) {
      for (const writer of writers) writer.show(document(`step ${at}`));
      await clock.advance(10);
    }
    const before = platform.writes.length;
    const startedAtMs = clock.now();

    const finishing = writers.map((writer) => writer.finish(document("the answer", "done")));
    await clock.advance(10);
    await Promise.all(finishing);

    expect(platform.writes.slice(before).map((write) => write.payload?.text)).toEqual(Array(3).fill("the answer"));
    expect(clock.now() - startedAtMs).toBe(10);
  });

  it("is never overdrawn: the platform that enforces it never says 429", async () => {
    const { open, clock, platform, settle } = createBench({
      writes: slackLike,
      enforced: { perWorkspace: slackLike.perWorkspace },
      latencyMs: 50,
    });
    const writers = channels(10).map((at, index) => open(`turn${index}`, at).writer);

    for (let at = 0; at < 60; at += 1) {
      for (const writer of writers) writer.show(document(`step ${at}`));
      await clock.advance(500);
    }
    await settle(Promise.all(writers.map((writer) => writer.finish(document("the answer", "done")))));

    expect(platform.rateLimited()).toBe(0);
    expect(
      channels(10)
        .flatMap((at) => platform.thread(at))
        .map((message) => message.payload.text),
    ).toEqual(Array(10).fill("the answer"));
    expect(platform.violations).toEqual([]);
  });

  it("is shared fairly: no running reply is more than one round staler than another", async () => {
    const { open, clock, platform } = createBench({ writes: slackLike });
    const places = channels(5);
    const writers = places.map((at, index) => open(`turn${index}`, at).writer);

    for (let at = 0; at < 600; at += 1) {
      for (const writer of writers) writer.show(document(`step ${at}`));
      await clock.advance(100);
    }

    const edits = places.map((at) => platform.writes.filter((write) => write.place.channel === at.channel).length);
    expect(Math.max(...edits) - Math.min(...edits)).toBeLessThanOrEqual(1);
    expect(Math.min(...edits)).toBeGreaterThanOrEqual(7);
  });

  it("is shared fairly by those that have shown a step and those that have not, whose steps come one after another", async () => {
    const writes = { perWorkspace: { capacity: 9.5, refillPerMinute: 48, counts: "edits" }, keptForFinals: 7 } as const;
    const { open, clock, platform } = createBench({ writes: { ...writes, debounceMs: 75 }, latencyMs: 40 });
    const places = channels(10);
    const writers = places.map((at, index) => open(`turn${index}`, at).writer);
    for (const writer of writers) writer.show(document("working"), "first-step");
    for (let at = 0; at < 20; at += 1) {
      for (const writer of writers) {
        writer.show(document(`step ${at}`), at === 0 ? "first-step" : "step");
        await clock.advance(3.7);
      }
      await clock.advance(50);
      for (const writer of writers) writer.show(document(`step ${at}, found`), "result");
      await clock.advance(1_913);
    }

    const edits = places.map((at) => platform.writes.filter((write) => write.place.channel === at.channel).length);
    expect(Math.min(...edits)).toBeGreaterThanOrEqual(4);
    expect(Math.max(...edits) - Math.min(...edits)).toBeLessThanOrEqual(1);
  });

  it("shows a new reply before it refreshes old ones", async () => {
    const { open, clock, platform } = createBench({ writes: slackLike });
    const busy = open("busy").writer;
    for (let at = 0; at < 50; at += 1) {
      busy.show(document(`step ${at}`));
      await clock.advance(100);
    }
    const startedAtMs = clock.now();

    open("new", { ...place, channel: "other" }).writer.show(document("hello"));
    await clock.advance(1_000);

    const first = platform.writes.find((write) => write.payload?.text === "hello");
    expect((first?.startedAtMs ?? 0) - startedAtMs).toBeLessThan(1_000);
  });

  it("is one per channel where only channels have one", async () => {
    const { open, clock, platform } = createBench({
      writes: { perChannel: { limit: 2, windowMs: 2_000 }, keptForFinals: 0 },
    });
    const [one, other] = channels(2).map((at, index) => open(`turn${index}`, at).writer);
    for (let at = 0; at < 5; at += 1) {
      one?.show(document(`step ${at}`));
      await clock.advance(1);
    }

    other?.show(document("unhindered"));
    await clock.advance(1);

    expect(platform.writes.map((write) => write.payload?.text)).toEqual(["step 0", "step 1", "unhindered"]);
  });

  it("does not count first posts where a platform limits posts apart from edits", async () => {
    const { open, clock, platform } = createBench({
      writes: {
        perWorkspace: { capacity: 1, refillPerMinute: 1, counts: "edits" },
        keptForFinals: 0,
      },
    });
    const writers = channels(5).map((at, index) => open(`turn${index}`, at).writer);

    for (const writer of writers) writer.show(document("hello"));
    await clock.advance(10);
    for (const writer of writers) writer.show(document("working"));
    await clock.advance(10);

    expect(platform.writes.map((write) => write.kind)).toEqual([...Array(5).fill("post"), "edit"]);
  });

  it("does not make the further messages of a long answer wait for edits", async () => {
    const { open, clock, platform } = createBench({
      writes: { perChannel: { limit: 2, windowMs: 60_000, counts: "edits" }, keptForFinals: 1 },
      maxChars: 20,
    });
    const { writer } = open();
    writer.show(document("working"));
    await clock.advance(10);
    writer.show(document("still working"));
    await clock.advance(10);

    void writer.finish(document("one one one one\n\ntwo two two two\n\nsix six six six", "done"));
    await clock.advance(10);

    expect(platform.writes.map((write) => write.kind)).toEqual(["post", "edit", "edit", "post", "post"]);
    expect(platform.thread(place).map(({ payload }) => payload.text)).toHaveLength(3);
  });

  it("observes the platform's wait for every write in the refused channel, and nowhere else", async () => {
    const { open, clock, platform } = createBench({
      writes: { perChannel: { limit: 5, windowMs: 5_000 }, keptForFinals: 1 },
    });
    const [here, elsewhere] = channels(2);
    const [refused, beside, apart] = [open("refused", here), open("beside", here), open("apart", elsewhere)];
    for (const { writer } of [refused, beside, apart]) writer.show(document("hello"));
    await clock.advance(10);
    platform.fail({ on: "edit", error: "platform_rate_limited", retryAfterMs: 3_000 });
    refused.writer.show(document("refused"));
    await clock.advance(10);

    beside.writer.show(document("beside"));
    apart.writer.show(document("apart"));
    await clock.advance(2_900);
    const before = platform.writes.filter(({ outcome }) => outcome === "ok").map(({ payload }) => payload?.text);
    await clock.advance(200);
    const after = platform.writes.filter(({ outcome }) => outcome === "ok").map(({ payload }) => payload?.text);

    expect(before).toEqual(["hello", "hello", "hello", "apart"]);
    expect(after.slice(4).toSorted()).toEqual(["beside", "refused"]);
  });

  it("does not forget a final whose timer fired a moment early after a 429", async () => {
    const { open, clock, platform, settle } = createBench({ writes: slackLike, hasEarlyTimers: true });
    const { writer } = open();
    writer.show(document("working"));
    await clock.advance(10);
    platform.fail({ on: "edit", error: "platform_rate_limited", retryAfterMs: 3_000, times: 4 });

    await settle(writer.finish(document("the answer", "done")), 60_000);

    expect(platform.thread(place)[0]?.payload.text).toBe("the answer");
  });

  it("waits as long as the platform asks, and lets the final through first", async () => {
    const { open, clock, platform } = createBench({ writes: slackLike });
    const [running, ending] = channels(2).map((at, index) => open(`turn${index}`, at).writer);
    running?.show(document("working"));
    ending?.show(document("working"));
    await clock.advance(10);
    platform.fail({ on: "edit", error: "platform_rate_limited", retryAfterMs: 30_000 });
    running?.show(document("still working"));
    await clock.advance(10);
    const before = platform.writes.length;

    void ending?.finish(document("the answer", "done"));
    running?.show(document("yet more work"));
    await clock.advance(29_000);
    expect(platform.writes).toHaveLength(before);
    await clock.advance(2_000);

    expect(platform.writes[before]?.payload?.text).toBe("the answer");
  });

  it("continues after the coordinator was unreachable for a while", async () => {
    const { open, clock, platform, coordinator, settle } = createBench({ writes: slackLike });
    const take = coordinator.takeToken;
    let isAway = true;
    Object.assign(coordinator, {
      takeToken: (...args: Parameters<typeof take>) => (isAway ? Promise.reject(new Error("away")) : take(...args)),
    });
    const finishing = open().writer.finish(document("the answer", "done"));
    await clock.advance(3_000);
    expect(platform.writes).toEqual([]);

    isAway = false;
    await settle(finishing);

    expect(platform.writes).toHaveLength(1);
  });

  it("leaves no timer behind when everything is shown", async () => {
    const { open, clock, settle, coordinator } = createBench({ writes: slackLike });
    const writers = channels(3).map((at, index) => open(`turn${index}`, at).writer);
    for (const writer of writers) writer.show(document("working"));
    await settle(Promise.all(writers.map((writer) => writer.finish(document("the answer", "done")))));
    await coordinator.close();

    expect(clock.pending()).toBe(0);
  });
});
