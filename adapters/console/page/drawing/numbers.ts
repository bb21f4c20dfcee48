/** Aligns columns of numbers to the right, so that digits of the same weight are in one column. */

/** "1,240", "−4", "(4)", "€3", "12 %", "3 EUR", "2.5M", "1.2e9". */
const number =
  /^[(+\-−–]?\s?(?:\p{Sc}|[A-Z]{3} )?\s?[+\-−]?(?:\d[\d.,'’\u00a0\u202f ]{0,30}|\.\d{1,20})(?:e[+-]?\d{1,3})?\s?(?:%|\p{Sc}|[A-Z]{3}|[kKMB]|bn)?\)?$/u;
const nothing = /^(?:|-|–|—|n\/?a|null|none|nan)$/i;
const maxUnbrokenChars = 18;
/** Longer cells are text. */
const maxNumberChars = 40;
/** What the first rows are, the others are too. */
const maxReadRows = 200;

export function isNumber(text: string): boolean {
  return text.length <= maxNumberChars && number.test(text);
}

/** The cell says that there is no value. */
export const isNothing = (text: string): boolean => nothing.test(text);

/** A date or a name in two lines is harder to read than a table to scroll. */
export const isShort = (text: string): boolean => text.length <= maxUnbrokenChars;

/** Which columns hold numbers and at least one. `rows`: the cells' texts. */
export function numberColumns(width: number, rows: readonly (readonly string[])[]): readonly boolean[] {
  const read = rows.slice(0, maxReadRows);
  return Array.from({ length: width }, (_, at) => {
    const cells = read.map((row) => (row[at] ?? "").trim()).filter((cell) => !isNothing(cell));
    return cells.length > 0 && cells.every(isNumber);
  });
}

/** Only columns whose author didn't align them. */
export function alignNumbers(table: HTMLTableElement): void {
  const rows = [...table.rows].map((row) => [...row.cells]);
  const [head = [], ...body] = rows;
  const isNumbers = numberColumns(
    head.length,
    body.map((cells) => cells.map((cell) => cell.textContent ?? "")),
  );
  for (const cells of rows) {
    cells.forEach((cell, at) => {
      if (isNumbers[at] && !cell.hasAttribute("align")) cell.classList.add("is-number");
      if (isShort(cell.textContent ?? "")) cell.classList.add("is-short");
    });
  }
}
