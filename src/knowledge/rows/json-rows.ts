/** Reads rows from JSON and JSON lines, with trailing commas and comments; what is wrong is named by line and column. */

import { parse, visit } from "jsonc-parser";
import { isObject } from "../../core/tools/parse-json.ts";
import { countText, numberText, rowSentences } from "../../presentation/sentences.ts";
import { maxJsonDepth, maxLineChars } from "../foreign/content-limits.ts";
import { ReadFailure } from "../pages/read-failure.ts";
import type { ReadingNotes } from "./reading-notes.ts";
import type { FoundRow } from "./row-format.ts";

const says = {
  repairedJson: "trailing commas and comments ignored",
};

/** As people write it by hand, and as editors accept it. */
const tolerant = { disallowComments: false, allowTrailingComma: true } as const;

/** A list of objects, one object, or `{"rows": […]}`. JSON lines in a file called .json are read too. Throws ReadFailure. */
export function* readJson(text: string, notes: ReadingNotes): Generator<FoundRow, void, void> {
  let isRepaired = false;
  const onRepair = () => {
    isRepaired = true;
  };
  try {
    const parsed = parseJson(text, { firstLine: 1, onRepair });
    for (const [index, entry] of listIn(parsed).entries())
      yield { cells: objectOf(entry, index + 1), number: index + 1 };
  } catch (thrown) {
    if (!areLines(text)) throw thrown;
    const lines = createLineReader(notes);
    for (const line of text.split("\n")) yield* lines.read(line);
    lines.end();
  }
  if (isRepaired) notes.add(says.repairedJson);
}

/** A broken line is left out and named. Throws ReadFailure if none can be read. */
export async function* readJsonLines(
  texts: AsyncIterable<string>,
  notes: ReadingNotes,
): AsyncGenerator<FoundRow, void, void> {
  const lines = createLineReader(notes);
  let rest = "";
  for await (const text of texts) {
    const parts = (rest + text).split("\n");
    rest = parts.pop() ?? "";
    for (const line of parts) yield* lines.read(line);
    // The incomplete line may already be too long.
    if (rest.length > maxLineChars) yield* lines.read(rest);
  }
  yield* lines.read(rest);
  lines.end();
}

function createLineReader(notes: ReadingNotes) {
  let line = 0;
  let number = 0;
  let isRepaired = false;
  let first: { readonly line: number; readonly failure: ReadFailure } | undefined;
  let broken = 0;
  const onRepair = () => {
    isRepaired = true;
  };
  return {
    read: function* (text: string): Generator<FoundRow, void, void> {
      line += 1;
      if (text.length > maxLineChars) throw new ReadFailure("unreadable", rowSentences.longLine(line, maxLineChars));
      const given = text.trim();
      // A list with one entry a line.
      const entry = given.replace(/,$/, "");
      if (entry === "" || entry === "[" || entry === "]") return;
      if (entry !== given) onRepair();
      // Only the first broken line is named. What can't be an object isn't parsed to find out where it is wrong.
      if (first !== undefined && !/^[{/]/.test(entry)) {
        broken += 1;
        return;
      }
      try {
        const cells = objectOf(parseJson(entry, { firstLine: line, onRepair }), line);
        number += 1;
        yield { cells, number };
      } catch (thrown) {
        if (!(thrown instanceof ReadFailure)) throw thrown;
        first ??= { line, failure: thrown };
        broken += 1;
      }
    },
    end: (): void => {
      if (first !== undefined && number === 0) throw first.failure;
      if (isRepaired) notes.add(says.repairedJson);
      if (first !== undefined)
        notes.add(
          `line ${numberText(first.line)}${broken === 1 ? "" : ` and ${countText(broken - 1, "other line")}`} left out: invalid JSON`,
        );
    },
  };
}

function listIn(parsed: unknown): readonly unknown[] {
  if (Array.isArray(parsed)) return parsed;
  return isObject(parsed) && Array.isArray(parsed["rows"]) ? parsed["rows"] : [parsed];
}

function objectOf(value: unknown, number: number): Readonly<Record<string, unknown>> {
  if (isObject(value)) return value;
  throw new ReadFailure("unreadable", `row ${number} isn't an object`);
}

/** Two lines are objects of their own. */
function areLines(text: string): boolean {
  return /^\s*\{.*\}[^\S\n]*\n\s*\{/.test(text.slice(0, maxLineChars));
}

/** `firstLine`: where the text starts within its file. Throws ReadFailure with line and column. */
function parseJson(
  text: string,
  { firstLine, onRepair }: { readonly firstLine: number; readonly onRepair: () => void },
): unknown {
  if (depthOf(text) > maxJsonDepth)
    throw new ReadFailure("unreadable", `its JSON is nested more than ${numberText(maxJsonDepth)} levels deep`);
  try {
    return JSON.parse(text);
  } catch {
    const offset = firstErrorIn(text);
    if (offset === undefined) {
      onRepair();
      return parse(text, [], tolerant);
    }
    const { line, column } = lineAndColumn(text, offset);
    throw new ReadFailure("unreadable", `invalid JSON at line ${firstLine + line - 1}, column ${column}`);
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

/** Stops at the first error: a text can have as many errors as characters. Undefined for none. */
function firstErrorIn(text: string): number | undefined {
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
    visit(text, { onError }, tolerant);
    return undefined;
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
