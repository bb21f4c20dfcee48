/** Says a chart in words, its main number first: for screen readers and notifications. */

import type { Chart, ChartKind, ChartSeries } from "../../core/model/chart.ts";
import { shorten } from "../sentences/steps.ts";
import { sentenceValue } from "./value-text.ts";

const kinds: Readonly<Record<ChartKind, string>> = {
  line: "Line chart",
  bar: "Bar chart",
  area: "Area chart",
  pie: "Pie chart",
};

const says = {
  range: (name: string, most: string, highest: string, least: string, lowest: string): string =>
    `${name}: highest ${most} (${highest}), lowest ${least} (${lowest}).`,
};

/** What Discord takes as the description of a picture (2026-11). */
const maxSaysChars = 1_024;

export type Unsaid = Omit<Chart, "says">;

export function chartSays(
  chart: Unsaid,
  more: {
    readonly unit?: string | undefined;
    /** Columns of the table that are not drawn. */
    readonly left: readonly string[];
  },
): string {
  const { kind, title, series } = chart;
  // The main number belongs to the accent.
  const ordered = [...series].sort((a, b) => Number(b.isAccent === true) - Number(a.isAccent === true));
  const sentences = [
    `${kinds[kind]}: ${title}.`,
    ...(kind === "pie"
      ? [parts(chart)]
      : ordered.map((one) => (kind === "bar" ? range : changed)(chart, one, more.unit))),
    ...(more.left.length === 0 ? [] : [`Only in the table: ${more.left.join(", ")}.`]),
  ];
  return shorten(sentences.join(" "), maxSaysChars);
}

function changed({ categories }: Unsaid, { name, values }: ChartSeries, unit: string | undefined): string {
  const from = values[0] ?? 0;
  const to = values.at(-1) ?? 0;
  const [first = "", last = ""] = [categories[0], categories.at(-1)];
  return `${name}: ${sentenceValue(from, unit)} (${first}) to ${sentenceValue(to, unit)} (${last})${change(from, to)}.`;
}

/** Nothing where a percentage has no meaning: from zero, across zero. */
function change(from: number, to: number): string {
  if (from === to) return ", unchanged";
  if (from <= 0 || to < 0) return "";
  const percent = percentText(Math.abs(to / from - 1) * 100);
  return to > from ? `, up ${percent}%` : `, down ${percent}%`;
}

function range({ categories }: Unsaid, { name, values }: ChartSeries, unit: string | undefined): string {
  const highest = indexOf(values, (value, best) => value > best);
  const lowest = indexOf(values, (value, best) => value < best);
  const at = (index: number) => [categories[index] ?? "", sentenceValue(values[index] ?? 0, unit)] as const;
  return says.range(name, ...at(highest), ...at(lowest));
}

function indexOf(values: readonly number[], isBetter: (value: number, best: number) => boolean): number {
  let found = 0;
  for (const [index, value] of values.entries()) if (isBetter(value, values[found] ?? value)) found = index;
  return found;
}

function parts({ categories, series }: Unsaid): string {
  const values = series[0]?.values ?? [];
  const total = values.reduce((sum, value) => sum + value, 0);
  const said = categories.map((name, index) => {
    const share = ((values[index] ?? 0) / total) * 100;
    return `${name} ${percentText(share)}%`;
  });
  return `${said.join(", ")}.`;
}

/** Whole percents, unless that would be none. */
function percentText(percent: number): string {
  return sentenceValue(percent < 1 ? Number(percent.toPrecision(1)) : Math.round(percent));
}
