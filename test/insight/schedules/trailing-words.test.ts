/** What the last words of a question mean. */
import { describe, expect, it } from "vitest";
import { cronOf, problemOf, scheduledQuestion } from "../../../src/insight/schedules/schedules.ts";
import { recurrenceText } from "../../../src/presentation/sentences.ts";

const asked = "how many orders came in?";
const read = (text: string) => {
  const found = scheduledQuestion(text);
  return found === undefined
    ? undefined
    : { ...found, cron: cronOf(found.recurrence), text: recurrenceText(found.recurrence) };
};

describe("the last words of a question", () => {
  it.each([
    ["every monday 9:00", "0 9 * * 1", "every Monday at 9:00"],
    ["every Monday at 9", "0 9 * * 1", "every Monday at 9:00"],
    ["every mon", "0 9 * * 1", "every Monday at 9:00"],
    ["every weekday", "0 9 * * 1,2,3,4,5", "every weekday at 9:00"],
    ["every working day at 17:30", "30 17 * * 1,2,3,4,5", "every weekday at 17:30"],
    ["every day 9.15", "15 9 * * *", "every day at 9:15"],
    ["every day at noon", "0 12 * * *", "every day at 12:00"],
    ["every day at midnight", "0 0 * * *", "every day at 0:00"],
    ["every day 12 am", "0 0 * * *", "every day at 0:00"],
    ["every friday at 4:30 p.m.", "30 16 * * 5", "every Friday at 16:30"],
    ["every tuesday and thursday 8am", "0 8 * * 2,4", "every Tuesday and Thursday at 8:00"],
    ["every sun, mon & wed", "0 9 * * 0,1,3", "every Monday, Wednesday and Sunday at 9:00"],
    ["every 1st", "0 9 1 * *", "on the 1st of each month at 9:00"],
    ["every month", "0 9 1 * *", "on the 1st of each month at 9:00"],
    ["every 22nd of the month at 7", "0 7 22 * *", "on the 22nd of each month at 7:00"],
    ["every 31st", "0 9 31 * *", "on the 31st of each month that has one at 9:00"],
    ["every hour", "0 * * * *", "every hour"],
    ["every 2 hours", "0 */2 * * *", "every 2 hours"],
    ["every 15 minutes", "*/15 * * * *", "every 15 minutes"],
    ["EVERY DAY.", "0 9 * * *", "every day at 9:00"],
  ])("%s", (words, cron, text) => {
    expect(read(`${asked} ${words}`)).toMatchObject({ question: asked, cron, text });
    expect(read(`${asked} ${words}`)).not.toHaveProperty("onlyIfChanged");
  });

  it.each([
    "every day only if it changed",
    "every day, but only if it has changed",
    "only if it changed every day",
    "every day at 9:00 only if something changed.",
  ])("ask to hear of changes only: %s", (words) => {
    expect(read(`${asked} ${words}`)).toMatchObject({ question: asked, cron: "0 9 * * *", onlyIfChanged: true });
  });

  it.each([
    "how often is the report sent every monday",
    "How frequently do we deploy every day?",
    "what is every monday",
    "status every monday",
    "who is on call for every weekday",
    "every monday 9:00",
    "what happened every day 25:00",
    "what happened every day 9:75",
    "list the orders every day 13 pm",
    "list the orders every 32nd",
    "list the orders every hour at 9",
    "list the orders of every customer",
    "why does it fail every monday when we deploy",
    "list the orders everyday",
    "",
  ])("are asked as they were typed: %s", (text) => {
    expect(read(text)).toBeUndefined();
  });

  it("keep the lines and the punctuation of the question before them", () => {
    expect(read("List all orders:\n- open\n- late,\nevery monday")?.question).toBe("List all orders:\n- open\n- late");
  });

  it.each([
    ["every minute", "too-often"],
    ["every 14 minutes", "too-often"],
    ["every 0 minutes", "too-often"],
    ["every 45 minutes", "uneven"],
    ["every 5 hours", "uneven"],
    ["every 24 hours", "uneven"],
    ["every 15 minutes", undefined],
    ["every quarter of an hour", undefined],
    ["every half hour", undefined],
    ["every 12 hours", undefined],
  ])("that repeat %s: %s", (words, problem) => {
    const found = scheduledQuestion(`${asked} ${words}`);
    expect(found && problemOf(found.recurrence)).toBe(problem);
    expect(found).toBeDefined();
  });

  it("come after a question of any length", () => {
    const long = `List the orders of these customers: ${"Acme, ".repeat(500)}and Globex?`;
    expect(read(`${long} every monday`)).toMatchObject({ question: long, cron: "0 9 * * 1" });
  });

  it.each([
    ["the words themselves", "a every day only if it changed ".repeat(3_000)],
    ["spaces after them", `list the orders every day${" ".repeat(100_000)}x`],
    ["days", `list the orders every monday${" and monday".repeat(10_000)}`],
  ])("are looked for in the end only, however often a question repeats %s", (_what, text) => {
    expect(scheduledQuestion(`${text}z`)).toBeUndefined();
  });
});
