/**
 * A place for an answer that the platform never makes: its question is not tried forever, and whoever asked hears of it.
 * What is away for less than an hour costs no question.
 */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type ErrorCode, ParleyError } from "../../../src/core/errors.ts";
import type { Place } from "../../../src/core/model/place.ts";
import { createHarness, type Harness } from "../../bridge/harness.ts";
import { general, thread } from "../../doubles/people.ts";

const minuteMs = 60_000;
const direct: Place = { ...general, channel: "direct-U1" };
const other: Place = { ...general, thread: "200" };
const eventKey = "memory/T1/general/101";

let parley: Harness;
/** What making a place fails with; undefined when it is made. */
let failure: (turn: { readonly question: string }) => ErrorCode | undefined;
let tries: number;

beforeEach(async () => {
  tries = 0;
  failure = ({ question }) => (question === "When?" ? "platform_unreachable" : undefined);
  parley = await createHarness({
    settings: { recoveryIntervalMs: 10_000 },
    platform: {
      directPlace: async () => direct,
      replyPlaces: {
        prepare: async (turn) => {
          const code = failure(turn);
          if (turn.question === "When?") tries += 1;
          if (code !== undefined) throw new ParleyError(code);
          return turn.conversation;
        },
      },
    },
  });
  await parley.bridge().recover();
});

afterEach(async () => {
  expect(parley.platform.violations).toEqual([]);
  await parley.stop();
});

const stored = (key = eventKey) => parley.state().turns.getByEventKey(key);

async function pass(minutes: number): Promise<void> {
  for (let minute = 0; minute < minutes; minute += 1) await parley.settle(minuteMs);
}

describe("a question whose answer gets no place", () => {
  it.each(["platform_unreachable", "platform_rate_limited", "internal"] as const)(
    "for an hour ends as failed, and is tried no more: %s",
    async (code) => {
      failure = () => code;
      await parley.say("When?").done;
      await pass(59);
      expect(await stored()).toMatchObject({ state: "queued" });
      await pass(2);

      expect(await stored()).toMatchObject({ state: "failed", outcome: { error: { code: "gave_up" } } });
      expect(await stored()).not.toHaveProperty("unplaced");
      const before = tries;
      await pass(5);
      expect(tries).toBe(before);
      expect(parley.texts(thread)).toEqual([]);
      expect(parley.texts(general)).toEqual([
        expect.stringMatching(/no place for this answer for an hour.*Ask the question again/s),
      ]);
      expect(parley.texts(direct)).toEqual([]);
    },
  );

  it("doesn't delay anyone else", async () => {
    await parley.say("When?").done;
    await parley.settle(minuteMs);
    await parley.say("Where?", { conversation: other }).done;
    (await parley.agents.run(0)).answer("Here.");
    await parley.settle(1_000);

    expect(parley.texts(other)).toEqual([expect.stringContaining("Here.")]);
  });

  it("is sent to the person privately where Parley can't write in the channel", async () => {
    parley.platform.fail({
      on: "post",
      error: "not_permitted",
      times: 100,
      when: ({ place }) => place.channel === "general",
    });
    await parley.say("When?").done;
    await pass(62);

    expect(parley.texts(direct)).toEqual([
      expect.stringMatching(/Alice asked: When\?.*no place for this answer for an hour/s),
    ]);
  });

  it("for 58 minutes is answered as soon as there is one", async () => {
    await parley.say("When?").done;
    await pass(58);
    failure = () => undefined;
    await parley.settle(minuteMs);
    (await parley.agents.run(0)).answer("At two.");
    await parley.settle(1_000);

    expect(await stored()).toMatchObject({ state: "answered" });
    expect(await stored()).not.toHaveProperty("unplaced");
    expect(parley.texts(thread).join("")).toContain("At two.");
    expect(parley.texts(general)).toEqual([]);
  });

  it("before and after Parley was down for two hours is still answered", async () => {
    await parley.say("When?").done;
    await pass(5);
    await parley.bridge().drain(0);
    const triedBefore = tries;
    await pass(120);
    expect(tries).toBe(triedBefore);
    await parley.restart();
    await pass(50);
    expect(tries).toBeGreaterThan(triedBefore);
    failure = () => undefined;
    await parley.settle(minuteMs);
    (await parley.agents.run(0)).answer("At two.");
    await parley.settle(1_000);

    expect(parley.texts(thread).join("")).toContain("At two.");
    expect(parley.texts(general)).toEqual([]);
  });

  it("has another hour when it is asked again after that", async () => {
    await parley.say("When?").done;
    await pass(62);
    const { id = "" } = (await stored()) ?? {};
    await parley.press("retry", id).done;
    await pass(30);
    expect(await stored()).toMatchObject({ state: "queued" });
    failure = () => undefined;
    await parley.settle(minuteMs);
    (await parley.agents.run(0)).answer("At two.");
    await parley.settle(1_000);

    expect(parley.texts(thread).join("")).toContain("At two.");
  });
});

describe("a question whose place crashes the process that creates it", () => {
  const never = new Promise<never>(() => {});

  async function start(prepare: () => Promise<Place>): Promise<void> {
    await parley.stop();
    tries = 0;
    parley = await createHarness({
      platform: {
        replyPlaces: {
          prepare: () => {
            tries += 1;
            return prepare();
          },
        },
      },
    });
    await parley.say("When?").done;
    await parley.settle(1_000);
  }

  async function restart(): Promise<void> {
    await parley.restart();
    await parley.settle(1_000);
  }

  it("ends no fourth process when the platform is unreachable between its deaths", async () => {
    let isDeadly = true;
    let deaths = 0;
    await start(() => {
      if (!isDeadly) return Promise.reject(new ParleyError("platform_unreachable"));
      deaths += 1;
      return never;
    });
    for (let life = 2; life <= 8; life += 1) {
      isDeadly = !isDeadly;
      await restart();
    }

    expect(deaths).toBe(3);
    expect(await stored()).toMatchObject({ state: "failed", outcome: { error: { code: "gave_up" } } });
  });

  it("is tried three times in all, and then says that Parley stopped trying", async () => {
    await start(() => never);
    for (let times = 0; times < 5; times += 1) await restart();

    expect(tries).toBe(3);
    expect(await stored()).toMatchObject({ state: "failed", outcome: { error: { code: "gave_up" } } });
    expect(parley.texts(thread)).toHaveLength(1);
  });

  it("says so in the channel when the intended place isn't there", async () => {
    await start(() => never);
    parley.platform.fail({
      on: "post",
      error: "place_gone",
      times: 100,
      when: ({ place }) => place.thread !== undefined,
    });
    for (let times = 0; times < 4; times += 1) await restart();

    expect(tries).toBe(3);
    expect(await stored()).toMatchObject({ state: "failed" });
    expect(parley.texts(general)).toHaveLength(1);
  });

  it("isn't counted while it waits in line once its place is created", async () => {
    await start(async () => thread);
    await parley.agents.run(0);
    await parley.say("And then?", { eventKey: "memory/T1/general/102" }).done;
    await parley.settle(1_000);

    expect(await stored("memory/T1/general/102")).not.toHaveProperty("isUnderWay");
  });
});
