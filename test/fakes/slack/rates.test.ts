/** The local Slack's limits: each kind of bucket, and what a call before Retry-After is over means. */
import { describe, expect, it } from "vitest";
import { createRatePolice, type Rates, slackRates } from "./rates.ts";

function openPolice(options: { readonly rates?: Rates; readonly speed?: number } = {}) {
  let now = 1_000_000;
  const tooEarly: string[] = [];
  const police = createRatePolice({ ...options, nowMs: () => now, tooEarly: (what) => tooEarly.push(what) });
  return {
    tooEarly,
    call: (method: string, channel = "C1") => police.waitS(method, { channel }),
    /** How many of so many calls pass. */
    passing: (method: string, count: number, channelOf = (_index: number) => "C1") =>
      Array.from({ length: count }, (_, index) => police.waitS(method, { channel: channelOf(index) })).filter(
        (waitS) => waitS === 0,
      ).length,
    later: (ms: number) => {
      now += ms;
    },
  };
}

describe("the local Slack's limits", () => {
  it.each([
    ["chat.update", 10],
    ["chat.delete", 10],
    ["chat.postEphemeral", 30],
    ["assistant.threads.setStatus", 60],
    ["agents.sessions.setStatus", 10],
    ["a method that the table does not name", 10],
  ])("let a burst of %s pass, and refuse what is over it", (method, burst) => {
    const { passing } = openPolice();
    expect(passing(method, 100, (index) => `C${index}`)).toBe(burst);
  });

  it.each(Object.entries(slackRates).flatMap(([method, rates]) => rates.map((rate) => [method, rate] as const)))(
    "give back a minute's calls of %s in a minute: %o",
    (method, { perMinute, burst, per }) => {
      const { passing, later } = openPolice();
      const channelOf = (index: number) => (per === "team" ? `C${index}` : "C1");
      const first = passing(method, burst, channelOf);
      let inMinute = 0;
      for (let slice = 0; slice < perMinute; slice += 1) {
        later(60_000 / perMinute);
        inMinute += passing(method, 1, () => channelOf(slice));
      }
      expect({ first, inMinute }).toEqual({ first: burst, inMinute: perMinute });
    },
  );

  it("hold posts to five at once in a channel, and to sixty in a workspace", () => {
    const { passing, call } = openPolice();
    expect(passing("chat.postMessage", 20)).toBe(5);
    expect(passing("chat.postMessage", 100, (index) => `C1${index}`)).toBe(55);
    expect(call("chat.postMessage", "C999")).toBe(1);
  });

  it("take no token of a channel for a post that the workspace has no token for", () => {
    const { passing, later } = openPolice();
    passing("chat.postMessage", 60, (index) => `C1${index}`);
    expect(passing("chat.postMessage", 3)).toBe(0);
    later(5_000);
    expect(passing("chat.postMessage", 6)).toBe(5);
  });

  it("refuse what comes before Retry-After is over, and name it", () => {
    const { passing, call, later, tooEarly } = openPolice();
    passing("chat.update", 10);
    expect(call("chat.update")).toBe(2);
    later(1_500);
    expect(call("chat.update")).toBe(1);
    expect(tooEarly).toEqual(["chat.update was called 500 ms too early after a 429"]);
  });

  it("do not name what was under way when the refusal was sent, nor what comes in time", () => {
    const { passing, call, later, tooEarly } = openPolice();
    passing("chat.update", 12);
    later(200);
    expect(call("chat.update")).toBe(2);
    later(1_800);
    expect(call("chat.update")).toBe(0);
    expect(tooEarly).toEqual([]);
  });

  it("count faster for a client whose clock is fast", () => {
    const { passing, call, later, tooEarly } = openPolice({ speed: 20 });
    passing("chat.update", 11);
    later(100);
    expect([call("chat.update"), tooEarly]).toEqual([0, []]);
  });

  it("can be given otherwise for one method, or not at all", () => {
    const slow = openPolice({ rates: { "chat.update": { perMinute: 1, burst: 1, per: "team" } } });
    expect(slow.passing("chat.update", 5)).toBe(1);
    expect(slow.passing("chat.delete", 20)).toBe(10);
    expect(openPolice({ rates: false }).passing("chat.update", 500)).toBe(500);
  });
});
