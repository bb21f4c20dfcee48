import { describe, expect, it } from "vitest";
import { numberIn, type Order, sortedBy } from "../../../../adapters/console/page/drawing/sorting/order.ts";

const sorted = (cells: readonly string[], order: Order = "ascending") =>
  sortedBy(cells, order).map((index) => cells[index]);

describe("a table that is sorted by a column", () => {
  it.each([
    ["1,240", 1240],
    ["1,240.50", 1240.5],
    ["1.240,50", 1240.5],
    ["1.240.000", 1_240_000],
    ["12,5", 12.5],
    ["1 240", 1240],
    ["1’240", 1240],
    ["−4", -4],
    ["-0.5", -0.5],
    ["(4)", -4],
    ["€3", 3],
    ["-€3", -3],
    ["3 EUR", 3],
    ["EUR 3", 3],
    ["12 %", 12],
    ["2.5M", 2_500_000],
    ["3k", 3000],
    ["1 bn", 1e9],
    ["1.2e3", 1200],
    [".5", 0.5],
  ])("reads %s as a number", (text, value) => {
    expect(numberIn(text)).toBe(value);
  });

  it("compares numbers by their value, down and up", () => {
    expect(sorted(["9", "1,240", "80"])).toEqual(["9", "80", "1,240"]);
    expect(sorted(["9", "1,240", "80"], "descending")).toEqual(["1,240", "80", "9"]);
  });

  it("compares dates by their time, however they are written", () => {
    expect(sorted(["12 Nov 2026", "2026-01-05", "3 December 2025"])).toEqual([
      "3 December 2025",
      "2026-01-05",
      "12 Nov 2026",
    ]);
    expect(sorted(["2026-11-21 14:48 UTC", "2026-11-21 04:48 UTC"])[0]).toBe("2026-11-21 04:48 UTC");
  });

  it("compares other text as people do, with the numbers in it", () => {
    expect(sorted(["b", "Room 10", "Äpfel", "Room 9", "a"])).toEqual(["a", "Äpfel", "b", "Room 9", "Room 10"]);
    expect(sorted(["10", "9", "about 3"])).toEqual(["9", "10", "about 3"]);
  });

  it("shows rows without a value last, in either direction", () => {
    expect(sorted(["–", "2", "", "1"])).toEqual(["1", "2", "–", ""]);
    expect(sorted(["–", "2", "n/a", "1"], "descending")).toEqual(["2", "1", "–", "n/a"]);
  });

  it("keeps the order of equal rows, and goes back to the author's", () => {
    expect(sortedBy(["b", "a", "b", "a"], "ascending")).toEqual([1, 3, 0, 2]);
    expect(sortedBy(["b", "a", "b", "a"], "none")).toEqual([0, 1, 2, 3]);
  });
});
