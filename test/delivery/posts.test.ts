/** Budgets of posts, where a platform limits them apart from edits: who gets them, and what a 429 teaches. */
import { describe, expect, it } from "vitest";
import { budgetsOf, createBudgets, placeholdersLeave } from "../../src/delivery/budgets.ts";
import { createMemoryCoordinator } from "../../src/state/memory/coordinator.ts";
import { createFakeClock } from "../doubles/fake-clock.ts";
import { silentLog } from "../doubles/silent-log.ts";
import { createBench, document, place } from "./delivery-bench.ts";
import { slackLike, strict } from "./slack-like.ts";

/** Two an hour: what is lost doesn't come back in time. */
const once = { capacity: 1, refillPerMinute: 1 / 30 };
const channel = (at: number) => ({ ...place, channel: `c${at}` });

it.each([
  // [capacity, waiting without a message, left]
  [55, 1, 37],
  [55, 37, 37],
  [55, 40, 40],
  [55, 100, 54],
  [4, 1, 3],
])("placeholders take at most a third of a burst of %s; with %s waiting they leave %s", (capacity, waiting, left) => {
  expect(placeholdersLeave(capacity, waiting)).toBe(left);
});

describe("posts", () => {
  it("are for ends: with a hundred questions the first message of most is their answer", async () => {
    const { open, clock, platform, ends, settle } = createBench({ writes: slackLike, enforced: strict, latencyMs: 50 });
    const opened = Array.from({ length: 100 }, (_, at) =>
      open(`turn${at}`, channel(at), { place: channel(at), parts: [] }, { mayPostAnew: true }),
    );
    for (const { writer } of opened) writer.show(document("working"), "first-step");
    await clock.advance(5_000);
    // Only what comes back every second: the burst is kept.
    expect(platform.writes.filter(({ kind }) => kind === "post").length).toBeLessThanOrEqual(1 + 5 * 4.75);
    const sinceMs = clock.now();

    await settle(Promise.all(opened.map(({ writer }, at) => writer.finish(document(`answer ${at}`, "done")))));

    expect(clock.now() - sinceMs).toBeLessThanOrEqual(10_000);
    expect(platform.rateLimited()).toBe(0);
    expect(ends.filter((way) => way === "skipped").length).toBeGreaterThan(70);
    expect(ends.filter((way) => way === "post").length).toBeGreaterThan(70);
  });

  it("wait for nothing while few share them: each question has its placeholder at once", async () => {
    const { open, clock, platform } = createBench({ writes: slackLike, enforced: strict });
    for (let at = 0; at < 10; at += 1) open(`turn${at}`, channel(at)).writer.show(document("working"), "first-step");
    await clock.advance(0);

    expect(platform.writes.map(({ kind }) => kind)).toEqual(Array.from({ length: 10 }, () => "post"));
  });

  it("are not drawn before their turn, and then show the newest", async () => {
    const writes = { ...slackLike, posts: { ...slackLike.posts, perChannel: { capacity: 1, refillPerMinute: 60 } } };
    const { open, clock, platform } = createBench({ writes });
    open("turn1").writer.show(document("working"), "first-step");
    const { writer } = open("turn2", { ...place, thread: "t2" });
    for (const step of [1, 2, 3]) writer.show(document(`step ${step}`), "step");
    await clock.advance(900);
    expect(platform.writes).toHaveLength(1);
    await clock.advance(200);

    expect(platform.writes.map(({ payload }) => payload?.text)).toEqual(["working", "step 3"]);
  });

  it("come at most one a second in one channel after a burst, whatever the thread and however long they travel", async () => {
    let sent = 0;
    const onItsWayMs = () => {
      sent += 1;
      return (sent % 5) * 100;
    };
    const { open, platform, settle } = createBench({ writes: slackLike, enforced: strict, onItsWayMs });

    const ends = Array.from({ length: 30 }, (_, at) =>
      open(`turn${at}`, { ...place, thread: `t${at}` }).writer.finish(document("answer", "done")),
    );
    await settle(Promise.all(ends));

    expect(platform.rateLimited()).toBe(0);
    const posts = platform.writes.map(({ startedAtMs }) => startedAtMs);
    expect((posts.at(-1) ?? 0) - (posts[0] ?? 0)).toBeLessThanOrEqual(26 * 1_050 + 100);
  });

  it("cost their channel nothing while the workspace has none to give", async () => {
    const clock = createFakeClock();
    const limits = { ...slackLike, posts: { perChannel: once, perWorkspace: { capacity: 1, refillPerMinute: 30 } } };
    const budgets = createBudgets({ limits, coordinator: createMemoryCoordinator({ clock }), clock, log: silentLog });
    const take = (at: number) => budgets.take(budgetsOf(limits, channel(at)), "end", "post");
    await take(1);
    for (let tries = 0; tries < 3; tries += 1) expect(await take(2)).toMatchObject({ waitMs: 2_000 });
    await clock.advance(2_000);

    expect(await take(2)).toBeUndefined();
  });

  it("are not held up by a 429 of an edit, nor edits by one of a post", async () => {
    const { open, clock, platform, texts, settle } = createBench({ writes: slackLike });
    const one = open("turn1").writer;
    one.show(document("working"), "first-step");
    await clock.advance(100);
    platform.fail({ on: "edit", error: "platform_rate_limited", retryAfterMs: 30_000 });
    one.show(document("step"), "step");
    await clock.advance(100);
    await settle(open("turn2", channel(2)).writer.finish(document("answer", "done")), 0);

    platform.fail({ on: "post", error: "platform_rate_limited", retryAfterMs: 60_000 });
    open("turn3", channel(3)).writer.show(document("working"), "first-step");
    await clock.advance(40_000);

    expect(texts(place)).toEqual(["step"]);
    expect(texts(channel(3))).toEqual([]);
    await clock.advance(21_000);
    expect(texts(channel(3))).toEqual(["working"]);
  });

  it("wait in one channel after a 429 there, and in all when a second channel is refused meanwhile", async () => {
    const { open, clock, platform, budget, texts } = createBench({ writes: slackLike });
    platform.fail({ on: "post", error: "platform_rate_limited", retryAfterMs: 10_000 });
    const show = (at: number) => open(`turn${at}`, channel(at)).writer.show(document("working"), "first-step");
    show(1);
    await clock.advance(100);
    show(2);
    await clock.advance(100);
    expect(texts(channel(2))).toEqual(["working"]);
    expect(budget.lowered).toBe(1);

    platform.fail({ on: "post", error: "platform_rate_limited", retryAfterMs: 10_000 });
    show(3);
    await clock.advance(100);
    show(4);
    await clock.advance(5_000);
    expect(texts(channel(4))).toEqual([]);
    // Placeholders leave most of what comes back to ends.
    await clock.advance(20_000);

    expect([1, 3, 4].map((at) => texts(channel(at)))).toEqual([["working"], ["working"], ["working"]]);
  });
});
