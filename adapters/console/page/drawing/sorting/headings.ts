/**
 * Makes a table's headings buttons that sort by their column: ascending, descending, and back to the order that the
 * author chose.
 */
import { element } from "../element.ts";
import type { Order } from "./order.ts";

export const nextOrder: Readonly<Record<Order, Order>> = {
  none: "ascending",
  ascending: "descending",
  descending: "none",
};

/** A table that is drawn whole. */
export function makeSortable(table: HTMLTableElement): void {
  const body = table.tBodies[0];
  const rows = [...(body?.rows ?? [])];
  if (rows.length < 2) return;
  const headings = [...(table.tHead?.rows[0]?.cells ?? [])];
  headings.forEach((heading, column) => {
    // A link in the heading has a press of its own.
    if (heading.querySelector("a, button") !== null || heading.textContent.trim() === "") return;
    const button = element("button.sort", { type: "button" });
    button.append(...heading.childNodes);
    heading.append(button);
    heading.setAttribute("aria-sort", "none");
    button.addEventListener("click", async () => {
      const { sortedBy } = await import("./order.ts");
      const order = nextOrder[(heading.getAttribute("aria-sort") ?? "none") as Order];
      for (const other of headings) if (other.hasAttribute("aria-sort")) other.setAttribute("aria-sort", "none");
      heading.setAttribute("aria-sort", order);
      const cells = rows.map((row) => row.cells[column]?.textContent ?? "");
      body?.append(...sortedBy(cells, order).flatMap((index) => rows[index] ?? []));
    });
  });
}
