/** Parses JSON with line and column in errors, which V8 gives only for some. */
import { visit } from "jsonc-parser";
import { rowSentences } from "../../presentation/sentences.ts";
import { maxJsonDepth } from "../foreign/content-limits.ts";
import { ReadFailure } from "../pages/read-failure.ts";

/** `firstLine`: where the text starts within its file. Throws ReadFailure with line and column. */
export function parseJson(text: string, firstLine: number): unknown {
  if (depthOf(text) > maxJsonDepth) throw new ReadFailure("unreadable", rowSentences.tooDeep(maxJsonDepth));
  try {
    return JSON.parse(text);
  } catch {
    const { line, column } = lineAndColumn(text, firstErrorIn(text));
    throw new ReadFailure("unreadable", rowSentences.json(firstLine + line - 1, column));
  }
}

/** The nesting of brackets outside strings, counted before parsing: code that walks the result may recurse. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  let isString = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (char === '"') isString = !isString;
    else if (isString) at += char === "\\" ? 1 : 0;
    else if (char === "[" || char === "{") {
      depth += 1;
      deepest = Math.max(deepest, depth);
    } else if (char === "]" || char === "}") depth -= 1;
  }
  return deepest;
}

/** Stops at the first error: a text can have as many errors as characters. */
function firstErrorIn(text: string): number {
  class Found extends Error {
    readonly offset: number;
    constructor(offset: number) {
      super();
      this.offset = offset;
    }
  }
  const onError = (_error: number, offset: number) => {
    throw new Found(offset);
  };
  try {
    visit(text, { onError }, { disallowComments: true, allowTrailingComma: false });
    return text.length;
  } catch (thrown) {
    if (thrown instanceof Found) return thrown.offset;
    throw thrown;
  }
}

/** Both start at 1; columns are in UTF-16 units, as in editors. */
function lineAndColumn(text: string, offset: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, offset).split("\n");
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
