/** Reduces an answer to a hash of what it says, to tell whether it has changed: tables by rows, text by words. */
import { createHash } from "node:crypto";
import type { Table, TurnView } from "../../core/model/turn.ts";

/** Ends that say the same have the same one. Order of rows, case, punctuation and numbers of sources don't count. */
export function fingerprint(view: TurnView): string {
  return createHash("sha256").update(said(view)).digest("hex").slice(0, 32);
}

function said({ state, error, answer = "", answerTable, tables }: TurnView): string {
  // A failure is shown once, and so is the first answer after it.
  if (state !== "answered") return `${state} ${error?.code ?? ""}`;
  const rows = answerTable === undefined ? tables : [answerTable];
  const text = wordsOf(answer);
  // The agent words rows differently each time.
  return rows.some((table) => table.rows.length > 0) ? rows.map(rowsOf).join("\n\n") : text;
}

function rowsOf({ columns, rows, omittedRows = 0 }: Table): string {
  return JSON.stringify([columns, rows.map((row) => JSON.stringify(row)).toSorted(), omittedRows]);
}

function wordsOf(answer: string): string {
  const plain = answer.toLowerCase().replace(/\[\d+\]/g, " ");
  return (plain.match(/[\p{L}\p{N}]+(?:[.,:]\p{N}+)*/gu) ?? []).join(" ");
}
