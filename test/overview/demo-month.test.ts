import { describe, expect, it } from "vitest";
import { bases, onPage, onPlatforms } from "../../bench/demo/company.ts";
import { monthOf } from "../../bench/demo/month.ts";
import { rowsOf } from "../../bench/demo/records.ts";

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

  it("of the page alone was asked in its channels, where all can read it, and sometimes in private", () => {
    const turns = [...monthOf({ ...options, company: onPage })].map(({ turn }) => turn);

    expect(new Set(turns.map(({ askedIn }) => askedIn.platform))).toEqual(new Set(["console"]));
    expect(new Set(turns.map(({ visibility }) => visibility))).toEqual(new Set(["public", "direct"]));
    expect(turns.filter(({ visibility }) => visibility === "public").length).toBeGreaterThan(turns.length * 0.8);
    expect(turns.filter(({ isQuiet }) => isQuiet)).toEqual([]);
  });
});

describe("the made-up company's pages", () => {
  it("cite nothing", () => {
    for (const { name } of Object.values(bases)) expect(JSON.stringify(rowsOf(name))).not.toMatch(/\[\d\]/);
  });
});
