/** Reads back the rows that the child process wrote, one line of JSON each. */
import { createReadStream } from "node:fs";
import type { Row } from "./row-format.ts";

/** A row may be longer than this. */
const pieceBytes = 1024 * 1024;

export async function* readStoredRows<T = Row>(path: string): AsyncGenerator<T, void, void> {
  let rest = "";
  // Not readline, which also splits at line separators inside a text.
  for await (const piece of createReadStream(path, { encoding: "utf8", highWaterMark: pieceBytes })) {
    const lines = `${rest}${piece}`.split("\n");
    rest = lines.pop() ?? "";
    // Written by foreign-child.ts.
    for (const line of lines) yield JSON.parse(line) as T;
  }
}
