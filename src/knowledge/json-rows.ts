/** JSON with the place of what is wrong in it: V8 names one only for some errors. */
import { type ParseError, parse as parseTolerantly } from "jsonc-parser";
import { rowSentences } from "../presentation/sentences-knowledge.ts";
import { ReadFailure } from "./read-failure.ts";

/** `firstLine`: of the text within its file. Throws ReadFailure with line and column. */
export function parseJson(text: string, firstLine: number): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const errors: ParseError[] = [];
    parseTolerantly(text, errors, { disallowComments: true, allowTrailingComma: false });
    const { line, column } = lineAndColumn(text, errors[0]?.offset ?? text.length);
    throw new ReadFailure("unreadable", rowSentences.json(firstLine + line - 1, column));
  }
}

/** Both from 1; columns in UTF-16 units, as editors count them. */
function lineAndColumn(text: string, offset: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, offset).split("\n");
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
