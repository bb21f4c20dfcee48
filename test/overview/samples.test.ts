import { describe, expect, it } from "vitest";
import { sampleFigures, sampleStatus } from "../doubles/figures.ts";

describe("the figures that pages are tested with", () => {
  it.each([7, 30] as const)("agree with each other over %i days", (days) => {
    const { byDay, total, channels, failures } = sampleFigures(days);

    expect(byDay).toHaveLength(days);
    expect(channels.reduce((sum, { questions }) => sum + questions, 0)).toBe(total.questions);
    expect(failures.reduce((sum, { count }) => sum + count, 0)).toBe(total.failed);
    expect(total.questions).toBe(byDay.reduce((sum, { questions }) => sum + questions, 0));
  });

  it("show a problem that a platform has as one of the installation", () => {
    const { platforms, problems } = sampleStatus;

    expect(platforms.map(({ reason }) => reason)).toContain(problems[0]?.says);
  });
});
