/** Reads a question of the index as it is stored. A damaged one is skipped, like any other damaged record. */
import type { IndexedQuestion } from "../core/ports/storage/question-index.ts";
import { parseJson } from "../core/tools/parse-json.ts";
import type { DamagedRecords } from "./damaged-records.ts";

export type StoredQuestion = {
  readonly id: string;
  readonly anchors: unknown;
  readonly terms: unknown;
  readonly size: unknown;
};

/** Its name among damaged records. */
export const questionRecord = (scope: string, id: string): string => `questions/${scope}/${id}`;

/** Undefined, and noted: it is damaged. */
export function readQuestion(
  scope: string,
  { id, anchors, terms, size }: StoredQuestion,
  damaged: DamagedRecords,
): IndexedQuestion | undefined {
  const record = questionRecord(scope, id);
  if (typeof anchors === "string" && isTerms(terms) && Number.isInteger(size)) {
    damaged.remove(record);
    return { id, anchors, terms, size: Number(size) };
  }
  damaged.add(record, "It is not a question of the index.");
  return undefined;
}

/** What JSON says of a question; nothing of it if it isn't JSON of an object. */
export function questionInJson(id: string, json: string): StoredQuestion {
  const { anchors, terms, size } = Object(parseJson(json)) as Partial<StoredQuestion>;
  return { id, anchors, terms, size };
}

function isTerms(terms: unknown): terms is readonly string[] {
  return Array.isArray(terms) && terms.every((term) => typeof term === "string");
}
