/** One answer whose table is shown as a chart, drawn by every platform: each shows the same data. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { render as renderForPage } from "../../adapters/console/drawing/render.ts";
import { render as renderForDiscord } from "../../adapters/discord/drawing/render.ts";
import { render as renderForSlack } from "../../adapters/slack/drawing/render.ts";
import type { Document } from "../../src/core/document.ts";
import type { Chart } from "../../src/core/model/chart.ts";
import { systemClock } from "../../src/core/tools/system-clock.ts";
import { createPictures, type Pictures } from "../../src/operations/charts/pictures.ts";
import { turnDocument } from "../../src/presentation/drawing.ts";
import { silentLog } from "../doubles/silent-log.ts";
import { nowMs, view } from "../presentation/views.ts";

const table = {
  columns: ["Month", "Direct", "Partner sites"],
  rows: [
    ["May", "1,240", "1,610"],
    ["June", "1,385", "1,655"],
    ["July", "1,520", "1,700"],
    ["August", "1,705", "1,690"],
    ["September", "2,015", "1,640"],
  ],
};

function document(shownAs: "chart" | "table"): Document {
  const answered = view({
    state: "answered",
    question: "What is the trend of bookings?",
    answer: "They rose [1].",
    answerTable: table,
    endedAtMs: nowMs,
  });
  return turnDocument(answered, nowMs, { shownAs });
}

const platforms: Readonly<Record<string, (document: Document) => unknown>> = {
  Slack: renderForSlack,
  Discord: renderForDiscord,
  "the page": renderForPage,
};

/** Every text and number in what a platform is sent; numbers as they are written and as they are counted. */
function texts(sent: unknown): string {
  const found: string[] = [];
  const walk = (value: unknown): void => {
    if (typeof value === "string") found.push(value);
    else if (typeof value === "number") found.push(value.toLocaleString("en-US"));
    else if (typeof value === "object" && value !== null) for (const one of Object.values(value)) walk(one);
  };
  walk(sent);
  return found.join("\n");
}

/** Every chart in what a platform is sent. */
function chartsIn(sent: unknown): readonly unknown[] {
  if (typeof sent !== "object" || sent === null) return [];
  const own = "chart" in sent ? [sent.chart] : [];
  return [...own, ...Object.values(sent).flatMap(chartsIn)];
}

let pictures: Pictures;
beforeAll(() => {
  pictures = createPictures({ clock: systemClock, log: silentLog });
});
afterAll(() => pictures.close());

function drawnChart(): Chart {
  const found = document("chart").blocks.find(({ kind }) => kind === "chart");
  if (found?.kind !== "chart") throw new Error("The answer has no chart.");
  return found.chart;
}

describe.each(Object.entries(platforms))("a chart on %s", (_name, render) => {
  it("says its title, its series and its main number, and has every number of the table behind it", () => {
    const { title, series, categories, says } = drawnChart();

    const shown = texts(render(document("chart")));

    for (const text of [title, ...series.map(({ name }) => name), ...categories]) expect(shown).toContain(text);
    for (const cell of table.rows.flat()) expect(shown).toContain(cell);
    expect(says).toContain("2,015");
    expect(shown).toContain("2,015");
  });

  it("gives way to the table with the same numbers, and each form offers the other", () => {
    const [chart, rows] = [render(document("chart")), render(document("table"))].map((sent) => JSON.stringify(sent));
    const shown = texts(render(document("table")));

    for (const cell of [...table.columns, ...table.rows.flat()]) expect(shown).toContain(cell);
    expect(chart).toContain('"Table"');
    expect(rows).toContain('"Chart"');
  });
});

describe("the pictures of that chart", () => {
  it("are drawn from the same data for the page, for Discord and in Slack", async () => {
    const chart = drawnChart();
    const [onPage, inDiscord] = [renderForPage, renderForDiscord].map((render) => chartsIn(render(document("chart"))));

    expect(onPage).toEqual([chart]);
    expect(inDiscord).toEqual([chart]);
    // Slack draws it itself.
    const [inSlack] = chartsIn(renderForSlack(document("chart")));
    const data = (values: readonly number[]) => values.map((value, at) => ({ label: chart.categories[at], value }));
    expect(inSlack).toMatchObject({
      type: chart.kind,
      series: chart.series.map(({ name, values }) => ({ name, data: data(values) })),
    });
    const svg = String(await pictures.svg(chart, "light"));
    const png = await pictures.png(chart, "dark");
    for (const text of [chart.title, ...chart.series.map(({ name }) => name), "2,015", "1,640", "May"])
      expect(svg).toContain(text);
    expect(png?.subarray(1, 4).toString()).toBe("PNG");
  });
});
