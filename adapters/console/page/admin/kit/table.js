/**
 * Tables that become lists on a phone, with sorting by the server and "Show more" by cursor. A column says what it is on
 * a phone: "title" (the first line), "aside" (at the right of it), "line" (one of the quiet words below) or "hidden".
 */
import { element } from "../../drawing/element.ts";
import { rememberFocus } from "./focus.js";
import { button, emptyState, problemState } from "./parts.js";

/**
 * `columns`: `{ title, cell(row), isNumber, narrow, before, after, sort }`. `before` and `after` are words around the
 * value that only a phone needs ("questions"), `sort` is the server's name for this order. `groupOf(row)` is a heading
 * above the rows that share it ("Yesterday"). Roles are written out, since a row that is laid out as a block is no row
 * for screen readers.
 */
export function table({ columns, rows, label, sorted, onSort, hrefOf, groupOf }) {
  const heads = columns.map((column) => {
    const isSorted = column.sort !== undefined && column.sort === sorted;
    return element(
      `th${column.isNumber ? ".is-number" : ""}`,
      { role: "columnheader", scope: "col", "aria-sort": isSorted ? "descending" : undefined },
      column.sort === undefined || onSort === undefined
        ? column.title
        : element(
            `button.sort${isSorted ? ".is-on" : ""}`,
            { type: "button", click: () => onSort(column.sort) },
            column.title,
          ),
    );
  });
  return element(
    "table.table",
    { role: "table", "aria-label": label },
    element("thead", { role: "rowgroup" }, element("tr", { role: "row" }, ...heads)),
    element("tbody", { role: "rowgroup" }, ...bodyRows({ rows, columns, hrefOf, groupOf })),
  );
}

function bodyRows({ rows, columns, hrefOf, groupOf }) {
  let group;
  return rows.flatMap((row) => {
    const own = groupOf?.(row);
    const isNew = own !== group;
    group = own;
    const node = rowNode(row, columns, hrefOf);
    return isNew ? [groupNode(own, columns.length), node] : [node];
  });
}

function groupNode(title, width) {
  const head = element("th", { role: "rowheader", scope: "rowgroup", colspan: width }, title);
  return element("tr.group", { role: "row" }, head);
}

function rowNode(row, columns, hrefOf) {
  const to = hrefOf?.(row);
  const cells = columns.map((column, index) => {
    const value = column.cell(row);
    const isLink = to !== undefined && index === 0;
    return element(
      `td.on-phone-${column.narrow ?? "line"}${column.isNumber ? ".is-number" : ""}${value === "–" ? ".is-nothing" : ""}`,
      { role: "cell", "data-before": column.before },
      isLink ? element("a.row-link", { href: to }, value) : value,
      column.after === undefined ? undefined : element("span.only-phone", {}, ` ${column.after}`),
    );
  });
  return element(`tr${to === undefined ? "" : ".is-link"}`, { role: "row" }, ...cells);
}

/**
 * A list that is read page by page. `readPage(cursor)` resolves `{ rows, next }`; `draw(rows)` draws all that are known.
 * `empty` is what an empty list shows. `show()` reads it again from its beginning, as after a changed filter.
 */
export function listing({ readPage, draw, empty, signal, announce = () => {} }) {
  const box = element("div.listing", {});
  let rows = [];
  let next;
  let reading = 0;

  function drawAll() {
    const more =
      next === undefined ? undefined : element("p.more", {}, button("Show more", readMore, { look: "plain" }));
    const restoreFocus = rememberFocus(box);
    box.replaceChildren(
      ...(rows.length === 0 ? [emptyState(typeof empty === "function" ? empty() : empty)] : [draw(rows)]),
      ...(more === undefined ? [] : [more]),
    );
    restoreFocus();
  }

  async function readMore() {
    const mine = reading;
    const shown = rows.length;
    try {
      const page = await readPage(next);
      if (mine !== reading || signal?.aborted) return;
      rows = [...rows, ...page.rows];
      next = page.next;
      drawAll();
      announce(`${page.rows.length} more`);
      // Keyboards continue where the list was cut.
      const first = box.querySelectorAll("tbody tr:not(.group), .entry")[shown];
      first?.querySelector("a, button")?.focus({ preventScroll: true });
    } catch (thrown) {
      if (mine === reading && !signal?.aborted) box.append(problemState(thrown, drawAll));
    }
  }

  async function show() {
    reading += 1;
    const mine = reading;
    box.setAttribute("aria-busy", "true");
    try {
      const page = await readPage(undefined);
      if (mine !== reading || signal?.aborted) return;
      rows = page.rows;
      next = page.next;
      drawAll();
    } catch (thrown) {
      if (mine === reading && !signal?.aborted) box.replaceChildren(problemState(thrown, show));
    } finally {
      if (mine === reading) box.removeAttribute("aria-busy");
    }
  }

  return { box, show };
}
