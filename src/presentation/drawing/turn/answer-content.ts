/** Draws an answer's words and its table, as a chart where the question asks for one or a person did. */

import type { Action, Block, Document } from "../../../core/document.ts";
import type { Table, Turn, TurnView } from "../../../core/model/turn.ts";
import { cellText } from "../../charts/chart-labels.ts";
import { type TableChart, tableChart } from "../../charts/chart-of.ts";
import { type MarkdownBlock, markdownBlocks } from "../../markdown/markdown-blocks.ts";
import { readableMarkdown } from "../../markdown/readable-markdown.ts";
import { countText } from "../../sentences/quantities.ts";
import { shorten, stepSentences } from "../../sentences/steps.ts";
import { say } from "../inline.ts";
import { cleanText } from "../sanitise.ts";
import { cleanTable } from "../table-text.ts";
import { asChart, asTable, maxSearchedChars } from "./turn-actions.ts";

/** Chart or Table pressed, and shown to one person only. */
const toggleSentences = {
  busy: "The answer itself couldn't be changed right now.",
  unfit: "The answer itself can no longer be changed.",
} as const;

/** Longer answers are cleaned where they are drawn, as far as they are drawn. */
const maxCleanedChars = 100_000;
/** In longer answers a chart follows the words, where the buttons are: only their message changes with a press. */
const maxWordsAround = 1_000;
/** Of the table shown instead of a chart. Get CSV has every row. */
const maxStandInRows = 50;
const maxStandInChars = 1_500;

const maxSummaryChars = 150;

export type AnswerContent = {
  readonly blocks: readonly Block[];
  /** Shows its table in the other form. */
  readonly toggle: readonly Action[];
  /** The chart that is shown, in words. */
  readonly says?: string;
};

/** An answer's words around one of its tables. */
type Written = { readonly before: string; readonly source: string; readonly after: string };

/** A table that can be drawn, and where it is from. */
type Drawn = TableChart & ({ readonly from: "answer" | "tools" } | ({ readonly from: "words" } & Written));

/** `shownAs`: what a person asked for. */
export function answerContent(view: TurnView, shownAs?: Turn["shownAs"]): AnswerContent {
  const text = cleanedAnswer(view);
  const drawn = drawnTable(view, text);
  if (drawn === undefined) return { blocks: [...words(text, view), ...ownTable(view)], toggle: [] };
  const isChart = (shownAs ?? (drawn.isAsked ? "chart" : "table")) === "chart";
  const toggle = [isChart ? asTable(view) : asChart(view)];
  const says = isChart ? { says: drawn.chart.says } : {};
  const chart: Block = { kind: "chart", chart: drawn.chart, table: standIn(drawn.table, drawn.from === "words") };
  const { from } = drawn;
  switch (from) {
    case "answer":
      return { blocks: [...words(text, view), ...(isChart ? [chart] : ownTable(view))], toggle, ...says };
    case "tools": {
      const rows: Block = {
        kind: "table",
        table: standIn(drawn.table, false),
        caption: say`${stepSentences.rowsFound}`,
      };
      const shown = isChart ? [chart] : shownAs === "table" ? [rows] : [];
      return { blocks: [...words(text, view), ...shown], toggle, ...says };
    }
    case "words":
      return { blocks: isChart ? around(drawn, text, view, chart) : written(drawn, text, view), toggle, ...says };
    default:
      return from satisfies never;
  }
}

/** Its table alone, for one person. Undefined if it can't be drawn as a chart. `why`: the answer itself stays as it is. */
export function tableDocument(
  view: TurnView,
  form: NonNullable<Turn["shownAs"]>,
  why: "busy" | "unfit",
): Document | undefined {
  const drawn = drawnTable(view, cleanedAnswer(view));
  if (drawn === undefined) return undefined;
  const { chart } = drawn;
  const table = standIn(drawn.table, drawn.from === "words");
  const shown: Block = form === "chart" ? { kind: "chart", chart, table } : { kind: "table", table };
  const summary = shorten(form === "chart" ? chart.says : chart.title, maxSummaryChars);
  const note: Block = { kind: "quiet", text: say`${toggleSentences[why]}` };
  return { tone: "info", blocks: [shown, note], actions: [], summary };
}

function cleanedAnswer({ answer = "" }: TurnView): string {
  return readableMarkdown(answer.length > maxCleanedChars ? answer : cleanText(answer));
}

function words(text: string, { answerOmittedChars }: TurnView): readonly Block[] {
  const omitted =
    answerOmittedChars === undefined
      ? []
      : [say`The answer was too long: ${countText(answerOmittedChars, "more character")} left out.`];
  return [...markdown(text), ...omitted.map((cut): Block => ({ kind: "quiet", text: cut }))];
}

function markdown(text: string): readonly Block[] {
  return /\S/.test(text) ? [{ kind: "markdown", text }] : [];
}

/** The table that is the answer. */
function ownTable({ answerTable }: TurnView): readonly Block[] {
  if (answerTable === undefined) return [];
  const isEmpty = answerTable.rows.length === 0;
  const isShown = !isEmpty || answerTable.columns.length > 0;
  return [
    ...(isShown ? [{ kind: "table" as const, table: cleanTable(answerTable) }] : []),
    ...(isEmpty ? [{ kind: "text" as const, text: say`No rows matched.` }] : []),
  ];
}

/** In the order of Get CSV: the answer's own table, those written in it, those that tools returned. */
function drawnTable(view: TurnView, text: string): Drawn | undefined {
  if (view.state !== "answered") return undefined;
  if (view.answerTable !== undefined && view.answerTable.rows.length > 0) {
    const found = tableChart([view.answerTable], view.question);
    return found && { ...found, from: "answer" };
  }
  const parts = markdownBlocks(text.slice(0, maxSearchedChars));
  // The last one may continue.
  const whole = text.length > maxSearchedChars ? parts.slice(0, -1) : parts;
  const tables = whole.flatMap((part) => (part.kind === "table" ? [part.table] : []));
  if (tables.length === 0) {
    const found = tableChart(view.tables, view.question);
    return found && { ...found, from: "tools" };
  }
  const found = tableChart(tables, view.question);
  if (found === undefined) return undefined;
  const at = whole.findIndex((part) => part.kind === "table" && part.table === found.table);
  const before = sourceOf(whole.slice(0, at));
  const source = sourceOf(whole.slice(at, at + 1));
  return { ...found, from: "words", before, source, after: text.slice(before.length + source.length) };
}

function sourceOf(parts: readonly MarkdownBlock[]): string {
  return parts.map(({ source }) => source).join("");
}

/** The chart stands where the table was written, or at the end. */
function around({ before, after }: Written, text: string, view: TurnView, chart: Block): readonly Block[] {
  if (isMoved({ before, after }, text)) return [...words(joined(before, after), view), chart];
  return [...markdown(before), chart, ...words(after, view)];
}

/** Where its chart would be at the end, so is the table: only the last message of an answer changes with a press. */
function written({ before, source, after, isAsked }: Written & TableChart, text: string, view: TurnView) {
  if (!isAsked || !isMoved({ before, after }, text)) return words(text, view);
  return [...words(joined(before, after), view), ...markdown(source)];
}

function isMoved({ before, after }: Pick<Written, "before" | "after">, text: string): boolean {
  if (!/\S/.test(after)) return false;
  // Words that are divided lose the links that are defined in the other part.
  return before.length + after.length > maxWordsAround || /^ {0,3}\[[^\]\n]{1,200}\]:/m.test(text);
}

function joined(before: string, after: string): string {
  return `${before.trimEnd()}\n\n${after.replace(/^\s*\n/, "")}`;
}

/** The first rows. Cells of written tables are Markdown. */
function standIn(table: Table, isMarkdown: boolean): Table {
  const cell = isMarkdown ? cellText : cleanText;
  let left = maxStandInChars;
  const rows: (readonly string[])[] = [];
  for (const row of table.rows.slice(0, maxStandInRows)) {
    const shown = row.map(cell);
    left -= shown.reduce((sum, one) => sum + one.length, 0);
    if (left < 0 && rows.length > 0) break;
    rows.push(shown);
  }
  const omittedRows = table.rows.length - rows.length + (table.omittedRows ?? 0);
  return { columns: table.columns.map(cell), rows, omittedRows: omittedRows === 0 ? undefined : omittedRows };
}
