/** Every case of the table, whose words a list uses, and the page that is made of the table. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { renderVisibility } from "../../docs/generators/visibility.ts";
import { gapFor, type SeenGap } from "../../src/insight/gaps/visibility.ts";
import { bensMessages, gapOf, hr, type Sight, viewers, visibilityTable } from "./visibility-table.ts";

function sightOf(seen: SeenGap): Sight {
  if (seen.kind !== "listed") return seen.kind;
  return seen.askers.every(({ from }) => from === undefined) ? "wording" : "listed";
}

describe.each(visibilityTable)("a question from $title", ({ gap, now, sees }) => {
  it.each(viewers.map(({ title, viewer, facts }, index) => ({ title, viewer, facts, sight: sees[index] })))(
    "is $sight to: $title",
    ({ viewer, facts, sight }) => {
      expect(sightOf(gapFor(viewer, gap, { ...facts, ...now }))).toBe(sight);
    },
  );
});

describe("the wording of a gap", () => {
  const [inSupport, inHr] = viewers;

  it("is the newest that the viewer may read, never another asker's", () => {
    const gap = gapOf([
      { question: "asked in public", visibility: "public" },
      { question: "asked in #hr", place: hr, visibility: "private" },
      { question: "asked alone", place: bensMessages, visibility: "direct" },
    ]);
    if (inSupport === undefined || inHr === undefined) throw new Error("The table has no viewers.");
    const questions = [inSupport, inHr].map(({ viewer, facts }) => gapFor(viewer, gap, facts));
    expect(questions).toMatchObject([
      { question: "asked in public", askers: [{ question: "asked in public" }] },
      { question: "asked in #hr", askers: [{ question: "asked in #hr" }, { question: "asked in public" }] },
    ]);
    expect(JSON.stringify(questions)).not.toContain("asked alone");
  });

  it("is the second one's if only that was asked in public", () => {
    const gap = gapOf([
      { question: "asked in #hr", place: hr, visibility: "private" },
      { question: "asked in public", visibility: "public" },
    ]);
    if (inSupport === undefined) throw new Error("The table has no viewers.");
    expect(gapFor(inSupport.viewer, gap, inSupport.facts)).toMatchObject({
      kind: "listed",
      question: "asked in public",
    });
  });
});

describe("docs/visibility.md", () => {
  it("shows the table", () => {
    expect(readFileSync("docs/visibility.md", "utf8")).toBe(renderVisibility());
  });
});
