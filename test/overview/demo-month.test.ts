import { describe, expect, it } from "vitest";
import { onPage, onPlatforms } from "../../bench/demo/company.ts";
import { monthOf } from "../../bench/demo/month.ts";

const untilMs = Date.parse("2026-11-23T12:00:00Z");
const options = { company: onPlatforms, seed: 18, untilMs, days: 30, questions: 400, moreChannels: 0 };

describe("the made-up month", () => {
  it("is the same for the same seed, and another one for another", () => {
    expect(JSON.stringify([...monthOf(options)])).toBe(JSON.stringify([...monthOf(options)]));
    expect(JSON.stringify([...monthOf({ ...options, seed: 19 })])).not.toBe(JSON.stringify([...monthOf(options)]));
  });

  it("has questions on every platform, failures, votes, and answers with and without a source, all before its end", () => {
    const month = [...monthOf({ ...options, questions: 1_300 })];
    const turns = month.map(({ turn }) => turn);
    const count = (isMeant: (turn: (typeof turns)[number]) => boolean) => turns.filter(isMeant).length;

    expect(new Set(turns.map(({ askedIn }) => askedIn.platform))).toEqual(new Set(["slack", "discord", "console"]));
    expect(count(({ state }) => state === "failed")).toBeGreaterThan(5);
    expect(count(({ notAnswered }) => notAnswered === "nothing")).toBeGreaterThan(0);
    expect(count(({ outcome }) => outcome?.grade === "sure")).toBeGreaterThan(800);
    expect(month.flatMap(({ votes }) => votes).some(({ comment }) => comment !== undefined)).toBe(true);
    expect(new Set(turns.map(({ id }) => id)).size).toBe(turns.length);
    expect(turns.every(({ createdAtMs }) => createdAtMs < untilMs)).toBe(true);
  });
});
