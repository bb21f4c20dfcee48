/** Writes the HTML of a document or an e-mail as Markdown: all of it, unlike a page's. */
import type { Root } from "hast";
import { markdownOf } from "../pages/html/markdown.ts";
import { parsePart } from "../pages/html/parse.ts";
import { plainTables } from "../pages/html/tables.ts";

/** Word marks no headings in most tables: their first row is taken for them. */
export function markdownOfWord(html: string): string {
  return markdownOfHtml(
    html.replace(/<table>(?:<tbody>)?<tr>((?:(?!<\/tr>|<table>).)*)<\/tr>/gs, (whole, row: string) =>
      whole.replace(row, () => row.replace(/<td(?=[ >])/g, "<th").replaceAll("</td>", "</th>")),
    ),
  );
}

/** Relative links lead nowhere. */
const base = "https://attached.invalid/";

export function markdownOfHtml(html: string): string {
  const tree = parsePart(html);
  plainTables(tree);
  return piecesOf(tree.children)
    .map((children) => markdownOf({ type: "root", children }, base))
    .filter((text) => text !== "")
    .join("\n\n");
}

/** Elements that are written at once: as Markdown they take many times their size. */
const pieceElements = 500;

/** Text and inline elements stay with what precedes them. */
function piecesOf(children: Root["children"]): readonly Root["children"][] {
  const pieces: Root["children"][] = [[]];
  for (const child of children) {
    const last = pieces.at(-1) ?? [];
    const isBlock = child.type === "element" && /^(?:p|div|table|h[1-6])$/.test(child.tagName);
    if (isBlock && last.length >= pieceElements) pieces.push([child]);
    else last.push(child);
  }
  return pieces;
}
