/** Makes the texts of a table fit a chart: plain, short, and all different. */
import { cleanText } from "../drawing/sanitise.ts";
import { plainText } from "../markdown/plain-text.ts";
import { shorten } from "../sentences/steps.ts";

/** Of a category and of a series: what Slack's charts take (2026-06). */
const maxLabelChars = 20;

/** Longer cells aren't compared to their end. */
export const maxReadChars = 300;

/** A cell as plain text on one line: cells of Markdown tables are Markdown. */
export function cellText(cell: string): string {
  const read = cell.slice(0, maxReadChars);
  const text = cleanText(/[*`[\]~]|__/.test(read) ? plainText(read) : read);
  return text.replace(/\s+/g, " ").trim();
}

/** Each at most `maxLabelChars` long; those that would look the same get a number. */
export function shortLabels(labels: readonly string[]): readonly string[] {
  const used = new Set<string>();
  return labels.map((label) => {
    let short = shorten(label, maxLabelChars);
    for (let number = 2; used.has(short); number++) {
      const suffix = ` ${number}`;
      short = `${shorten(label, maxLabelChars - suffix.length)}${suffix}`;
    }
    used.add(short);
    return short;
  });
}
