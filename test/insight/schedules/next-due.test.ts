/** When schedules are due, over changes of the clock in several zones. */
import { describe, expect, it } from "vitest";
import { nextDue, nextDueAfterRun } from "../../../src/insight/schedules/next-due.ts";

function dues(cron: string, timeZone: string, after: string, count: number): readonly string[] {
  const found: string[] = [];
  for (let ms = Date.parse(after); found.length < count; ) {
    ms = nextDue({ cron, timeZone }, ms);
    found.push(new Date(ms).toISOString().slice(0, 16));
  }
  return found;
}

describe("a schedule's next time", () => {
  it.each([
    [
      "keeps the hour of the day in Berlin in spring",
      "0 9 * * *",
      "Europe/Berlin",
      "2027-03-27T00:00Z",
      ["2027-03-27T08:00", "2027-03-28T07:00", "2027-03-29T07:00"],
    ],
    [
      "keeps the hour of the day in Berlin in autumn",
      "0 9 * * *",
      "Europe/Berlin",
      "2027-10-30T00:00Z",
      ["2027-10-30T07:00", "2027-10-31T08:00", "2027-11-01T08:00"],
    ],
    [
      "keeps the hour of the day in New York",
      "0 9 * * 1",
      "America/New_York",
      "2027-03-08T00:00Z",
      ["2027-03-08T14:00", "2027-03-15T13:00"],
    ],
    [
      "is the next one that exists where Berlin skips it",
      "30 2 * * *",
      "Europe/Berlin",
      "2027-03-27T00:00Z",
      ["2027-03-27T01:30", "2027-03-28T01:00", "2027-03-29T00:30"],
    ],
    [
      "is the next one that exists where New York skips it",
      "30 2 * * *",
      "America/New_York",
      "2027-03-13T00:00Z",
      ["2027-03-13T07:30", "2027-03-14T07:00", "2027-03-15T06:30"],
    ],
    [
      "is the next one that exists where Lord Howe skips half an hour",
      "15 2 * * *",
      "Australia/Lord_Howe",
      "2027-10-01T20:00Z",
      ["2027-10-02T15:30", "2027-10-03T15:15"],
    ],
    [
      "comes once where Berlin has it twice",
      "30 2 * * *",
      "Europe/Berlin",
      "2027-10-30T00:00Z",
      ["2027-10-30T00:30", "2027-10-31T00:30", "2027-11-01T01:30"],
    ],
    [
      "comes once where New York has it twice",
      "30 1 * * *",
      "America/New_York",
      "2027-11-06T00:00Z",
      ["2027-11-06T05:30", "2027-11-07T05:30", "2027-11-08T06:30"],
    ],
    [
      "comes once where Lord Howe has it twice",
      "45 1 * * *",
      "Australia/Lord_Howe",
      "2027-04-02T20:00Z",
      ["2027-04-03T14:45", "2027-04-04T15:15"],
    ],
    [
      "of every second hour comes once where Berlin has it twice",
      "0 */2 * * *",
      "Europe/Berlin",
      "2027-10-30T23:00Z",
      ["2027-10-31T00:00", "2027-10-31T03:00", "2027-10-31T05:00"],
    ],
    [
      "of every half hour stays half an hour apart",
      "*/30 * * * *",
      "Europe/Berlin",
      "2027-10-31T00:10Z",
      ["2027-10-31T00:30", "2027-10-31T01:00", "2027-10-31T01:30"],
    ],
    ["doesn't change in UTC", "0 9 * * *", "UTC", "2027-03-27T10:00Z", ["2027-03-28T09:00", "2027-03-29T09:00"]],
    [
      "of the 31st skips months without one",
      "0 9 31 * *",
      "UTC",
      "2027-01-31T10:00Z",
      ["2027-03-31T09:00", "2027-05-31T09:00"],
    ],
    [
      "of the 29th comes in February of a leap year only",
      "0 9 29 * *",
      "UTC",
      "2027-01-29T10:00Z",
      ["2027-03-29T09:00", "2027-04-29T09:00"],
    ],
  ] as const)("%s", (_title, cron, timeZone, after, expected) => {
    expect(dues(cron, timeZone, after, expected.length)).toEqual(expected);
  });

  it("after an outage of three days is the next one in the future", () => {
    const time = { cron: "0 9 * * *", timeZone: "UTC", text: "" };
    const next = nextDueAfterRun(time, Date.parse("2027-01-01T09:00Z"), Date.parse("2027-01-04T10:00Z"));
    expect(new Date(next).toISOString()).toBe("2027-01-05T09:00:00.000Z");
  });
});
