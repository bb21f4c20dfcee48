/** Draws tables: numbers to the right, addresses as links, and the first of many rows, with more on request. */
import type { Inline } from "../../../../src/core/document.ts";
import type { Table } from "../../../../src/core/model/turn.ts";
import { element } from "./element.ts";
import { drawInline } from "./inline.ts";
import { outLink, scrollBox } from "./markdown.ts";
import { alignNumbers } from "./numbers.ts";
import { makeSortable } from "./sorting/headings.ts";
import { withTimes } from "./times.ts";

/** A browser draws these at once. */
const firstRows = 100;
const moreRows = 500;

type Row = readonly string[];

const counted = (count: number) => count.toLocaleString("en");

const address = /^https?:\/\/[^\s<>"]{1,2000}$/i;

/** The address itself is the link's text, so nothing else can be claimed. */
function drawCell(text: string): HTMLElement {
  const isAddress = address.test(text) && URL.canParse(text);
  const isShort = text.length <= 60;
  return element(
    "td",
    { dir: "auto" },
    isAddress ? outLink(text, text, isShort ? undefined : "is-long") : withTimes(text),
  );
}

const drawRow = (row: Row) => element("tr", {}, ...row.map(drawCell));

export function drawTable(
  { table, caption }: { readonly table: Table; readonly caption?: Inline },
  name = "Table",
): HTMLElement {
  const { columns, rows, omittedRows = 0 } = table;
  const body = element("tbody", {}, ...rows.slice(0, firstRows).map(drawRow));
  const drawn = element(
    "table",
    {},
    element("thead", {}, element("tr", {}, ...columns.map((column) => element("th", { scope: "col" }, column)))),
    body,
  );
  const align = alignNumbers(drawn);
  let sorted = rows;
  if (rows.length > 1) {
    const cellsOf = (column: number) => rows.map((row) => row[column] ?? "");
    makeSortable(drawn, cellsOf, (order) => {
      sorted = order.flatMap((index) => (rows[index] === undefined ? [] : [rows[index]]));
      const shown = sorted.slice(0, body.rows.length).map(drawRow);
      for (const row of shown) align(row);
      body.replaceChildren(...shown);
    });
  }
  return element(
    "figure.table",
    {},
    caption === undefined ? undefined : element("figcaption", {}, ...drawInline(caption)),
    scrollBox(drawn, name),
    rows.length > firstRows ? drawMore(() => sorted, body, align) : undefined,
    omittedRows > 0
      ? element("p.quiet", {}, `${counted(omittedRows)} more ${omittedRows === 1 ? "row" : "rows"} not shown`)
      : undefined,
  );
}

/** `rows()`: all of them, as they are sorted now. */
function drawMore(
  rows: () => readonly Row[],
  body: HTMLTableSectionElement,
  align: (row: HTMLTableRowElement) => void,
): HTMLElement {
  const shown = element("span", { role: "status" });
  const button = element("button.action.is-plain", { type: "button", click: () => showMore() });
  const more = element("p.table-more.quiet", {}, shown, button);
  const update = () => {
    const left = rows().length - body.rows.length;
    shown.textContent = `${counted(body.rows.length)} of ${counted(rows().length)} rows`;
    button.textContent = `Show ${Math.min(left, moreRows)} more`;
    button.hidden = left === 0;
  };
  const showMore = () => {
    const next = rows()
      .slice(body.rows.length, body.rows.length + moreRows)
      .map(drawRow);
    for (const row of next) align(row);
    body.append(...next);
    update();
    if (button.hidden) body.closest<HTMLElement>(".scroll")?.focus();
  };
  update();
  return more;
}
