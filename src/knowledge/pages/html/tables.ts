/**
 * Makes each table of data one that Markdown can show: one line of headings, plain cells, and what spans several cells
 * in each of them. A table that only arranges the page becomes its cells, one after the other.
 */
import type { Element, Parents } from "hast";
import {
  attribute,
  type Child,
  element,
  elementsIn,
  find,
  hasClass,
  isElement,
  lineOf,
  rawText,
  rewrite,
  text,
} from "./nodes.ts";

/** Some pages write colspan="1000" for "all of them", which is what a larger one counts as. */
const maxSpan = 100;
/** A cell with more is text that was arranged. */
const maxCellChars = 1_500;

export function plainTables(tree: Parents): void {
  rewrite(tree, (node) => {
    if (!isElement(node, "table")) return undefined;
    const rows = rowsOf(node);
    if (isLayout(node, rows)) {
      return rows.flatMap((row) => cellsOf(row).map((cell) => element("div", cell.children)));
    }
    const caption = node.children.find((child) => isElement(child, "caption"));
    const table = tableOf(rows);
    return [
      ...(caption === undefined || lineOf(caption) === "" ? [] : [element("p", (caption as Element).children)]),
      ...table,
    ];
  });
}

/** Its own, with those of `tfoot` at the end. */
function rowsOf(table: Element): readonly Element[] {
  const parts = table.children.filter((child): child is Element => isElement(child));
  const last = parts.filter(({ tagName }) => tagName === "tfoot");
  return [...parts.filter(({ tagName }) => tagName !== "tfoot"), ...last].flatMap((part) => {
    if (part.tagName === "tr") return [part];
    if (!isElement(part, "thead", "tbody", "tfoot")) return [];
    const isHead = part.tagName === "thead";
    return part.children
      .filter((row): row is Element => isElement(row, "tr"))
      .map((row) => (isHead ? { ...row, properties: { ...row.properties, isHead: true } } : row));
  });
}

function cellsOf(row: Element): readonly Element[] {
  return row.children.filter((cell): cell is Element => isElement(cell, "td", "th"));
}

function isLayout(table: Element, rows: readonly Element[]): boolean {
  if (/^(?:presentation|none)$/.test(attribute(table, "role"))) return true;
  const cells = rows.flatMap(cellsOf);
  if (rows.every((row) => cellsOf(row).length <= 1)) return !cells.some(({ tagName }) => tagName === "th");
  if (cells.some(({ tagName }) => tagName === "th") || hasClass(table, "docutils", "wikitable", "data")) return false;
  if (find(table, ({ tagName }) => /^(?:table|h[1-4])$/.test(tagName)) !== undefined) return true;
  return cells.some((cell) => rawText(cell).length > maxCellChars);
}

type Cell = { readonly content: readonly Child[]; readonly isHead: boolean };
type Grid = { readonly row: Element; readonly cells: (Cell | undefined)[]; readonly begins: boolean[] }[];

function tableOf(rows: readonly Element[]): readonly Element[] {
  const grid = gridOf(rows);
  const width = widthOf(grid);
  if (width === 0) return [];
  const lines = grid.map(({ row, cells }) => ({
    isHead: row.properties["isHead"] === true,
    cells: Array.from({ length: width }, (_, at) => cells[at] ?? { content: [], isHead: false }),
  }));
  const heads = lines.filter(({ isHead }) => isHead);
  const head = heads.length > 0 ? heads : headsIn(lines);
  const body = lines.filter((line) => !head.includes(line));
  const titles = Array.from({ length: width }, (_, at) => titleOf(head.map(({ cells }) => cells[at]?.content ?? [])));
  const rowIn = (tag: string, cells: readonly (readonly Child[])[]) =>
    element(
      "tr",
      cells.map((content) => element(tag, content)),
    );
  return [
    element("table", [
      element("thead", [rowIn("th", titles)]),
      element(
        "tbody",
        body.map(({ cells }) => rowIn("td", wholeRow(cells))),
      ),
    ]),
  ];
}

/** Without a `thead`: the first rows that have only headings, of which more than one are for cells that span others. */
function headsIn<T extends { readonly cells: readonly Cell[] }>(lines: readonly T[]): readonly T[] {
  const isHeading = ({ cells }: T) => cells.every(({ isHead, content }) => isHead || content.length === 0);
  const end = lines.findIndex((line) => !isHeading(line));
  const heads = lines.slice(0, end < 0 ? 1 : end);
  const spans = heads[0]?.cells.some((cell, at, all) => cell !== undefined && all.indexOf(cell) !== at) === true;
  return lines.length < 2 ? [] : spans ? heads : heads.slice(0, 1);
}

/** One cell across the whole row stands once. */
function wholeRow(cells: readonly Cell[]): readonly (readonly Child[])[] {
  const isOne = cells.length > 2 && cells.every((cell) => cell === cells[0]);
  return cells.map(({ content }, at) => (isOne && at > 0 ? [] : content));
}

/** Of several lines of headings, "Price / yearly". */
function titleOf(lines: readonly (readonly Child[])[]): readonly Child[] {
  const said = new Set<string>();
  const parts = lines.filter((content) => {
    const words = content.map(rawText).join("").trim();
    return words !== "" && !said.has(words) && said.add(words);
  });
  return parts.flatMap((content, at) => (at === 0 ? content : [text(" / "), ...content]));
}

function gridOf(rows: readonly Element[]): Grid {
  const grid: Grid = rows.map((row) => ({ row, cells: [], begins: [] }));
  const widths = rows.map((row) => cellsOf(row).reduce((sum, cell) => sum + (colSpanOf(cell) ?? 1), 0));
  const all = widths.reduce((most, width) => Math.max(most, width), 0);
  for (const [at, line] of grid.entries()) {
    let column = 0;
    for (const node of cellsOf(line.row)) {
      while (line.cells[column] !== undefined) column += 1;
      const cell = { content: inlineContent(node), isHead: node.tagName === "th" };
      const colSpan = colSpanOf(node) ?? all - column;
      const last = at + rowSpanOf(node, grid.length);
      for (const below of grid.slice(at, last)) {
        // A span ends with the headings.
        if ((below.row.properties["isHead"] === true) !== (line.row.properties["isHead"] === true)) break;
        for (let across = 0; across < Math.max(1, colSpan); across += 1) {
          below.cells[column + across] ??= cell;
          below.begins[column + across] ||= across === 0;
        }
      }
      column += 1;
    }
  }
  return grid;
}

/** Undefined for all columns. */
function colSpanOf(cell: Element): number | undefined {
  const span = Number.parseInt(attribute(cell, "colSpan"), 10);
  if (span > maxSpan) return undefined;
  return span > 0 ? span : 1;
}

/** 0 means to the end. */
function rowSpanOf(cell: Element, rows: number): number {
  const span = Number.parseInt(attribute(cell, "rowSpan"), 10);
  return span === 0 ? rows : span > 0 ? span : 1;
}

/** Columns in which no cell begins are only the width of a heading. */
function widthOf(grid: Grid): number {
  return grid.reduce((most, { begins }) => Math.max(most, begins.lastIndexOf(true) + 1), 0);
}

const blockTags =
  /^(?:p|div|ul|ol|li|dl|dt|dd|pre|br|hr|h[1-6]|blockquote|section|article|table|tr|td|th|figure|figcaption|center|details|address)$/;

/** The pieces of a cell in one line: "The size. Zero for none. small; large". */
function inlineContent(cell: Element): readonly Child[] {
  const whole: Child[] = [];
  let isApart = false;
  const add = (child: Child) => {
    if (child.type === "text" && child.value.trim() === "" && (isApart || whole.length === 0)) return;
    if (isApart && whole.length > 0) {
      const before = rawText(whole.findLast((one) => rawText(one).trim() !== "") ?? text("")).trimEnd();
      if (before !== "") whole.push(text(/[.!?:;,]$/.test(before) ? " " : "; "));
    }
    isApart = false;
    whole.push(child);
  };
  const walk = (node: Child) => {
    if (isElement(node, "pre")) {
      isApart = true;
      for (const line of rawText(node).split("\n")) {
        if (line.trim() === "") continue;
        add(element("code", [text(line.trim())]));
        isApart = true;
      }
    } else if (isElement(node) && blockTags.test(node.tagName)) {
      isApart = true;
      for (const child of node.children) walk(child);
      isApart = true;
    } else if (isElement(node) && holdsBlock(node)) {
      for (const child of node.children) walk(child);
    } else add(node);
  };
  for (const child of cell.children) walk(child);
  return whole;
}

function holdsBlock(node: Element): boolean {
  for (const { tagName } of elementsIn(node)) if (blockTags.test(tagName)) return true;
  return false;
}
