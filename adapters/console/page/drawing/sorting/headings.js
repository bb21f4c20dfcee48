/**
 * Makes a table's headings buttons that sort by their column: ascending, descending, and back to the order that the
 * author chose.
 */
import { element } from "../element.js";

const nextOrder = { none: "ascending", ascending: "descending", descending: "none" };

/** `cellsOf(column)`: the texts of all rows. `show(rows)` shows them, by their numbers, in that order. */
export function makeSortable(table, cellsOf, show) {
  const headings = [...(table.tHead?.rows[0]?.cells ?? [])];
  headings.forEach((heading, column) => {
    // A link in the heading has a press of its own.
    if (heading.querySelector("a, button") !== null || heading.textContent.trim() === "") return;
    const button = element("button.sort", { type: "button" });
    button.append(...heading.childNodes);
    heading.append(button);
    heading.setAttribute("aria-sort", "none");
    button.addEventListener("click", async () => {
      const { sortedBy } = await import("./order.js");
      const order = nextOrder[heading.getAttribute("aria-sort")];
      for (const other of headings) if (other.hasAttribute("aria-sort")) other.setAttribute("aria-sort", "none");
      heading.setAttribute("aria-sort", order);
      show(sortedBy(cellsOf(column), order));
    });
  });
}

/** A table that is drawn whole. */
export function makeDrawnSortable(table) {
  const body = table.tBodies[0];
  const rows = [...(body?.rows ?? [])];
  if (rows.length < 2) return;
  const cellsOf = (column) => rows.map((row) => row.cells[column]?.textContent ?? "");
  makeSortable(table, cellsOf, (order) => body.append(...order.map((index) => rows[index])));
}
