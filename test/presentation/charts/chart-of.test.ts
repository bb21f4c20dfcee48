/** Which tables become charts, and what is drawn of them. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Table } from "../../../src/core/model/turn.ts";
import { chartOf, tableChart } from "../../../src/presentation/drawing.ts";
import { anyCharacter } from "../../any-character.ts";
import { runs } from "../../properties.ts";

const trend = "What's the trend in direct bookings since May?";
const share = "What share does each channel have?";
const comparison = "Compare the hotels";

/** Rows as in a Markdown table. */
function table(text: string): Table {
  const [columns = [], ...rows] = text
    .trim()
    .split("\n")
    .map((line) => line.split("|").map((cell) => cell.trim()));
  return { columns, rows };
}

const months = table(`
  Month | Direct | Partner sites
  May   | 1,240  | 1,610
  Jun   | 1,385  | 1,655
  Jul   | 1,520  | 1,700
  Oct   | 2,000  | 1,605`);

/** One column of values below labels in their order. */
const column = (values: readonly string[], header = "Value"): Table => ({
  columns: ["Name", header],
  rows: values.map((value, index) => [`Row ${index + 1}`, value]),
});

const labelled = (labels: readonly string[]): Table => ({
  columns: ["Day", "Guests"],
  rows: labels.map((label, index) => [label, String(index + 1)]),
});

describe("the accent", () => {
  it.each([
    ["the trend in direct bookings, compared with partner sites", "Direct"],
    ["partner sites compared with direct bookings", "Partner sites"],
    ["the trend since May", "Direct"],
  ])("is the column that the question names first, else the first column: %s", (question, name) => {
    const series = tableChart([months], question)?.chart.series ?? [];

    expect(series.filter(({ isAccent }) => isAccent === true)).toMatchObject([{ name }]);
  });
});

describe("a table becomes a chart", () => {
  it("as lines over months, with the series of the question as the accent, and the main number in words", () => {
    expect(tableChart([months], "the trend of partner sites")).toEqual({
      isAsked: true,
      table: months,
      chart: {
        kind: "line",
        title: "Direct and Partner sites by month",
        categories: ["May", "Jun", "Jul", "Oct"],
        series: [
          { name: "Direct", values: [1240, 1385, 1520, 2000] },
          { name: "Partner sites", values: [1610, 1655, 1700, 1605], isAccent: true },
        ],
        says: "Line chart: Direct and Partner sites by month. Partner sites: 1,610 (May) to 1,605 (Oct), down 0.3%. Direct: 1,240 (May) to 2,000 (Oct), up 61%.",
      },
    });
  });

  it.each([
    ["a trend over times", months, trend, true],
    ["a chart", months, "show me a chart", true],
    ["nothing of the kind", months, "how many guests came in May?", false],
    ["a trend, but there are no times", column(["3", "4", "5", "6"]), "what is the monthly fee of each room?", false],
    ["a comparison of three", column(["3", "4", "5"]), comparison, false],
    ["a comparison of four", column(["3", "4", "5", "6"]), comparison, true],
  ])("and is asked for when the question asks for %s", (_what, one, question, isAsked) => {
    expect(tableChart([one], question)?.isAsked).toBe(isAsked);
  });

  it("if it is the first of several that can", () => {
    expect(tableChart([column(["one", "two"]), months], "")?.table).toBe(months);
    expect(tableChart([], trend)).toBeUndefined();
  });

  it("with bars for names, and a pie only for shares", () => {
    const channels = column(["40", "30", "20", "10"]);
    expect(chartOf(channels, comparison)?.kind).toBe("bar");
    expect(chartOf(channels, share)?.kind).toBe("pie");
    expect(chartOf(column(["40", "-30", "20", "10"]), share)?.kind).toBe("bar");
    expect(chartOf(column(["40", "0", "20", "10"]), share)?.kind).toBe("bar");
    expect(chartOf(column(["40%", "30%", "20%", "10%"]), share)?.kind).toBe("pie");
    expect(chartOf(column(["40%", "35%", "60%", "10%"]), share)?.kind).toBe("bar");
    expect(chartOf({ ...channels, omittedRows: 3 }, share)?.kind).toBe("bar");
    expect(chartOf(months, "the share of direct bookings by month")?.kind).toBe("line");
  });

  it("with areas only where the question says so", () => {
    expect(chartOf(months, "a stacked chart by month")?.kind).toBe("area");
    expect(chartOf(table("Month | A | B\nMay | 1 | -2\nJun | 3 | 4"), "stacked")?.kind).toBe("line");
  });

  it("with the five largest parts of a pie, and the rest as one", () => {
    const pie = chartOf(column(["1", "20", "30", "2", "10", "15", "3"]), share);
    expect(pie?.categories).toEqual(["Row 3", "Row 2", "Row 6", "Row 5", "Row 7", "Other"]);
    expect(pie?.series).toEqual([{ name: "Value", values: [30, 20, 15, 10, 3, 3], isAccent: true }]);
    expect(pie?.says).toBe("Pie chart: Value by name. Row 3 37%, Row 2 25%, Row 6 19%, Row 5 12%, Row 7 4%, Other 4%.");
  });

  it("without its total", () => {
    const chart = chartOf(table("Channel | Guests\nDirect | 40\nPhone | 60\n**Total** | **100**"), share);
    expect(chart?.categories).toEqual(["Phone", "Direct"]);
  });

  it("without columns that name or number its rows, and with years as labels", () => {
    expect(chartOf(table("ID | Hotel | Guests\n1 | Sea | 40\n2 | Hill | 60"), "")?.series).toHaveLength(1);
    const years = chartOf(table("Year | Guests\n2026 | 60\n2024 | 40\n2025 | 50"), trend);
    expect(years).toMatchObject({ kind: "line", categories: ["2024", "2025", "2026"] });
  });

  it("in the axis of what the question names, and says which columns are only in the table", () => {
    const mixed = table("Month | Revenue | Guests | Share\nMay | €90,000 | 310 | 12%\nJun | €95,000 | 290 | 14%");
    const first = chartOf(mixed, trend);
    expect(first?.series.map(({ name }) => name)).toEqual(["Revenue"]);
    expect(first?.yLabel).toBe("€");
    expect(first?.says).toBe(
      "Line chart: Revenue by month. Revenue: €90,000 (May) to €95,000 (Jun), up 6%. Only in the table: Guests, Share.",
    );
    expect(chartOf(mixed, "how did guests develop?")?.series.map(({ name }) => name)).toEqual(["Guests"]);
    const far = table("Month | A | B | C\nMay | 10 | 150 | 250\nJun | 12 | 200 | 240");
    expect(chartOf(far, "")?.series.map(({ name }) => name)).toEqual(["A", "B"]);
  });

  it.each([
    ["one row", column(["3"])],
    ["no row", column([])],
    ["no number", column(["three", "four"])],
    ["one column", { columns: ["A"], rows: [["1"], ["2"]] }],
    ["only numbers that are no years", table("A | B\n1 | 2\n3 | 4")],
    ["an empty value", column(["3", "", "5"])],
    ["NaN", column(["3", "NaN", "5"])],
    ["infinity", column(["3", "Infinity", "5"])],
    ["more than a number can hold", column(["3", "1e999", "5"])],
    ["numbers too large to be drawn", column(["3", "1e101", "-1e308"])],
    ["numbers too small to be drawn", column(["1e-16", "5e-324", "0"])],
    ["two currencies", column(["€3", "$4"])],
    ["a name twice", table("Hotel | Guests\nSea | 1\nsea | 2\n Sea | 3")],
    ["a date twice, written in two ways", table("Day | Guests\n2026-05-01 | 1\n2026-5-1 | 2")],
    ["seven columns of numbers", table("N|a|b|c|d|e|f|g\nx|1|2|3|4|5|6|7\ny|1|2|3|4|5|6|7")],
  ])("never of %s", (_what, one) => {
    expect(chartOf(one, trend)).toBeUndefined();
  });
});

describe("values are read as people write them", () => {
  it.each([
    ["English", ["1,240", "1,385.5"], [1240, 1385.5]],
    ["German", ["1.240,5", "1.385"], [1240.5, 1385]],
    ["thousands alone", ["1,240", "2,000"], [1240, 2000]],
    ["decimals of programs", ["1.240", "0.125"], [1.24, 0.125]],
    ["decimals of programs beside whole numbers", ["1.241", "3", "2.5"], [1.241, 3, 2.5]],
    ["decimals that aren't filled up", ["1.241", "3"], [1.241, 3]],
    ["decimals that are all filled up", ["1.240", "3.000"], [1.24, 3]],
    ["filled up beside numbers without groups", ["1.240", "3000"], [1.24, 3000]],
    ["German thousands beside hundreds", ["13.100", "400", "2.001"], [13_100, 400, 2001]],
    ["German thousands of euros", ["1.240 €", "950 €"], [1240, 950]],
    ["decimals with a comma", ["0,125", "1,240"], [0.125, 1.24]],
    ["Swiss and French groups", ["1'240", "1 385 000"], [1240, 1_385_000]],
    ["Indian groups", ["12,34,567", "1,00,000"], [1_234_567, 100_000]],
    ["percentages", ["12 %", "3.5%"], [12, 3.5]],
    ["currencies", ["€3", "-€4", "€ 5"], [3, -4, 5]],
    ["codes of currencies", ["3 EUR", "EUR 4"], [3, 4]],
    ["accounts", ["(4)", "3"], [-4, 3]],
    ["signs", ["−4", "+3", "–2"], [-4, 3, -2]],
    ["large ones", ["2.5M", "300k"], [2_500_000, 300_000]],
    ["exponents", ["1e3", "2.5E-1"], [1000, 0.25]],
    ["full-width and Arabic digits", ["１２", "٣٤"], [12, 34]],
    ["bold", ["**12**", "`34`"], [12, 34]],
  ])("%s", (_how, cells, values) => {
    expect(chartOf(column(cells), "")?.series[0]?.values).toEqual(values);
  });

  it.each([[["1.240,5", "1,240.5"]], [["10.0.0.1", "10.0.0.2"]], [["1,2,3", "4"]], [["3 kg", "4 kg"]], [["3-4", "5"]]])(
    "%j is no column of numbers",
    (cells) => {
      expect(chartOf(column(cells), "")).toBeUndefined();
    },
  );

  it("takes a unit from the header", () => {
    expect(chartOf(column(["3", "4"], "Revenue (€)"), "")?.yLabel).toBe("€");
  });
});

describe("dates", () => {
  it.each([
    ["ISO", ["2026-12-31", "2026-01-05"], ["2026-01-05", "2026-12-31"]],
    ["ISO with a time", ["2026-12-31T10:00:00Z", "2026-12-31 09:00"], ["2026-12-31 09:00", "2026-12-31T10:00:00Z"]],
    ["months of ISO", ["2026-12", "2025-12"], ["2025-12", "2026-12"]],
    ["German", ["31.12.2026", "1.2.2026"], ["1.2.2026", "31.12.2026"]],
    ["American, where one tells", ["12/31/2026", "02/01/2026"], ["02/01/2026", "12/31/2026"]],
    ["British, where one tells", ["31/12/2026", "02/11/2026"], ["02/11/2026", "31/12/2026"]],
    ["named months", ["May 2026", "Dec 2025"], ["Dec 2025", "May 2026"]],
    ["named months of other languages", ["März 2026", "Januar 2026"], ["Januar 2026", "März 2026"]],
    ["French and Russian", ["août 2026", "мая 2026"], ["мая 2026", "août 2026"]],
    ["Japanese", ["2026年5月", "2025年12月"], ["2025年12月", "2026年5月"]],
    ["days with a name", ["May 12, 2026", "3 May 2026"], ["3 May 2026", "May 12, 2026"]],
    ["quarters", ["2026-Q3", "Q1 2026"], ["Q1 2026", "2026-Q3"]],
    ["weeks", ["2026-W32", "2026-W05"], ["2026-W05", "2026-W32"]],
    ["months without a year stay as written", ["Nov", "Dec", "Jan"], ["Nov", "Dec", "Jan"]],
    ["quarters without a year stay as written", ["Q4", "Q1"], ["Q4", "Q1"]],
  ])("%s", (_how, labels, sorted) => {
    expect(chartOf(labelled(labels), "")).toMatchObject({
      kind: "line",
      categories: sorted.map((label) => (label.length > 20 ? expect.any(String) : label)),
    });
  });

  it.each([
    [["01/02/2026", "03/04/2026"]],
    [["31/12/2026", "12/31/2026"]],
    [["31.02.2026", "1.3.2026"]],
    [["May", "Mango"]],
  ])("%j are names: nobody can tell what they mean", (labels) => {
    expect(chartOf(labelled(labels), "")).toMatchObject({ kind: "bar", categories: labels });
  });
});

describe("large and hostile tables", () => {
  it("show the last 20 times", () => {
    const days = labelled(Array.from({ length: 36 }, (_, index) => `${1990 + index}`));
    const chart = chartOf(days, trend);
    expect(chart?.title).toBe("Guests by day (last 20 of 36)");
    expect(chart?.categories).toHaveLength(20);
    expect(chart?.categories.at(-1)).toBe("2025");
  });

  it("show the 20 largest of 10,000 names", () => {
    const rows = Array.from({ length: 10_000 }, (_, index) => [`Hotel ${index}`, String((index * 7919) % 10_007)]);
    const chart = chartOf({ columns: ["Hotel", "Guests"], rows }, comparison);
    expect(chart?.title).toBe("Guests by hotel (20 largest of 10,000)");
    expect(chart?.series[0]?.values).toEqual([...(chart?.series[0]?.values ?? [])].sort((a, b) => b - a));
    expect(chart?.series[0]?.values[0]).toBe(10_006);
  });

  it("are read as far as it holds up nobody, over all tables together", () => {
    let read = 0;
    const cells = (row: readonly string[]) =>
      new Proxy(row, {
        get: (of, key) => {
          read += 1;
          return Reflect.get(of, key);
        },
      });
    const names = ["Hotel", "A", "B", "C", "D", "E", "F"];
    const rows = Array.from({ length: 1_000 }, (_, at) =>
      cells([`Hotel ${at}`, ...names.slice(1).map(() => `€ ${at}`)]),
    );
    const whole = { columns: names, rows };
    const twice = { columns: names, rows: [...rows, rows[0] ?? []] };

    expect(tableChart([whole], comparison)?.isAsked).toBe(true);
    read = 0;
    expect(tableChart([...Array.from({ length: 20 }, () => twice), months], comparison)).toBeUndefined();
    expect(read).toBeLessThan(20_000);
  });

  it("say that rows are missing", () => {
    expect(chartOf({ ...column(["3", "4"]), omittedRows: 7 }, "")?.title).toBe("Value by name (first 2 rows)");
  });

  it("have short and different labels", () => {
    const long = "A hotel with a very long name by the sea".repeat(5);
    const chart = chartOf(
      table(`Hotel | ${long} | ${long}\n${long} 1 | 1 | 2\n${long} 2 | 3 | 4\n🏨 مرحبا | 5 | 6`),
      "",
    );
    expect(chart?.categories).toEqual(["A hotel with a very…", "A hotel with a ve… 2", "🏨 مرحبا"]);
    expect(chart?.series.map(({ name }) => name)).toEqual(["A hotel with a very…", "A hotel with a ve… 2"]);
  });

  it("have no control characters, and a name for what has none", () => {
    const chart = chartOf(
      {
        columns: ["\u202EName", "V"],
        rows: [
          ["a\u0000\u202Eb", "1"],
          ["", "2"],
        ],
      },
      "",
    );
    expect(chart?.categories).toEqual(["ab", "(none)"]);
    expect(chart?.title).toBe("V by name");
  });

  it("become a chart that every platform can draw, or none", () => {
    const cell = fc.oneof(
      fc.string({ unit: anyCharacter, maxLength: 30 }),
      fc.double().map(String),
      fc.integer({ min: -1000, max: 100_000 }).map((value) => value.toLocaleString("en")),
      fc.constantFrom("", "May", "Jun 2026", "2026-01-02", "€4", "12 %", "(3)", "**x**", "Total", "Other"),
    );
    const numbers = fc.integer({ min: -50, max: 5000 }).map(String);
    const rows = fc.array(
      fc.tuple(cell, numbers, numbers, cell).map((cells) => [...cells]),
      { maxLength: 40 },
    );
    const question = fc.constantFrom(trend, share, comparison, "stacked", "");
    fc.assert(
      fc.property(fc.tuple(cell, cell, cell, cell), rows, question, (columns, body, asked) => {
        const chart = chartOf({ columns: [...columns], rows: body }, asked);
        if (chart === undefined) return;
        const { categories, series, title, kind, says } = chart;
        expect(title.length).toBeLessThanOrEqual(50);
        expect(title.length * says.length * series.length).toBeGreaterThan(0);
        expect(says.length).toBeLessThanOrEqual(1_024);
        expect(categories.length).toBeLessThanOrEqual(kind === "pie" ? 6 : 20);
        expect(series.filter(({ isAccent }) => isAccent === true)).toHaveLength(1);
        for (const names of [categories, series.map(({ name }) => name)]) {
          expect(new Set(names).size).toBe(names.length);
          expect(names.every((name) => name.length > 0 && name.length <= 20)).toBe(true);
        }
        for (const { values } of series) {
          expect(values).toHaveLength(categories.length);
          expect(values.every(Number.isFinite)).toBe(true);
          if (kind === "pie") expect(values.every((value) => value > 0)).toBe(true);
        }
      }),
      { numRuns: runs(300) },
    );
  });
});
