/** What the chart library is told to draw, and in which colours. */
import { describe, expect, it } from "vitest";
import type { Chart } from "../../../src/core/model/chart.ts";
import { chartOption } from "../../../src/operations/charts/chart-option.ts";
import { colours } from "../../../src/operations/charts/colours.ts";

/** WCAG 2: relative luminance of "#rrggbb". */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

describe.each(["light", "dark"] as const)("%s", (theme) => {
  const { background, accent, others, title, text, quiet } = colours[theme];

  it("shows six series that differ, each with a contrast of 3:1", () => {
    const series = [accent, ...others];
    expect(new Set(series).size).toBe(6);
    expect(series.filter((colour) => contrast(colour, background) < 3)).toEqual([]);
  });

  it("shows text with a contrast of 4.5:1", () => {
    expect([title, text, quiet].filter((colour) => contrast(colour, background) < 4.5)).toEqual([]);
  });
});

const chart: Chart = {
  kind: "bar",
  title: "Guests by hotel",
  categories: ["Sea", "Hill"],
  series: [
    { name: "2025", values: [1, 2] },
    { name: "2026", values: [3, -4], isAccent: true },
  ],
  says: "Bar chart: Guests by hotel.",
};

it("says the values of a few bars beside them, and of many or several series on the axis alone", () => {
  const few = { ...chart, series: [{ name: "2026", values: [3, 4] }] };
  expect(chartOption(few, "light")).toMatchObject({ series: [{ label: { show: true, position: "top" } }] });
  const many = Array.from({ length: 9 }, (_, at) => String(at));
  const of = (other: Partial<Chart>) => JSON.stringify(chartOption({ ...few, ...other }, "light"));
  expect(of({ categories: many, series: [{ name: "2026", values: many.map(Number) }] })).not.toContain('"label"');
  expect(of({ series: chart.series })).not.toContain('"label"');
});

it("draws the values as they are, each at its label", () => {
  for (const kind of ["line", "area", "bar"] as const) {
    expect(chartOption({ ...chart, kind }, "light"), kind).toMatchObject({
      xAxis: { data: chart.categories },
      series: chart.series.map(({ name, values }) => ({ name, data: values })),
    });
  }
  const parts = { ...chart, kind: "pie" as const, series: [{ name: "2026", values: [99, 1] }] };
  expect(chartOption(parts, "light")).toMatchObject({
    series: [
      {
        data: [
          { name: "Sea", value: 99 },
          { name: "Hill", value: 1 },
        ],
      },
    ],
  });
});

it("has the names of a pie's small parts below each other beside it, never on it", () => {
  const parts = { ...chart, kind: "pie" as const, series: [{ name: "2026", values: [99, 1] }] };

  expect(chartOption(parts, "light")).toMatchObject({ series: [{ label: { alignTo: "labelLine" } }] });
});

describe("bars", () => {
  it("are upright where their labels fit beside each other, else one below the other", () => {
    expect(chartOption(chart, "light")).toMatchObject({ xAxis: { type: "category" } });
    const many = Array.from({ length: 12 }, (_, index) => `A hotel by the sea ${index}`);
    const long = { ...chart, categories: many, series: [{ name: "2026", values: many.map((_, index) => index) }] };
    expect(chartOption(long, "light")).toMatchObject({ yAxis: { type: "category", inverse: true } });
  });

  it("have a legend only if there are several series, and the accent's colour for one", () => {
    expect(chartOption(chart, "light")).toMatchObject({
      legend: { data: ["2025", "2026"] },
      series: [{ itemStyle: { color: colours.light.others[0] } }, { itemStyle: { color: colours.light.accent } }],
    });
    expect(chartOption({ ...chart, series: chart.series.slice(0, 1) }, "light")).not.toHaveProperty("legend");
  });
});

it("text of a table is data, never a pattern", () => {
  const option = chartOption({ ...chart, kind: "line", categories: ["{b}", "a\u0000b"] }, "dark");
  expect(option).toMatchObject({ xAxis: { data: ["{b}", "a b"] } });
});

it("gives narrow pictures shorter names, and a legend as many rows as it needs", () => {
  const names = ["2021", "2022", "A hotel by the sea that is old", "2024", "2025", "2026"];
  const series = names.map((name) => ({ name, values: [1, 2] }));
  const many = { ...chart, title: "Guests by hotel, of every year since the first one opened", series };
  const wide = chartOption(many, "light");
  const narrow = chartOption(many, "light", "narrow");

  expect(wide).toMatchObject({ grid: { top: 66 }, title: { text: expect.stringMatching(/^.{53}…$/) } });
  expect(narrow).toMatchObject({
    grid: { top: 84 },
    title: { text: expect.stringMatching(/^.{1,35}…$/) },
    legend: { data: expect.arrayContaining([expect.stringMatching(/^A hotel.{1,5}…$/)]) },
  });
});

it("keeps names apart that look the same in a narrow picture", () => {
  const names = ["Revenue per availab…", "Revenue per occupie…", "Revenue per guest"];
  const categories = ["Hotel at the lake o…", "Hotel at the lake… 2"];
  const series = names.map((name) => ({ name, values: [1, 2] }));
  const apart = ["Revenue per…", "Revenue pe… 2", "Revenue pe… 3"];

  const bars = chartOption({ ...chart, kind: "bar", categories, series }, "light", "narrow");
  expect(bars).toMatchObject({ legend: { data: apart }, series: apart.map((name) => ({ name })) });
  expect(bars).toMatchObject({ xAxis: { data: ["Hotel at the…", "Hotel at th… 2"] } });
  const [first] = series;
  const pie = chartOption(
    { ...chart, kind: "pie", categories: names, series: first ? [first] : [] },
    "light",
    "narrow",
  );
  expect(pie).toMatchObject({ series: [{ data: apart.map((name) => ({ name })) }] });
});
