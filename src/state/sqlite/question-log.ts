/**
 * The question log in SQLite: a table in the order of its lists. It is walked some thousand rows at a time, so that a
 * filter that hardly anything matches doesn't hold up the event loop. Triggers count the questions of each kind: a walk
 * that would find nothing is left out, because reading 200,000 rows from a disk takes up to a second.
 */
import { setImmediate as nextLoopTurn } from "node:timers/promises";
import type {
  QuestionCursor,
  QuestionEntry,
  QuestionFilter,
  QuestionLogStore,
} from "../../core/overview/question-log.ts";
import { parseJson } from "../../core/tools/parse-json.ts";
import { detailsOf, entryRecord, readEntry } from "../stored-entry.ts";
import type { SqliteDatabase } from "./database.ts";

/** Rows looked at in one go: about 2 ms. */
const perStep = 4_000;
const perPage = 500;
const removedPerWrite = 500;
const newest: QuestionCursor = { askedAtMs: Number.MAX_SAFE_INTEGER, id: "" };
/** Columns of question_log_counts. */
const countedBy: readonly (keyof QuestionFilter)[] = ["platform", "workspace", "agent", "outcome", "why"];

type Row = Readonly<Record<string, unknown>>;
type Value = string | number;
/** Interpolated from constants only; the values are bound. */
type Term = { readonly sql: string; readonly values: readonly Value[] };
type Walk = {
  readonly index: string;
  readonly base: Term;
  readonly rest: Term;
  /** Columns that `rest` compares. */
  readonly compared: readonly string[];
  readonly fromMs: number;
};

export function createSqliteQuestionLog({
  handle,
  read,
  write,
  writeDerived,
  damaged,
}: SqliteDatabase): QuestionLogStore {
  const insert = handle.prepare(
    `INSERT INTO question_log
     (asked_at_ms, id, ref, platform, workspace, channel, agent, outcome, why, up, down, asker, details)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const deleteById = handle.prepare("DELETE FROM question_log WHERE id = ?");
  const byId = handle.prepare("SELECT * FROM question_log WHERE id = ?");
  const pruneOld = handle.prepare(
    `DELETE FROM question_log WHERE (asked_at_ms, id) IN
     (SELECT asked_at_ms, id FROM question_log WHERE asked_at_ms < ? LIMIT ${removedPerWrite})`,
  );
  /** By their text: there are few kinds of filters. */
  const prepared = new Map<string, ReturnType<typeof handle.prepare>>();

  function prepare(sql: string) {
    const known = prepared.get(sql) ?? handle.prepare(sql);
    prepared.set(sql, known);
    return known;
  }

  /** How many questions match what a filter says of these columns. */
  function countOfKind(filter: QuestionFilter): number {
    const given = countedBy.flatMap((column) =>
      filter[column] === undefined ? [] : [{ column, value: filter[column] }],
    );
    const kind = ["TRUE", ...given.map(({ column }) => `${column} = ?`)].join(" AND ");
    const sum = `SELECT total(count) AS count FROM question_log_counts WHERE ${kind}`;
    return read(() => Number(prepare(sum).get(...given.map(({ value }) => value))?.["count"]));
  }

  function entryOf(row: Row): readonly QuestionEntry[] {
    const { details, asked_at_ms: askedAtMs, platform, workspace, channel, ...columns } = row;
    const found = parseJson(String(details));
    const own = typeof found === "object" && found !== null ? found : {};
    const { thread, ...rest } = own as { readonly thread?: unknown };
    const place = { platform, workspace, channel, thread };
    return readEntry({ ...rest, ...columns, askedAtMs, place }, String(row["id"]), damaged);
  }

  /** The next rows of a walk: what matches of them, and where they end. */
  function step(walk: Walk, after: QuestionCursor, what: string, most: number) {
    const { index, base, rest, compared, fromMs } = walk;
    // Whole rows are read only once they match.
    const columns = ["asked_at_ms", "id", ...compared].join(", ");
    const from = `FROM question_log ${index} WHERE ${base.sql}
      (asked_at_ms, id) < (?, ?) AND asked_at_ms >= ? ORDER BY asked_at_ms DESC, id DESC`;
    const values = [...base.values, after.askedAtMs, after.id, fromMs];
    return read(() => {
      const rows = prepare(
        `SELECT ${what} FROM (SELECT ${columns} ${from} LIMIT ${perStep}) WHERE ${rest.sql} LIMIT ?`,
      ).all(...values, ...rest.values, most);
      const last = prepare(`SELECT asked_at_ms, id ${from} LIMIT 1 OFFSET ${perStep - 1}`).get(...values);
      const end: QuestionCursor | undefined =
        last === undefined ? undefined : { askedAtMs: Number(last["asked_at_ms"]), id: String(last["id"]) };
      return { rows, end };
    });
  }

  /** At most `limit` rows that match, newest first. */
  async function find(filter: QuestionFilter, limit: number, after: QuestionCursor | undefined) {
    const found: Row[] = [];
    if (countOfKind(filter) === 0) return found;
    const walk = walkOf(filter);
    for (let from: QuestionCursor | undefined = startOf(filter, after); from !== undefined; ) {
      const { rows, end } = step(walk, from, "id", limit - found.length);
      found.push(...rows.flatMap(({ id }) => read(() => byId.all(String(id)))));
      if (found.length >= limit) break;
      from = end;
      if (from !== undefined) await nextLoopTurn();
    }
    return found;
  }

  const page: QuestionLogStore["page"] = async (filter, limit, after) => {
    // One more shows whether there is a next page.
    const found = await find(filter, limit + 1, after);
    const rows = found.slice(0, limit);
    const entries = rows.flatMap(entryOf);
    const last = found.length > limit ? rows.at(-1) : undefined;
    if (last === undefined) return { entries };
    return { entries, next: { askedAtMs: Number(last["asked_at_ms"]), id: String(last["id"]) } };
  };

  return {
    put: async (entries) => {
      await writeDerived(() => {
        for (const entry of entries) {
          const { id, ref, askedAtMs, place, agent = "", outcome, why = "", up, down, asker } = entry;
          const { platform, workspace, channel } = place;
          const facets = [platform, workspace, channel, agent, outcome, why, up, down, asker];
          // Replacing it would run no trigger for the row that goes.
          deleteById.run(id);
          insert.run(askedAtMs, id, ref, ...facets, JSON.stringify(detailsOf(entry)));
        }
      });
      for (const { id } of entries) damaged.remove(entryRecord(id));
    },
    remove: async (ids) => {
      await write(() => {
        for (const id of ids) deleteById.run(id);
      });
      for (const id of ids) damaged.remove(entryRecord(id));
    },
    get: async (id) => read(() => byId.all(id)).flatMap(entryOf)[0],
    page,
    count: async (filter, most) => {
      const ofKind = countOfKind(filter);
      if (ofKind === 0 || saysOnlyKind(filter)) return { count: Math.min(ofKind, most), isMore: ofKind > most };
      const walk = walkOf(filter);
      let count = 0;
      for (let from: QuestionCursor | undefined = startOf(filter, undefined); from !== undefined; ) {
        const { rows, end } = step(walk, from, "count(*) AS count", 1);
        count += Number(rows[0]?.["count"] ?? 0);
        if (count > most) return { count: most, isMore: true };
        from = end;
        if (from !== undefined) await nextLoopTurn();
      }
      return { count, isMore: false };
    },
    all: async function* (filter) {
      let after: QuestionCursor | undefined;
      do {
        const { entries, next } = await page(filter, perPage, after);
        yield* entries;
        after = next;
        await nextLoopTurn();
      } while (after !== undefined);
    },
    prune: async (beforeMs) => {
      let count = 0;
      for (let pruned = removedPerWrite; pruned === removedPerWrite; count += pruned) {
        pruned = await write(() => Number(pruneOld.run(beforeMs).changes));
      }
      return count;
    },
  };
}

function saysOnlyKind(filter: QuestionFilter): boolean {
  return Object.entries(filter).every(([name, value]) => value === undefined || countedBy.some((by) => by === name));
}

function startOf({ untilMs }: QuestionFilter, after: QuestionCursor | undefined): QuestionCursor {
  const start = untilMs === undefined ? newest : { askedAtMs: untilMs, id: "" };
  return after !== undefined && after.askedAtMs < start.askedAtMs ? after : start;
}

/** Walks by the index of the part that most likely leaves the fewest rows; the other parts are compared row by row. */
function walkOf(filter: QuestionFilter): Walk {
  const { fromMs = Number.MIN_SAFE_INTEGER, feedback, outcome } = filter;
  const parts: { readonly index: string; readonly term: Term }[] = [];
  const add = (index: string, sql: string, ...values: readonly Value[]) => parts.push({ index, term: { sql, values } });
  if (filter.ref !== undefined) add("question_log_by_ref", "ref = ?", filter.ref);
  if (filter.asker !== undefined) add("question_log_by_asker", "asker = ?", filter.asker);
  if (feedback === "down") add("question_log_down", "down > 0");
  if (feedback === "up") add("question_log_up", "up > 0");
  const { channel } = filter;
  // SQLite uses a partial index only if the query says the same.
  const notAnswered = "outcome <> 'answered' AND outcome = ?";
  if (outcome === undefined || outcome === "answered") {
    if (channel !== undefined) add("question_log_by_channel", "channel = ?", channel);
    if (outcome !== undefined) add("", "outcome = ?", outcome);
  } else if (channel === undefined) add("question_log_by_outcome", notAnswered, outcome);
  else add("question_log_by_channel_outcome", `channel = ? AND ${notAnswered}`, channel, outcome);
  if (filter.why !== undefined) add("", "why = ?", filter.why);
  if (filter.agent !== undefined) add("", "agent = ?", filter.agent);
  if (filter.workspace !== undefined) add("", "workspace = ?", filter.workspace);
  if (filter.platform !== undefined) add("", "platform = ?", filter.platform);
  const [first] = parts;
  const base = first === undefined || first.index === "" ? undefined : first;
  const rest = parts.filter((part) => part !== base).map(({ term }) => term);
  return {
    index: `INDEXED BY ${base?.index ?? "question_log_facets"}`,
    base: base === undefined ? { sql: "", values: [] } : { ...base.term, sql: `${base.term.sql} AND` },
    compared: [...new Set(rest.flatMap(({ sql }) => sql.match(/\b\w{1,40}(?= [=<>])/g) ?? []))],
    rest: { sql: ["TRUE", ...rest.map(({ sql }) => sql)].join(" AND "), values: rest.flatMap(({ values }) => values) },
    fromMs,
  };
}
