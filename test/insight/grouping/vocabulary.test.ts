import { beforeEach, describe, expect, it, vi } from "vitest";

type Grouping = typeof import("../../../src/insight/grouping/grouping.ts");

describe("The words of all languages", () => {
  let grouping: Grouping;
  // As in a process that has just started.
  beforeEach(async () => {
    vi.resetModules();
    grouping = await import("../../../src/insight/grouping/grouping.ts");
  });

  it("are prepared one language at a time, so that answers continue in between", async () => {
    const pause = vi.fn(async () => {});
    await grouping.prepareVocabularies(pause);
    expect(pause).toHaveBeenCalledTimes(8);
    await grouping.prepareVocabularies(pause);
    expect(pause).toHaveBeenCalledTimes(8);
  });

  it("are all there for a question that comes before or between", async () => {
    const german = "Wie setze ich mein Passwort zurück?";
    const early = grouping.questionForm(german);
    vi.resetModules();
    const other: Grouping = await import("../../../src/insight/grouping/grouping.ts");
    const between: unknown[] = [];
    await other.prepareVocabularies(async () => void between.push(other.questionForm(german)));
    expect(between).toEqual([early]);
  });
});
