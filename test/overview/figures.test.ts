import { afterEach, describe, expect, it } from "vitest";
import type { Lists } from "../../src/core/access.ts";
import type { State } from "../../src/core/ports/state.ts";
import { systemClock } from "../../src/core/tools/system-clock.ts";
import { bucketOf } from "../../src/insight/counts/durations.ts";
import { countsIn } from "../../src/insight/counts/question-counts.ts";
import { quarterMs, quarterOf } from "../../src/insight/derived/turn-work.ts";
import { readFigures } from "../../src/overview/pages/overview.ts";
import type { Places } from "../../src/overview/places.ts";
import { openState } from "../../src/state/open-state.ts";
import { appOf } from "../doubles/app.ts";
import { overviewAppOf } from "../doubles/overview-app.ts";
import { silentLog as log } from "../doubles/silent-log.ts";
import { temporaryFolder } from "../doubles/temporary-folder.ts";

const hourMs = 3_600_000;
/** A Monday, at noon in London. */
const now = Date.parse("2026-11-23T12:00:00Z");

const opened: State[] = [];
afterEach(async () => {
  for (const state of opened.splice(0)) await state.close();
});

type Changes = {
  readonly clock?: typeof systemClock;
  readonly agents?: Lists["agents"];
  readonly places?: Pick<Places, "nameOf" | "kindOf">;
};

type Question = {
  readonly where: string;
  readonly withSource: 0 | 1;
  readonly up: number;
  readonly down: number;
  readonly code: string;
  readonly durationMs: number;
};

async function room(changes: Changes = {}) {
  const clock = { ...systemClock, now: () => now };
  const state = await openState({ dataDir: await temporaryFolder("figures"), clock: systemClock, log });
  opened.push(state);
  const counts = countsIn(state);
  const count = async (at: string | number, question: Partial<Question> = {}) => {
    const quarter = quarterOf(typeof at === "string" ? Date.parse(at) : at);
    const { where = "slack/T1/C1 mindsdb/support", withSource = 1, up = 0, down = 0, code } = question;
    const end = code === undefined ? `t/${bucketOf(question.durationMs ?? 6_000)}` : `f/${code}`;
    const counters = { q: 1, s: withSource, u: up, d: down, v: up + down > 0 ? 1 : 0, [end]: 1 };
    const id = String(quarter);
    const sinceMs = quarter * quarterMs;
    await counts.create(id, { version: 1, sinceMs, counters: {}, channels: "" });
    await counts.update(id, ({ record }) => {
      const sums = Object.entries(counters).map(([name, by]) => [name, (record.counters[name] ?? 0) + by] as const);
      const channel = `${where} 1,${withSource},${code === undefined ? 0 : 1},0,0,0,0`;
      const channels = [...(record.channels === "" ? [] : [record.channels]), channel].join(";");
      return { ...record, counters: { ...record.counters, ...Object.fromEntries(sums) }, channels };
    });
  };
  const app = overviewAppOf(
    appOf({
      collection: state.collection,
      bindings: { modeOf: async () => "thread" },
      reach: {
        lists: () => ({ agents: changes.agents ?? (async () => [{ project: "mindsdb", name: "support" }]) }) as Lists,
      },
      clock: changes.clock ?? clock,
    }),
    {
      places: changes.places ?? { nameOf: async () => ({ name: "front-desk" }), kindOf: () => "shared" },
    },
  );
  return { figuresOf: (days: 7 | 30, zone: string) => readFigures(app, days, zone), count };
}

describe("the figures of the overview", () => {
  it("add up days in the reader's time zone, also where it is half an hour apart", async () => {
    const { figuresOf, count } = await room();
    // 23:45 on Sunday in India, and 0:15 on Monday.
    await count("2026-11-22T18:15:00Z");
    await count("2026-11-22T18:45:00Z");

    const inIndia = await figuresOf(7, "Asia/Kolkata");
    expect(inIndia.byDay.map(({ date, questions }) => [date, questions]).slice(-2)).toEqual([
      ["2026-11-22", 1],
      ["2026-11-23", 1],
    ]);
    const inLondon = await figuresOf(7, "Europe/London");
    expect(inLondon.byDay.map(({ questions }) => questions).slice(-2)).toEqual([2, 0]);
    expect(inLondon.fromMs).toBe(Date.parse("2026-11-17T00:00:00Z"));
  });

  it("have days of 23 and 25 hours where clocks change", async () => {
    const autumn = Date.parse("2026-10-28T12:00:00Z");
    const { figuresOf, count } = await room({ clock: { ...systemClock, now: () => autumn } });
    // The day of the change has 25 hours in Berlin: it begins at 22:00 and ends at 23:00 UTC.
    await count("2026-10-24T22:00:00Z");
    await count("2026-10-25T22:45:00Z");
    await count("2026-10-25T23:00:00Z");

    const { byDay } = await figuresOf(7, "Europe/Berlin");
    const days = Object.fromEntries(byDay.map(({ date, questions }) => [date, questions]));
    expect(days).toMatchObject({ "2026-10-24": 0, "2026-10-25": 2, "2026-10-26": 1 });
  });

  it("count an unknown time zone as UTC", async () => {
    const { figuresOf } = await room();
    expect((await figuresOf(7, "Atlantis/Sunken")).timeZone).toBe("UTC");
  });

  it("say what failed in a sentence, how fast answers were, and how many have a thumb", async () => {
    const { figuresOf, count } = await room();
    await count(now - hourMs, { up: 2, down: 1 });
    await count(now - hourMs, { withSource: 0, durationMs: 12_000 });
    await count(now - hourMs, { withSource: 0, code: "stream_too_long" });
    await count(now - hourMs, { withSource: 0, code: "of_another_version" });

    const { total, failures } = await figuresOf(7, "UTC");
    expect(total).toMatchObject({ questions: 4, withSource: 1, failed: 2, up: 2, down: 1, voted: 1 });
    expect(Math.abs((total.medianMs ?? 0) - 6_000)).toBeLessThan(600);
    expect(Math.abs((total.p95Ms ?? 0) - 12_000)).toBeLessThan(1_200);
    expect(failures).toEqual([
      { code: "of_another_version", count: 1, what: "of_another_version" },
      { code: "stream_too_long", count: 1, what: "The agent hit its time limit." },
    ]);
  });

  it("compare with as many days before", async () => {
    const { figuresOf, count } = await room();
    await count(now - 8 * 24 * hourMs);
    expect((await figuresOf(7, "UTC")).before).toEqual({ questions: 1, withSource: 1, failed: 0 });
  });

  it("say that Parley answers every message of its own page", async () => {
    const places = { nameOf: async () => ({}), kindOf: () => "own" as const };
    const { figuresOf, count } = await room({ places });
    await count(now - hourMs);

    expect((await figuresOf(7, "UTC")).channels).toMatchObject([{ mode: "every" }]);
  });

  it("have a row for each channel and agent, and all direct messages of a workspace in one", async () => {
    const { figuresOf, count } = await room();
    await count(now - hourMs);
    await count(now - 2 * 24 * hourMs, { withSource: 0 });
    await count(now - hourMs, { where: "slack/T1/C1 mindsdb/sales" });
    await count(now - hourMs, { where: "slack/T1/ mindsdb/support" });
    await count("2026-11-16T23:45:00Z", { where: "slack/T1/C2 mindsdb/support" });

    const { channels } = await figuresOf(7, "UTC");
    expect(channels).toEqual([
      {
        ...{ platform: "slack", workspace: "T1", channel: "C1", name: "front-desk", agent: "support", mode: "thread" },
        ...{ questions: 2, withSource: 1, failed: 0 },
      },
      { platform: "slack", workspace: "T1", agent: "support", questions: 1, withSource: 1, failed: 0 },
      {
        ...{ platform: "slack", workspace: "T1", channel: "C1", name: "front-desk", agent: "sales", mode: "thread" },
        ...{ questions: 1, withSource: 1, failed: 0, isAgentGone: true },
      },
    ]);
    // There the period begins in the middle of a UTC day.
    const inBerlin = await figuresOf(7, "Europe/Berlin");
    expect(inBerlin.channels.map(({ channel }) => channel)).toContain("C2");
    expect(inBerlin.channels.reduce((sum, { questions }) => sum + questions, 0)).toBe(inBerlin.total.questions);
  });

  it("don't wait for a service that is down, and call no agent gone then", async () => {
    const { figuresOf, count } = await room({ agents: () => new Promise(() => {}) });
    await count(now - hourMs);
    expect((await figuresOf(7, "UTC")).channels[0]?.isAgentGone).toBeUndefined();
  });
});
