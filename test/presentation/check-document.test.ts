/** What a check says: how many answers still hold, which don't, and what changed since the last time. */
import { describe, expect, it } from "vitest";
import type { CheckResult } from "../../src/core/model/insight.ts";
import type { CheckedItem, Job, JobItem } from "../../src/core/model/job.ts";
import { jobDocument } from "../../src/presentation/drawing.ts";
import { documentText } from "../../src/presentation/markdown/plain-text.ts";
import { sampleJob } from "../contracts/storage/sample-records.ts";

const nowMs = Date.UTC(2026, 10, 22, 12);
const lastMs = Date.UTC(2026, 10, 12, 12);

function asked(result: CheckedItem["result"], before?: CheckResult, title?: string): JobItem {
  const checked: CheckedItem = {
    result,
    ...(before === undefined ? {} : { before: { result: before, atMs: lastMs } }),
  };
  const named = title === undefined ? {} : { title };
  return { label: "gap00000000000001", kind: "check", state: "done", checked, ...named };
}

function checkJob(items: readonly JobItem[], changes: Partial<Job> = {}): Job {
  const options = { action: "agent check", check: "support" };
  return {
    ...sampleJob("j1"),
    ...{ options, items, knowledgeBase: "", state: "done", createdAtMs: nowMs - 65_000, endedAtMs: nowMs },
    ...changes,
  };
}

const drawn = (items: readonly JobItem[], changes: Partial<Job> = {}) => jobDocument(checkJob(items, changes), nowMs);
const textOf = (items: readonly JobItem[], changes: Partial<Job> = {}) => documentText(drawn(items, changes));

describe("a check", () => {
  it("says how many answers still come from the right source, and what changed since the last time", () => {
    const items = [
      ...Array.from({ length: 16 }, () => asked("held", "held")),
      asked("held", "no-source", "Can a guest move a booking?"),
      asked("no-source", "held", "How do I print the city tax?"),
      asked("other-source", "other-source", "Is there a limit on API calls?"),
      asked("no-source", undefined, "Who has the keys?"),
    ];
    const text = textOf(items);
    expect(text).toContain("17 of 20 still answered from the right source · support");
    expect(text).toContain("How do I print the city tax? · no source · held when checked on 12 Nov");
    expect(text).toContain("Is there a limit on API calls? · another source · same when checked on 12 Nov");
    expect(text).toContain("Who has the keys? · no source");
    expect(text).toContain("Can a guest move a booking? · holds again · no source when checked on 12 Nov");
    expect(text).toContain("1 min 5 s · last checked on 12 Nov: 17 of 19");
    expect(text.indexOf("city tax")).toBeLessThan(text.indexOf("API calls"));
    expect(drawn(items).tone).toBe("partial");
  });

  it("is done without any line where everything holds as before", () => {
    const document = drawn([asked("held", "held"), asked("held")]);
    expect(document.tone).toBe("done");
    expect(document.blocks.map(({ kind }) => kind)).toEqual(["headline", "quiet"]);
    expect(document.actions).toEqual([]);
  });

  it("only counts questions that can't be shown there, and those whose answers were removed", () => {
    const text = textOf([asked("held"), asked("no-source", "held"), asked("gone"), asked("gone")]);
    expect(text).toContain("1 of 2 still answered");
    expect(text).toContain("+1 more that can't be shown here");
    expect(text).toContain("2 questions left out: their answers were removed");
  });

  it("counts what couldn't be asked by reason, and offers to ask those again", () => {
    const failed = {
      label: "g1",
      kind: "check",
      state: "failed",
      reason: "The agent service is unreachable.",
    } as const;
    const document = drawn([asked("held"), failed, { ...failed, label: "g2" }]);
    expect(documentText(document)).toContain("2 couldn't be asked: The agent service is unreachable.");
    expect(documentText(document)).toContain("1 of 1 still answered");
    expect(document.actions.map(({ id }) => id)).toEqual(["retry-job"]);
    expect(textOf([failed])).toContain("Nothing could be checked · support");
  });

  it("counts while it runs, and can be cancelled", () => {
    const waiting = { label: "g1", kind: "check", state: "waiting" } as const;
    const running = drawn([asked("held"), asked("gone"), waiting], { state: "running" });
    expect(documentText(running)).toContain("Checking support · 2 of 3 asked");
    expect(running.actions.map(({ id }) => id)).toEqual(["cancel-job"]);
    const cancelled = [asked("held"), { ...waiting, state: "cancelled" } as const];
    expect(textOf(cancelled, { state: "cancelled" })).toContain("Cancelled: 1 of 1 still answered");
    expect(textOf([{ ...waiting, state: "cancelled" }], { state: "cancelled" })).toContain(
      "Cancelled before the first question was asked",
    );
  });

  it("names twenty questions at most, cleaned of what could ping or break the line", () => {
    const items = Array.from({ length: 30 }, (_, index) => asked("no-source", undefined, `Question ${index}?`));
    const text = textOf(items);
    expect(text).toContain("Question 19?");
    expect(text).not.toContain("Question 20?");
    expect(text).toContain("and 10 more");
  });
});
