/** Rows that the child process wrote, a line of JSON each, read back a few at a time. */
import { createReadStream } from "node:fs";
import type { Row } from "./row-format.ts";

/** A row may be longer than that. */
const pieceBytes = 1024 * 1024;

export async function* readStoredRows(path: string): AsyncGenerator<Row, void, void> {
  let rest = "";
  // Not readline's lines: for it, a line separator inside of a text ends a line as well.
  for await (const piece of createReadStream(path, { encoding: "utf8", highWaterMark: pieceBytes })) {
    const lines = `${rest}${piece}`.split("\n");
    rest = lines.pop() ?? "";
    // Written by foreign-tasks.ts from a Row.
    for (const line of lines) yield JSON.parse(line) as Row;
  }
}
