/** What Slack's status line is told: the newest words only, within its limit, and its end. */
import { describe, expect, it } from "vitest";
import { createClients } from "../../../adapters/slack/connection/clients.ts";
import { createRefusals } from "../../../adapters/slack/writing/refusals.ts";
import { createStatusLine } from "../../../adapters/slack/writing/status-line.ts";
import type { AdapterMetrics } from "../../../src/core/metrics.ts";
import type { Place } from "../../../src/core/model/place.ts";
import type { KeyValue } from "../../../src/core/ports/state.ts";
import { createMemoryCoordinator } from "../../../src/state/memory/coordinator.ts";
import { createFakeClock, type FakeClock } from "../../doubles/fake-clock.ts";
import { memoryKeyValue } from "../../doubles/room-parts.ts";
import { silentLog } from "../../doubles/silent-log.ts";
import { until } from "../../doubles/until.ts";
import { botToken, type FakeSlack } from "../../fakes/slack/index.ts";
import { openRoom } from "../room.ts";

type Options = { readonly clock?: FakeClock; readonly keyValue?: KeyValue<string> };

function linesOf(slack: FakeSlack, { clock = createFakeClock(), keyValue = memoryKeyValue() }: Options = {}) {
  const { progress } = createClients({ botToken, apiUrl: slack.apiUrl, log: silentLog });
  const counts: Record<string, number> = {};
  const count = (what: string) => {
    counts[what] = (counts[what] ?? 0) + 1;
  };
  let perMinute = () => Number.NaN;
  const metrics: AdapterMetrics = {
    onRateLimited: () => count("429"),
    onBudgetLowered: count,
    onStatusLine: count,
    onBlocksRefused: count,
    watchBudget: (_kind, budget) => {
      perMinute = () => Math.min(budget.perMinute, ...budget.lowered().map((one) => one.perMinute));
    },
  };
  const parts = { keyValue, clock, log: silentLog };
  const memory = createMemoryCoordinator({ clock });
  let tokens = 0;
  const takeToken: typeof memory.takeToken = (...asked) => {
    tokens += 1;
    return memory.takeToken(...asked);
  };
  const coordinator = { ...memory, takeToken };
  const line = createStatusLine({
    ...parts,
    clientOf: async () => progress,
    refusals: createRefusals(parts),
    coordinator,
    metrics,
  });
  /** What was to be counted is, and what follows from it has been done. */
  const counted = async (what: string, times = 1) => {
    await until(`${times} × ${what}`, () => counts[what] === times);
    await clock.advance(0);
  };
  return { show: line.show, tokens: () => tokens, clock, counted, counts, keyValue, perMinute: () => perMinute() };
}

function threadIn(slack: FakeSlack): Place {
  const { ts } = slack.world.store({ channel: "C0GENERAL", user: "U0ALICE", text: "hello", blocks: [] });
  return { platform: "slack", workspace: "T0ACME", channel: "C0GENERAL", thread: ts };
}

const method = "assistant.threads.setStatus";
const said = (slack: FakeSlack) => slack.callsTo(method).map(({ body }) => body["status"]);
const shown = (slack: FakeSlack, { channel, thread = "" }: Place) => slack.world.statusLine.textOf(channel, thread);

describe("the status line in Slack", () => {
  it("shows the newest words, without those that came meanwhile, and is cleared", async () => {
    const { slack } = await openRoom();
    const { show, counts } = linesOf(slack);
    const place = threadIn(slack);
    slack.slow(method, 50);

    for (const words of ["one", "two", "three"]) show(place, words);
    await until("the newest words", () => shown(slack, place) === "is working: three");
    show(place, undefined);
    await until("an empty line", () => said(slack).at(-1) === "" && shown(slack, place) === undefined);

    expect(said(slack).length).toBeLessThanOrEqual(3);
    expect(slack.callsTo(method).map(({ error }) => error)).not.toContain("missing_scope");
    await until("the counts", () => counts["cleared"] === 1);
    expect(slack.violations).toEqual([]);
  });

  it("is cleared before the words of others that wait for the limit", async () => {
    const { slack } = await openRoom({}, { rates: false });
    const { show, clock, counted } = linesOf(slack);
    const places = Array.from({ length: 70 }, () => threadIn(slack));
    const [first] = places;
    if (first === undefined) throw new Error("no thread");
    for (const place of places) show(place, "reading");
    await counted("shown", 50);

    show(first, undefined);
    await clock.advance(220);

    await until("an empty line", () => shown(slack, first) === undefined);
    expect(said(slack).length).toBeLessThanOrEqual(52);
  });

  it("gets clean words in one short line, whatever a step is called", async () => {
    const { slack } = await openRoom();
    const { show } = linesOf(slack);
    const place = threadIn(slack);

    show(place, `Reading \u202Ea, b,c <!channel>\n${"x".repeat(200)}`);
    await until("words", () => shown(slack, place) !== undefined);

    expect(shown(slack, place)).toMatch(/^is working: Reading a b c ‹!channel› x+…$/);
    expect(shown(slack, place)?.length).toBeLessThanOrEqual(100);
  });

  it("needs a thread", async () => {
    const { slack } = await openRoom();
    const { show } = linesOf(slack);

    show({ platform: "slack", workspace: "T0ACME", channel: "C0GENERAL" }, "one");
    await slack.person("U0ALICE").say("C0GENERAL", "hello").delivered;

    expect(said(slack)).toEqual([]);
  });

  it("is repeated before Slack forgets it, until it is cleared", async () => {
    const { slack } = await openRoom();
    const { show, clock, counted } = linesOf(slack);
    const place = threadIn(slack);
    show(place, "one");
    await counted("shown");

    await clock.advance(90_000);
    await counted("shown", 2);
    show(place, undefined);
    await counted("cleared");
    await clock.advance(600_000);

    expect(said(slack)).toEqual(["is working: one", "is working: one", ""]);
  });

  it("waits as long as Slack wants after a 429, then uses less of its budget and says only the newest", async () => {
    const { slack } = await openRoom();
    const { show, clock, counted, counts, perMinute } = linesOf(slack);
    const place = threadIn(slack);
    expect(perMinute()).toBe(570);
    slack.fail(method, "ratelimited", { retryAfterS: 20 });
    show(place, "one");
    await counted("limited");
    show(place, "two");
    await clock.advance(19_000);
    expect(said(slack).length).toBe(1);
    expect(perMinute()).toBeCloseTo(399);

    await clock.advance(2_000);
    await counted("shown");

    expect(said(slack).length).toBe(2);
    expect(counts).toMatchObject({ "429": 1, status: 1, shown: 1 });
  });

  it("stays within its budget when sixty ask at once", async () => {
    const { slack } = await openRoom({}, { rates: false });
    const { show, clock } = linesOf(slack);
    const places = Array.from({ length: 60 }, () => threadIn(slack));
    for (const place of places) show(place, "one");

    await until("fifty calls", () => said(slack).length === 50);
    await clock.advance(1_000);
    await until("more calls", () => said(slack).length >= 59);
    await clock.advance(200);
    await until("all calls", () => said(slack).length === 60);
  });

  it("is asked for one token at a time by all who wait, first come, first served, and not for what is over by then", async () => {
    const { slack } = await openRoom({}, { rates: false });
    const { show, clock, tokens } = linesOf(slack);
    const places = Array.from({ length: 80 }, () => threadIn(slack));
    for (const place of places) show(place, "one");
    await until("fifty calls", () => said(slack).length === 50);
    for (const place of places.slice(60)) show(place, undefined);
    const before = tokens();

    for (let count = 0; count < 30; count += 1) await clock.advance(110);
    await until("sixty calls", () => said(slack).length === 60);
    await clock.advance(1_000);

    expect(said(slack)).not.toContain("");
    expect(slack.callsTo(method).map(({ body }) => body["thread_ts"])).toEqual(
      places.slice(0, 60).map(({ thread }) => thread),
    );
    expect(tokens() - before).toBeLessThan(100);
  });

  it.each(["unknown_method", "missing_scope", "not_allowed_token_type", "invalid_arguments", "404"])(
    "is left alone for a day where it is refused (%s), by every process",
    async (code) => {
      const { slack } = await openRoom();
      const room = linesOf(slack);
      const place = threadIn(slack);
      slack.fail(method, code);

      room.show(place, "one");
      await room.counted("refused");
      room.show(place, "two");
      const other = linesOf(slack, room);
      other.show(threadIn(slack), "three");
      await slack.person("U0ALICE").say("C0GENERAL", "hello").delivered;
      expect(said(slack).length).toBe(1);

      await room.clock.advance(86_400_000);
      room.show(place, "four");
      await until("the words", () => shown(slack, place) === "is working: four");
    },
  );

  it("tries again with the next words after any other failure", async () => {
    const { slack } = await openRoom();
    const { show, counts } = linesOf(slack);
    const place = threadIn(slack);
    slack.fail(method, "channel_not_found");
    slack.fail(method, "500");

    show(place, "one");
    await until("a failure", () => counts["failed"] === 1);
    show(place, "two");
    await until("another one", () => counts["failed"] === 2);
    show(place, "three");
    await until("the words", () => shown(slack, place) === "is working: three");

    expect(said(slack).length).toBe(3);
  });

  it("is cleared for words that another process left", async () => {
    const { slack } = await openRoom();
    const { show } = linesOf(slack);
    const place = threadIn(slack);
    slack.world.statusLine.show(place.channel, place.thread ?? "", "is working: old");

    show(place, undefined);

    await until("an empty line", () => said(slack).at(-1) === "" && shown(slack, place) === undefined);
  });
});
