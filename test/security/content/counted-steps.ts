/**
 * Counts how often a regular expression backtracks. V8 gives up at a limit, so an expression that blows up is found on
 * any machine, whatever its load.
 */
import { setFlagsFromString } from "node:v8";

type Expression = { readonly source: string; readonly flags: string };

/** Steps back for each character of the text. What is linear stays far below; n² goes far beyond. */
const stepsPerChar = 500;

setFlagsFromString("--allow-natives-syntax");
const limited = new Function(
  "source",
  "flags",
  "limit",
  "return %NewRegExpWithBacktrackLimit(source, flags, limit)",
) as (source: string, flags: string, limit: number) => RegExp;

/**
 * The same expression with something that always holds at the end of whatever is repeated. V8 runs a repetition of plain
 * characters without counting its steps, and what tries `[^\]]*` from each bracket of a text would look harmless.
 */
export function counted(source: string): string {
  const token = /\\(?:u\{[^}]*\}|p\{[^}]*\}|k<[^>]*>|.)|\[(?:[^\]\\]|\\.)*\]|\(\?<[^=!>][^>]*>|\(\?<?[=!:]|./gsu;
  const repeated = /^(?:[*+]|\{\d+(?:,\d*)?\})/;
  let written = "";
  for (const { 0: part, index } of source.matchAll(token)) {
    const isRepeated = repeated.test(source.slice(index + part.length)) && !/^[*+?(|]|^\{\d/.test(part);
    if (!isRepeated) written += part;
    else written += part === ")" ? `${holds})` : `(?:${part}${holds})`;
  }
  return written;
}

const holds = "(?=[^]|$)";

/** False when it was given up, somewhere on the way through the text. One of the two always matches, so nothing else is null. */
export function isBounded({ source, flags }: Expression, text: string): boolean {
  const kept = flags.replaceAll(/[gy]/g, "");
  const whole = `(?:(?:${counted(source)})|[^])*`;
  return limited(whole, kept, stepsPerChar * text.length).exec(text) !== null;
}
