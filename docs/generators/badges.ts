/**
 * `npm run badges`: draws what README says of the package in one line, from package.json. No service is asked, so it
 * can't say anything else; a test compares.
 */
import { writeFileSync } from "node:fs";
import packageJson from "../../package.json" with { type: "json" };

const height = 20;
const padding = 7;
const gap = 6;
/** Of a letter of Verdana at 11 px, on average; `textLength` makes it so with any font. */
const letter = 6.8;

type Part = { readonly text: string; readonly colour: string };

const widthOf = (text: string) => Math.round(text.length * letter) + 2 * padding;

function drawn({ text, colour }: Part, x: number): string {
  const width = widthOf(text);
  return (
    `<rect x="${x}" width="${width}" height="${height}" fill="${colour}"/>` +
    `<text x="${x + padding}" y="14" textLength="${width - 2 * padding}">${text}</text>`
  );
}

function facts(): readonly (readonly [string, string])[] {
  const { version, license, engines } = packageJson;
  return [
    ["version", version],
    ["licence", license],
    ["Node.js", `${engines.node.replace(">=", "")} or newer`],
  ];
}

/** What a screen reader says of it, too. */
export const badgesText = (): string =>
  facts()
    .map((fact) => fact.join(" "))
    .join(", ");

export function badges(): string {
  let x = 0;
  const parts = facts().map(([name, value]) => {
    const from = x;
    const middle = from + widthOf(name);
    x = middle + widthOf(value) + gap;
    return drawn({ text: name, colour: "#555" }, from) + drawn({ text: value, colour: "#1264a3" }, middle);
  });
  const size = `width="${x - gap}" height="${height}"`;
  const look = 'fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11"';
  const title = `<title>${badgesText()}</title>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img">${title}<g ${look}>${parts.join("")}</g></svg>\n`;
}

if (import.meta.main) writeFileSync("docs/badges.svg", badges());
