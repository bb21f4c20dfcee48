/** The local Discord notices a client whose edits queue up, and none that spreads them or writes once in a while. */
import { describe, expect, it } from "vitest";
import { createEditBacklog } from "./edit-backlog.ts";

function backlogOf(...gapsMs: readonly number[]): readonly string[] {
  const seen: string[] = [];
  let nowMs = 0;
  const edited = createEditBacklog(
    { limit: 5, windowMs: 5_000 },
    () => nowMs,
    (what) => void seen.push(what),
  );
  for (const gapMs of gapsMs) {
    nowMs += gapMs;
    edited("general");
  }
  return seen;
}

const atOnce = [0, 0, 0, 0, 0];
const nextWindow = [5_000, 0, 0, 0, 0];

describe("edits in one channel", () => {
  it("that fill three windows at once, each as soon as it begins, queue up", () => {
    expect(backlogOf(...atOnce, ...nextWindow)).toEqual([]);
    expect(backlogOf(...atOnce, ...nextWindow, ...nextWindow)).toEqual([
      "edits queue up in general: 3 windows at once",
    ]);
  });

  it("that are spread over their windows don't, nor do bursts with quiet between them", () => {
    const spread = Array.from({ length: 40 }, () => 1_000);
    const apart = [5_500, 0, 0, 0, 0];

    expect(backlogOf(...spread)).toEqual([]);
    expect(backlogOf(...atOnce, ...apart, ...apart, ...apart)).toEqual([]);
  });
});
