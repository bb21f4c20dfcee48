/** Renders docs/charts.md, which answers become charts, from the table of words that ask for one: `npm run charts`. */
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { languages, listed } from "../../src/core/languages/languages.ts";
import { chartWishes } from "../../src/presentation/charts/chart-words.ts";

const introduction = `# When an answer becomes a chart

A table with one column of labels and one to six columns of numbers can be drawn: from the answer, or from the rows that a tool returned. \`npm run charts\` writes this page.

- **Chart** and **Table** below an answer switch between the two, for everyone who reads it. The table is never lost: Get CSV has every row. If the answer itself can't change, because it is too old, too long or because many edits wait, the person who pressed gets the other form privately.
- **Where the chart is**: in place of the table. In answers of more than 1,000 characters it follows the words, and rows that a tool returned follow them too. Asking again forgets what was pressed.
- **Where no chart can be drawn**, its table is shown with the chart's title: at most 50 rows and about 1,500 characters of it.
- **A chart appears automatically** if it has at least four points and the question asks for a share, a comparison or a chart. If it asks for a trend, the labels also have to be times. The words are below.
- **Lines** for dates, months, quarters, weeks and years, sorted if all of them tell their year. **A pie** only if the question asks for shares and there are at least two values, all of them positive. It has at most six parts: the five largest, and "Other". **Areas** only if the question says so. **Bars** for everything else.
- **At most 20 labels**: the last 20 times, or the 20 largest. The title says so: "last 20 of 36".
- **The accent** is the column that the question names first, else the first column. Columns in another unit, or whose largest values differ by more than 20 times, stay in the table; the chart's description names them.
- **A last row that is called a total** is left out, and so are columns that number the rows or hold only years.
- **Labels** are at most 20 characters long. Those that look the same then get a number.

## What is read

| | read as |
|---|---|
| \`1,240\`, \`1,240.5\`, \`1.240,5\`, \`1'240\`, \`12,34,567\` | numbers. The other cells of the column tell which mark separates decimals; if none does, \`1,240\` is a thousand, and \`1.240\` only where one like it ends in 0 and the others are whole numbers below 1,000 |
| \`12 %\`, \`€3\`, \`3 EUR\`, \`2.5M\`, \`300k\`, \`−4\`, \`(4)\`, \`1e3\` | numbers with a unit, a power of ten or a sign. Two units in one column are text |
| \`2026-12-31\`, \`2026-12\`, \`31.12.2026\`, \`12/31/2026\`, \`May 2026\`, \`2026-Q3\`, \`2026-W32\`, \`2026\` | times. \`01/02/2026\` only if another date of the column tells which is the month |

There is no chart, and no button, if a label appears twice, a value is empty or not finite, there is only one row, or more than six columns of numbers. Nor is there one if all values of a column are below 1e-15 or one is above 1e100, or if the tables of an answer have so many cells (about 45,000, fewer with units or marks) that reading them would hold up others.

## Words that ask for a chart

Upper and lower case and accents make no difference. \`*\` is any ending. Phrases that ask for nothing hold one of these words in another meaning: "let's share this with Bob".
`;

const titles: Readonly<Record<(typeof chartWishes)[number], string>> = {
  trend: "a trend",
  share: "a share",
  comparison: "a comparison",
  chart: "a chart",
  stacked: "areas",
};

export function renderCharts(): string {
  const tables = Object.values(languages).flatMap(({ name, charts }) => {
    if (charts === undefined) return [];
    const kinds = [...chartWishes.map((wish) => [titles[wish], charts[wish]]), ["nothing", charts.otherMeanings]];
    const rows = kinds.map(([what = "", all]) => `| ${what} | ${listed(all).join(", ").replaceAll("*", "\\*")} |`);
    return [`### ${name}`, "", "| asks for | words |", "|---|---|", ...rows].join("\n");
  });
  return `${[introduction.trimEnd(), ...tables].join("\n\n")}\n`;
}

if (import.meta.main) writeFileSync(fileURLToPath(new URL("../charts.md", import.meta.url)), renderCharts());
