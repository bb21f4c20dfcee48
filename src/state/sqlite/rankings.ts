/** Rankings in SQLite: one table of lists, of which a page is read by an index. */
import type { Ranked, Rankings } from "../../core/ports/storage/rankings.ts";
import type { SqliteDatabase } from "./database.ts";

export function createSqliteRankings({ handle, read, write }: SqliteDatabase): Rankings {
  const put = handle.prepare(
    `INSERT INTO rankings (list, member, score) VALUES (?1, ?2, ?3)
     ON CONFLICT (list, member) DO UPDATE SET score = ?3`,
  );
  const remove = handle.prepare("DELETE FROM rankings WHERE list = ? AND member = ?");
  const highest = handle.prepare(
    "SELECT member, score FROM rankings WHERE list = ? ORDER BY score DESC, member DESC LIMIT ?3 OFFSET ?2",
  );
  const below = handle.prepare(
    "SELECT member, score FROM rankings WHERE list = ? AND score < ? ORDER BY score DESC, member DESC LIMIT ?",
  );
  const upTo = handle.prepare(
    "SELECT member, score FROM rankings WHERE list = ? AND score <= ? ORDER BY score, member LIMIT ?",
  );
  const count = handle.prepare("SELECT count(*) AS count FROM rankings WHERE list = ?");
  const ranked = (row: Record<string, unknown>): Ranked => ({
    member: String(row["member"]),
    score: Number(row["score"]),
  });

  return {
    put: async (list, member, score) => {
      await write(() => put.run(list, member, score));
    },
    delete: async (list, member) => {
      await write(() => remove.run(list, member));
    },
    highest: async (list, from, most) => read(() => highest.all(list, from, most).map(ranked)),
    below: async (list, score, most) => read(() => below.all(list, score, most).map(ranked)),
    upTo: async (list, score, most) => read(() => upTo.all(list, score, most).map(ranked)),
    count: async (list) => read(() => Number(count.get(list)?.["count"])),
  };
}
