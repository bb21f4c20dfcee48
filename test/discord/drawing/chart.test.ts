/** Charts in Discord's messages: a picture with words, or the table behind it, both within the limits. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type DiscordPayload, render } from "../../../adapters/discord/drawing/render.ts";
import { marked, markNumber } from "../../../adapters/discord/writing/post-marks.ts";
import type { Action, Block, Document } from "../../../src/core/document.ts";
import type { Chart } from "../../../src/core/model/chart.ts";
import { fileProblems, messageProblems } from "../../fakes/discord/checks.ts";
import { buttonsOf, type Json, textOf } from "../../fakes/discord/world.ts";
import { runs } from "../../properties.ts";

const chart: Chart = {
  kind: "bar",
  title: "Orders by month",
  categories: ["May", "June"],
  series: [{ name: "Orders", values: [3, 5] }],
  says: "Orders rose from 3 in May to 5 in June.",
};
const table = {
  columns: ["Month", "Orders"],
  rows: [
    ["May", "3"],
    ["June", "5"],
  ],
};
const buttons: readonly Action[] = [
  { id: "table", label: "Table", value: "turn1", style: "plain" },
  { id: "csv", label: "Get CSV", value: "turn1", style: "plain" },
];

function document(blocks: readonly Block[], tone: Document["tone"] = "done"): Document {
  return { tone, blocks, actions: buttons, summary: "Answer ready." };
}

type Components = DiscordPayload["components"];
const json = (components: Components) => components as unknown as readonly Json[];
const words = (components: Components = []) => textOf({ content: "", components: json(components) });
const labels = (components: Components = []) => buttonsOf(json(components)).map(({ label }) => label);
const types = (components: Components = []) => components.map(({ type }) => type);

/** What Discord would refuse in either version. */
function problems({ components, pictured }: DiscordPayload): readonly string[] {
  const flags = 1 << 15;
  const body = { components: pictured?.components ?? [] } as unknown as Json;
  const url = /"attachment:\/\/([^"]+)"/.exec(JSON.stringify(body))?.[1];
  const sent = pictured === undefined ? [] : fileProblems({ ...body, flags }, [{ filename: url, size: 1 }]);
  const whole = pictured === undefined ? [] : messageProblems({ ...body, flags }, undefined);
  return [...messageProblems({ components, flags }, undefined), ...whole, ...sent];
}

describe("a message with a chart", () => {
  it("has the picture in place of the table, and the button for the other one", () => {
    const [first, ...more] = render(
      document([
        { kind: "markdown", text: "Orders rose." },
        { kind: "chart", chart, table },
        { kind: "quiet", text: [{ text: "sales · 3 s" }] },
      ]),
    );

    expect(more).toEqual([]);
    expect(types(first?.pictured?.components)).toEqual([10, 12, 10, 1]);
    expect(words(first?.pictured?.components)).toBe("Orders rose.\n-# sales · 3 s");
    expect(labels(first?.pictured?.components)).toEqual(["Table", "Get CSV"]);
    expect(types(first?.components)).toEqual([10, 1]);
    expect(words(first?.components)).toContain("Orders by month\n```\nMonth │ Orders");
    expect(labels(first?.components)).toEqual(["Chart", "Get CSV"]);
  });

  it("has the mark of its post in either version", () => {
    const mark = { replyId: "0123456789abcdef", part: 0, generation: 0 };
    const [drawn] = render(document([{ kind: "chart", chart, table }]));

    const { components, pictured } = marked(drawn as DiscordPayload, mark);

    for (const [first] of [components, pictured?.components ?? []]) expect(first?.id).toBe(markNumber(mark));
  });

  it("shows one picture, and further charts as tables", () => {
    const other = { ...chart, title: "Revenue by month" };
    const [first] = render(
      document([
        { kind: "chart", chart, table },
        { kind: "chart", chart: other, table },
      ]),
    );

    expect(types(first?.pictured?.components)).toEqual([12, 10, 1]);
    expect(words(first?.pictured?.components)).toContain("Revenue by month");
  });

  it("has a description of at most 1,024 characters, and a picture named by the whole chart", () => {
    const described = (says: string) => {
      const [drawn] = render(document([{ kind: "chart", chart: { ...chart, says }, table }]));
      return json(drawn?.pictured?.components ?? [])[0]?.["items"] as readonly Json[];
    };

    const [long] = described("😀 up ".repeat(500));
    const [none] = described(" ");

    expect(String(long?.["description"]).length).toBeLessThanOrEqual(1_024);
    expect(String(long?.["description"]).isWellFormed()).toBe(true);
    expect(none).not.toHaveProperty("description");
    expect(long?.["media"]).not.toEqual(none?.["media"]);
  });

  it("stays within the limits in either version, whatever the table and the answer contain", () => {
    const text = fc.oneof(
      fc.string({ unit: "grapheme", maxLength: 300 }),
      fc.constantFrom("```", "| a |", "@everyone", "\n\n", "[a](b)", ""),
    );
    const anyTable = fc
      .tuple(fc.integer({ min: 1, max: 7 }), fc.integer({ min: 1, max: 60 }), fc.array(text, { minLength: 1 }))
      .map(([columns, count, cells]) => {
        const cell = (at: number) => cells[at % cells.length] ?? "";
        const row = (from: number) => Array.from({ length: columns }, (_, at) => cell(from + at));
        return { columns: row(0), rows: Array.from({ length: count }, (_, at) => row(at * columns)) };
      });
    const anyChart = fc.record({ title: text, says: text }).map((texts): Chart => ({ ...chart, ...texts }));
    fc.assert(
      fc.property(
        fc.array(text, { maxLength: 12 }),
        anyChart,
        anyTable,
        fc.constantFrom<Document["tone"]>("done", "failed"),
        (answer, drawn, data, tone) => {
          const payloads = render(
            document(
              [
                { kind: "markdown", text: answer.join("") },
                { kind: "chart", chart: drawn, table: data },
                { kind: "quiet", text: [{ text: "sales" }] },
              ],
              tone,
            ),
          );
          expect(payloads.flatMap(problems)).toEqual([]);
          expect(payloads.filter(({ pictured }) => pictured !== undefined).length).toBeLessThanOrEqual(1);
        },
      ),
      { numRuns: runs(150) },
    );
  });
});
