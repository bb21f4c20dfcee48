/** The index of questions in SQLite: full-text search over hashed words, which finds combinations of them quickly. */
import { createHash } from "node:crypto";
import { maxFoundQuestions, neededTerms, type QuestionIndex } from "../../core/ports/storage/question-index.ts";
import { parseJson } from "../../core/tools/parse-json.ts";
import { questionRecord, readQuestion } from "../stored-question.ts";
import type { SqliteDatabase } from "./database.ts";

export function createSqliteQuestionIndex({ handle, read, write, damaged }: SqliteDatabase): QuestionIndex {
  const byId = handle.prepare("SELECT number FROM questions WHERE scope = ? AND id = ?");
  const removeWords = handle.prepare("DELETE FROM question_words WHERE rowid = ?");
  const remove = handle.prepare("DELETE FROM questions WHERE number = ?");
  const insert = handle.prepare(
    "INSERT INTO questions (scope, id, anchors, terms, size) VALUES (?, ?, ?, ?, ?) RETURNING number",
  );
  const insertWords = handle.prepare("INSERT INTO question_words (rowid, words) VALUES (?, ?)");
  const search = handle.prepare(
    `SELECT id, anchors, terms, size FROM questions
     WHERE number IN (SELECT rowid FROM question_words WHERE question_words MATCH ?) AND size BETWEEN ? AND ?
     ORDER BY id LIMIT ${maxFoundQuestions}`,
  );

  function removeNow(scope: string, id: string): void {
    const number = byId.get(scope, id)?.["number"];
    if (number === undefined) return;
    removeWords.run(number);
    remove.run(number);
  }

  return {
    put: async (scope, { id, anchors, terms, size }) => {
      const words = terms.map((term) => wordOf(scope, anchors, term)).join(" ");
      await write(() => {
        removeNow(scope, id);
        const number = insert.get(scope, id, anchors, JSON.stringify(terms), size)?.["number"];
        insertWords.run(Number(number), words);
      });
      damaged.remove(questionRecord(scope, id));
    },
    delete: async (scope, id) => {
      await write(() => removeNow(scope, id));
      damaged.remove(questionRecord(scope, id));
    },
    sharing: async (scope, form, bounds) => {
      const quoted = (term: string) => `"${wordOf(scope, form.anchors, term)}"`;
      const combinations = neededTerms(form, bounds).map((terms) => `(${terms.map(quoted).join(" AND ")})`);
      if (combinations.length === 0) return [];
      const rows = read(() => search.all(combinations.join(" OR "), bounds.minSize, bounds.maxSize));
      return rows.flatMap((row) => readQuestion(scope, storedQuestion(row), damaged) ?? []);
    },
  };
}

/** 64 bits: two of a million words that are equal only cost a comparison. */
function wordOf(scope: string, anchors: string, term: string): string {
  return createHash("sha1").update(`${scope}\n${anchors}\n${term}`).digest("hex").slice(0, 16);
}

/** Of a row of the table. */
export function storedQuestion(row: Readonly<Record<string, unknown>>) {
  const { id, anchors, terms, size } = row;
  return { id: String(id), anchors, terms: parseJson(String(terms)), size };
}
