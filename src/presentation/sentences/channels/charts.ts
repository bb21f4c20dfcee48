/** Sentences about charts: titles, and a chart in words for people who can't see it. */
import type { ChartKind } from "../../../ports/model/chart.ts";
import { numberText } from "../quantities.ts";

const kinds: Readonly<Record<ChartKind, string>> = {
  line: "Line chart",
  bar: "Bar chart",
  area: "Area chart",
  pie: "Pie chart",
};

export const chartSentences = {
  /** "Bookings by month". */
  title: (series: string, label: string): string => (label === "" ? series : `${series} by ${label}`),
  /** "Direct", "Direct and Partner sites", "Direct, Phone and Partner sites". */
  names: (all: readonly string[]): string =>
    all.length < 2 ? all.join("") : `${all.slice(0, -1).join(", ")} and ${all.at(-1)}`,
  /** "Direct and 5 more". */
  andMore: (name: string, more: number): string => `${name} and ${numberText(more)} more`,
  lastOf: (shown: number, all: number): string => ` (last ${shown} of ${numberText(all)})`,
  largestOf: (shown: number, all: number): string => ` (${shown} largest of ${numberText(all)})`,
  firstRows: (rows: number): string => ` (first ${numberText(rows)} rows)`,
  /** A category without a name. */
  noName: "(none)",
  column: (number: number): string => `Column ${number}`,
  other: "Other",
  says: (kind: ChartKind, title: string): string => `${kinds[kind]}: ${title}.`,
  changed: (name: string, from: string, first: string, to: string, last: string, change: string): string =>
    `${name}: ${from} (${first}) to ${to} (${last})${change}.`,
  up: (percent: string): string => `, up ${percent}%`,
  down: (percent: string): string => `, down ${percent}%`,
  unchanged: ", unchanged",
  range: (name: string, most: string, highest: string, least: string, lowest: string): string =>
    `${name}: highest ${most} (${highest}), lowest ${least} (${lowest}).`,
  part: (name: string, share: string): string => `${name} ${share}%`,
  onlyInTable: (names: string): string => `Only in the table: ${names}.`,
} as const;
