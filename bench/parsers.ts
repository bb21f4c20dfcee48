/**
 * Measures how the parsers of text from outside grow: how many times as long ten times the text takes, with the odd
 * characters that each is slowest for.
 */
import { type Growth, growthOf } from "../test/security/content/growth.ts";
import { oddPieces, outsideParsers } from "../test/security/content/outside-parsers.ts";
import type { Measure } from "./measure.ts";

const most = 15;

export async function bench(): Promise<Measure[]> {
  const measures: Measure[] = [];
  for (const [kind, parsers] of Object.entries(outsideParsers)) {
    const found: (Growth & { readonly name: string })[] = [];
    for (const [name, parse] of Object.entries(parsers)) {
      process.stderr.write(`${kind}: ${name} …\n`);
      for (const growth of await growthOf(parse, oddPieces, most)) found.push({ ...growth, name });
    }
    const slowest = largest(found, ({ ms }) => ms);
    const fastest = largest(found, ({ ratio }) => ratio);
    const about = (growth: typeof slowest) => (growth === undefined ? "" : `: ${growth.name}, ${shown(growth.piece)}`);
    measures.push(
      {
        name: `${kind}, 10 times the text${about(fastest)}`,
        value: fastest?.ratio ?? 0,
        target: { atMost: most },
        unit: "times the time",
      },
      { name: `${kind}, up to 100,000 characters${about(slowest)}`, value: slowest?.ms ?? 0, unit: "ms" },
    );
  }
  return measures;
}

function largest<T>(found: readonly T[], sizeOf: (one: T) => number): T | undefined {
  return found.reduce<T | undefined>(
    (best, one) => (best === undefined || sizeOf(one) > sizeOf(best) ? one : best),
    undefined,
  );
}

function shown(piece: string): string {
  return JSON.stringify(piece).replace(/[^ -~]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
