/** Answers with awkward tables, from the question to what Slack, Discord and the page are sent. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { render as renderConsole } from "../../../adapters/console/drawing/render.ts";
import { render as renderDiscord } from "../../../adapters/discord/drawing/render.ts";
import { render as renderSlack } from "../../../adapters/slack/drawing/render.ts";
import { chosenBlocks, newerKinds, plainBlocks } from "../../../adapters/slack/drawing/slots.ts";
import type { Document } from "../../../src/core/document.ts";
import type { Chart } from "../../../src/core/model/chart.ts";
import type { Table } from "../../../src/core/model/turn.ts";
import { turnDocument } from "../../../src/presentation/drawing.ts";
import { anyCharacter } from "../../any-character.ts";
import { messageProblems } from "../../fakes/discord/checks.ts";
import { checkMessageBlocks } from "../../fakes/slack/check-blocks.ts";
import { runs } from "../../properties.ts";
import { block, buttons, nowMs, step, view } from "../views.ts";

const trend = "What's the trend?";
const comparison = "Compare them";
const share = "What share does each have?";

const pairs = (rows: readonly (readonly string[])[], value = "Orders"): Table => ({ columns: ["Name", value], rows });
const markdown = ({ columns, rows }: Table) =>
  [columns, columns.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |\n`).join("");

/** The same table as the service's own and as written in the answer. */
function answers(table: Table, question: string, shownAs?: "chart" | "table"): readonly Document[] {
  const sources = [{ title: "Orders", url: "https://example.com/orders" }];
  const end = { state: "answered", question, sources, steps: [step()], endedAtMs: nowMs } as const;
  const options = shownAs === undefined ? {} : { shownAs };
  const own = turnDocument(view({ ...end, answer: "Orders rise [1].", answerTable: table }), nowMs, options);
  const said = `Orders rise [1].\n\n${markdown(table)}\nThat is all.`;
  return [own, turnDocument(view({ ...end, answer: said }), nowMs, options)];
}

/** What a platform would refuse. */
function problems(document: Document): readonly unknown[] {
  const slack = renderSlack(document).flatMap(({ slots }) => [
    checkMessageBlocks(
      chosenBlocks(slots, new Set()).map((one) => one.block),
      "modern",
    ),
    ...newerKinds.map((kind) => {
      const chosen = chosenBlocks(slots, new Set([kind])).map((one) => one.block);
      return checkMessageBlocks(chosen, "modern") ?? chosen.find(({ type }) => (type as string) === kind);
    }),
    checkMessageBlocks(plainBlocks(slots), "classic"),
  ]);
  const discord = renderDiscord(document).flatMap(({ components, pictured }) =>
    [components, pictured?.components ?? components].flatMap((shown) =>
      messageProblems({ components: shown, flags: 1 << 15 }, undefined),
    ),
  );
  const [page] = renderConsole(document);
  const isWhole = JSON.stringify(page).isWellFormed();
  return [...slack.filter((problem) => problem !== undefined), ...discord, ...(isWhole ? [] : ["half a character"])];
}

/** Of a chart in Slack. */
function labelsIn(shown: object): readonly (readonly string[])[] {
  const { type, chart } = shown as {
    readonly type: string;
    readonly chart?: {
      readonly axis_config?: { readonly categories: readonly string[] };
      readonly segments?: readonly { readonly label: string }[];
    };
  };
  if (type !== "data_visualization") return [];
  return [chart?.axis_config?.categories ?? chart?.segments?.map(({ label }) => label) ?? []];
}

/** The one chart that all three draw. */
function chartOn(document: Document): Chart | undefined {
  const chart = block(document, "chart")?.chart;
  const discord = renderDiscord(document).flatMap(({ pictured }) => (pictured === undefined ? [] : [pictured.chart]));
  const page = renderConsole(document)[0].blocks.flatMap((one) => (one.kind === "chart" ? [one.chart] : []));
  const slack = renderSlack(document).flatMap(({ slots }) =>
    chosenBlocks(slots, new Set()).flatMap(({ block: one }) => labelsIn(one)),
  );
  expect([discord, page]).toEqual(chart === undefined ? [[], []] : [[chart], [chart]]);
  expect(slack).toEqual(chart === undefined ? [] : [chart.categories]);
  return chart;
}

const dates: Readonly<Record<string, readonly string[]>> = {
  ISO: ["2026-03-01", "2026-01-01", "2026-02-01", "2026-04-01"],
  German: ["01.03.2026", "31.01.2026", "01.02.2026", "01.04.2026"],
  American: ["03/01/2026", "01/31/2026", "02/01/2026", "04/01/2026"],
  months: ["March 2026", "January 2026", "February 2026", "April 2026"],
  quarters: ["2026-Q3", "2026-Q1", "2026-Q2", "2026-Q4"],
};

describe("a table that can't be a chart", () => {
  const four = [
    ["May", "3"],
    ["Jun", "5"],
    ["Jul", "6"],
    ["Aug", "7"],
  ];
  it.each([
    ["one row", pairs([["May", "3"]]), trend],
    ["a value that is no number", pairs([...four, ["Sep", "NaN"]]), trend],
    ["an infinite value", pairs([...four, ["Sep", "Infinity"]]), trend],
    ["an empty value", pairs([...four, ["Sep", ""]]), trend],
    ["a label twice", pairs([...four, ["May", "9"]]), comparison],
    [
      "no numbers",
      pairs([
        ["May", "many"],
        ["Jun", "few"],
        ["Jul", "few"],
        ["Aug", "none"],
      ]),
      trend,
    ],
  ])("because of %s is a table without a button for charts", (_why, table, question) => {
    for (const form of [undefined, "chart", "table"] as const) {
      for (const document of answers(table, question, form)) {
        expect(chartOn(document)).toBeUndefined();
        expect(buttons(document)).toEqual(["Show steps", "Get CSV", "👍", "👎", "Try again"]);
        expect(problems(document)).toEqual([]);
      }
    }
  });
});

describe("a table that is a chart", () => {
  const long = (at: number) => `${"Very long name of a hotel ".repeat(8)}${at}`;
  const days = Array.from({ length: 5_000 }, (_, at) => [
    new Date(Date.UTC(2012, 0, 1 + at)).toISOString().slice(0, 10),
    `${at % 9}`,
  ]);
  const rows = (labels: readonly string[]) => labels.map((label, at) => [label, `${(at + 1) * 10}`]);

  it.each([
    ["5,000 days", pairs(days), trend, "line", 20],
    [
      "a negative part of what would be a pie",
      pairs([
        ["A", "5"],
        ["B", "-2"],
        ["C", "4"],
        ["D", "1"],
      ]),
      share,
      "bar",
      4,
    ],
    [
      "shares",
      pairs([
        ["A", "5"],
        ["B", "2"],
        ["C", "4"],
        ["D", "1"],
      ]),
      share,
      "pie",
      4,
    ],
    ["labels of 200 characters", pairs(rows([1, 2, 3, 4].map(long))), comparison, "bar", 4],
    [
      "labels from right to left",
      pairs(rows(["فندق الشمال", "فندق الجنوب", "מלון המזרח", "מלון המערב"])),
      comparison,
      "bar",
      4,
    ],
    ["emoji", pairs(rows(["👩‍👩‍👧 Family", "🏳️‍🌈", "🇩🇪🇫🇷", "👍🏽"])), comparison, "bar", 4],
    ...Object.entries(dates).map(([name, labels]) => [`${name} dates`, pairs(rows(labels)), trend, "line", 4] as const),
  ] as const)(
    "of %s is the same chart on all three, and each accepts it in both forms",
    (_what, table, question, kind, count) => {
      for (const document of answers(table, question)) {
        const chart = chartOn(document);
        expect(chart?.kind).toBe(kind);
        expect(chart?.categories).toHaveLength(count);
        expect(new Set(chart?.categories).size).toBe(count);
        for (const name of chart?.categories ?? []) expect(name.length).toBeLessThanOrEqual(20);
        expect(buttons(document).slice(0, 2)).toEqual(["Show steps", "Table"]);
        expect(problems(document)).toEqual([]);
      }
      for (const document of answers(table, question, "table")) {
        expect(chartOn(document)).toBeUndefined();
        expect(buttons(document).slice(0, 2)).toEqual(["Show steps", "Chart"]);
        expect(problems(document)).toEqual([]);
      }
    },
    20_000,
  );

  it("sorts dates of every format", () => {
    for (const labels of Object.values(dates)) {
      const [document] = answers(pairs(rows(labels)), trend);
      expect(document && chartOn(document)?.series[0]?.values).toEqual([20, 30, 10, 40]);
    }
  });

  it("draws columns of one magnitude, and says which are only in the table", () => {
    const both = ["May", "Jun", "Jul", "Aug"].map((month, at) => [month, `${at + 1}`, `${(at + 1) * 100_000}`]);
    for (const document of answers({ columns: ["Month", "Hotels", "Revenue"], rows: both }, trend)) {
      const chart = chartOn(document);
      expect(chart?.series.map(({ name }) => name)).toEqual(["Hotels"]);
      expect(chart?.says).toContain("Only in the table: Revenue.");
      expect(problems(document)).toEqual([]);
    }
  });

  it("shows words in any script as they are, without what would turn the text around them", () => {
    const [document] = answers(pairs(rows(["\u202Eفندق", "👩‍👩‍👧", "\u2066x\u2069", "z"])), comparison);

    expect(document && chartOn(document)?.categories).toEqual(["فندق", "👩‍👩‍👧", "x", "z"]);
  });
});

it("is accepted by all three whatever a table holds, as a chart and as a table", () => {
  const cell = fc.oneof(
    fc.string({ unit: anyCharacter, maxLength: 30 }).map((text) => text.replace(/[|\n\\]/g, " ")),
    fc.integer({ min: -1_000_000, max: 1_000_000 }).map(String),
    fc.constantFrom("12 %", "€3", "(4)", "1,240", "2026-01-01", "Total", ""),
  );
  const tables = fc
    .integer({ min: 1, max: 8 })
    .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 40 }))
    .map(([columns = [], ...rows]): Table => ({ columns, rows }));
  fc.assert(
    fc.property(tables, fc.constantFrom(trend, comparison, share, "Stacked chart"), (table, question) => {
      for (const form of ["chart", "table"] as const)
        for (const document of answers(table, question, form)) expect(problems(document)).toEqual([]);
    }),
    { numRuns: runs(40) },
  );
});
