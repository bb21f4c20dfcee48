/** Writes the HTML of a document or an e-mail as Markdown: all of it, unlike a page's. */
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
  return markdownOf(tree, base);
}
