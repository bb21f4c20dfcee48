/** Tables as pages have them, as Markdown tables. */
import { describe, expect, it } from "vitest";
import { partOf, read } from "./page.ts";

const row = (tag: string, ...cells: readonly string[]) =>
  `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join("")}</tr>`;

describe("a table", () => {
  it("has the cell that spans several rows in each of them", () => {
    const html = `<table><thead>${row("th", "Plan", "Paid", "Price")}</thead><tbody><tr><td rowspan="2">Small</td><td>monthly</td><td>9</td></tr>${row("td", "yearly", "90")}<tr><td rowspan="0">Large</td><td>monthly</td><td>29</td></tr>${row("td", "yearly", "290")}</tbody></table>`;

    expect(partOf(html)).toBe(
      "| Plan | Paid | Price |\n| --- | --- | --- |\n| Small | monthly | 9 |\n| Small | yearly | 90 |\n| Large | monthly | 29 |\n| Large | yearly | 290 |",
    );
  });

  it("has the cell that spans several columns in each of them, and what spans all of them once", () => {
    const html = `<table>${row("th", "Day", "From", "To")}<tr><td colspan="3">Summer</td></tr>${row("td", "Monday", "6", "22")}<tr><td>Sunday</td><td colspan="2">closed</td></tr></table>`;

    expect(partOf(html)).toBe(
      "| Day | From | To |\n| --- | --- | --- |\n| Summer |  |  |\n| Monday | 6 | 22 |\n| Sunday | closed | closed |",
    );
  });

  it("with several head rows has one, with the words of all of them", () => {
    const html = `<table><thead><tr><th rowspan="2">Plan</th><th colspan="2">Price</th></tr>${row("th", "monthly", "yearly")}</thead><tbody>${row("td", "Small", "9", "90")}</tbody></table>`;

    expect(partOf(html)).toBe("| Plan | Price / monthly | Price / yearly |\n| --- | --- | --- |\n| Small | 9 | 90 |");
  });

  it("has lists, paragraphs, breaks and code of a cell in one line", () => {
    const html = `<table>${row("th", "Name", "Meaning")}${row("td", "<p><code>max_size</code></p>", "<p>The size.</p><p>Zero for none.</p><ul><li><p>small</p></li><li><p>large</p></li></ul>")}${row("td", "<code>a|b</code>", "<pre>x = 1\ny = 2</pre>")}${row("td", "Hours", "Mon 9<br>Tue 10")}</table>`;

    expect(partOf(html)).toBe(
      "| Name | Meaning |\n| --- | --- |\n| `max_size` | The size. Zero for none. small; large |\n| `a\\|b` | `x = 1`; `y = 2` |\n| Hours | Mon 9; Tue 10 |",
    );
  });

  it("keeps its rows when it has most of a page's words", () => {
    const meaning = "The booking service can't be reached at the moment, so wait a little and try again, or call.";
    const rows = Array.from({ length: 30 }, (_, at) => row("td", `code_${at}`, meaning)).join("");
    const page = `<html><body><h1>Codes</h1><p>All codes.</p><table>${row("th", "Code", "Meaning")}${rows}</table></body></html>`;

    expect(read(page).markdown).toContain(`| Code | Meaning |\n| --- | --- |\n| code_0 | ${meaning} |\n| code_1 |`);
  });

  it("keeps its links and its words as they are", () => {
    const html = `<table>${row("th", "Key", "See")}${row("td", "a_b *c*", '<a href="/x_y">x_y</a>')}</table>`;

    expect(partOf(html)).toBe("| Key | See |\n| --- | --- |\n| a_b *c* | [x_y](https://docs.example.com/x_y) |");
  });

  it("without headings has an empty line of them, and loses no row", () => {
    expect(partOf(`<table>${row("td", "Ana", "4711")}${row("td", "Ben", "4712")}</table>`)).toBe(
      "|  |  |\n| --- | --- |\n| Ana | 4711 |\n| Ben | 4712 |",
    );
  });

  it("with its headings at the left has them there", () => {
    const html = `<table><tr><th>Name</th><td>Ana</td></tr><tr><th>Number</th><td>4711</td></tr></table>`;

    expect(partOf(html)).toBe("|  |  |\n| --- | --- |\n| Name | Ana |\n| Number | 4711 |");
  });

  it("has its caption before it and its foot after it", () => {
    const html = `<table><caption>Costs of <em>May</em></caption><thead>${row("th", "What", "Cost")}</thead><tfoot>${row("td", "Sum", "5")}</tfoot><tbody>${row("td", "Rope", "5")}</tbody></table>`;

    expect(partOf(html)).toBe("Costs of _May_\n\n| What | Cost |\n| --- | --- |\n| Rope | 5 |\n| Sum | 5 |");
  });

  it("inside a table is part of its cell", () => {
    const html = `<table>${row("th", "Name", "Sizes")}${row("td", "Rope", `<table>${row("th", "S", "L")}${row("td", "1", "2")}</table>`)}</table>`;

    expect(partOf(html)).toBe("| Name | Sizes |\n| --- | --- |\n| Rope | S; L; 1; 2 |");
  });

  it("with rows of different lengths keeps all cells", () => {
    expect(partOf(`<table>${row("th", "A", "B")}${row("td", "1")}${row("td", "1", "2", "3")}</table>`)).toBe(
      "| A | B |  |\n| --- | --- | --- |\n| 1 |  |  |\n| 1 | 2 | 3 |",
    );
  });

  it("that says to span more than there is ends with the table", () => {
    const html = `<table>${row("th", "A", "B")}<tr><td rowspan="65534" colspan="1000">x</td></tr>${row("td", "y")}</table>`;

    expect(partOf(html)).toBe("| A | B |  |\n| --- | --- | --- |\n| x | x |  |\n| x | x | y |");
  });

  it("that only arranges the page is its parts, one after the other", () => {
    const html = `<table width="100%"><tr><td><h2>Cranes</h2><p>The blue crane lifts four tonnes.</p></td><td><table role="presentation"><tr><td><p>The red one lifts nine.</p></td></tr></table></td></tr></table>`;

    expect(partOf(html)).toBe("## Cranes\n\nThe blue crane lifts four tonnes.\n\nThe red one lifts nine.");
  });
});
