/** Which columns of a table a question names, by the words of their names. Pure. */
import { oneOf, wordsOf } from "../../../../core/languages/languages.ts";
import { stemOf } from "../../../../core/text/stems.ts";
import { isStopWord } from "../stop-words.ts";
import { folded, likeness, readWords, type Word } from "../words.ts";
import type { Table } from "./table.ts";

const qualifier = oneOf(wordsOf("tables", "qualifiers"));

export function isQualifier(word: string): boolean {
  return qualifier.test(word);
}

/** A column is named by its words; where several have one, by that which has least beside it. */
export function namedColumns(
  table: Table,
  words: readonly Word[],
): readonly { readonly column: number; readonly at: number }[] {
  const parts = [...table.columns.keys()].map((column) => partsOf(table, column));
  const named = words.flatMap(({ word }, at) => {
    // "Vollmilch" is what is in a cell, not the column "Milch".
    if (isStopWord(word) || table.rows.some((row) => row.some((cell) => folded(cell) === word))) return [];
    return parts.flatMap((own, column) => (own.some((part) => isAlike(word, part)) ? [{ column, at }] : []));
  });
  const share = (column: number) => {
    const own = parts[column] ?? [];
    return own.filter((part) => words.some(({ word }) => isAlike(word, part))).length / Math.max(1, own.length);
  };
  // "Members" are more than the new ones.
  const isQualified = (column: number) =>
    (parts[column] ?? []).every((part) => !isQualifier(part) || words.some(({ word }) => isAlike(word, part)));
  const best = named
    .filter(({ column }) => isQualified(column))
    .filter(({ column, at }) => named.every((other) => other.at !== at || share(other.column) <= share(column)));
  return best.toSorted((a, b) => share(b.column) - share(a.column) || a.at - b.at);
}

function isAlike(word: string, part: string): boolean {
  return likeness(word, part) >= 0.7 || isDoer(part, word);
}

/** "owner" for "who owns it?", "setter" for "who set it?". */
function isDoer(part: string, verb: string): boolean {
  const root = /^(\p{L}{2,})[eo]r$/u.exec(part)?.[1];
  if (root === undefined) return false;
  return [root, `${root}e`, root.slice(0, -1)].includes(stemOf(verb, "en"));
}

export function partsOf({ columns }: Table, column: number): readonly string[] {
  const words = readWords(plainName(columns[column]?.name ?? "")).map(({ word }) => word);
  // "Beitraege" is written for "Beiträge", which is read without its dots.
  const plain = words.map((word) => word.replace(/([aou])e/g, "$1"));
  return [...new Set([...words, ...plain])].filter((word) => !isStopWord(word));
}

/** "new_members", "unitPrice", "Preis (Euro)". */
function plainName(name: string): string {
  return name.replace(/[_/()-]+/g, " ").replace(/(?<=\p{Ll})(?=\p{Lu})/gu, " ");
}
