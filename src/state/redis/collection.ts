/** A collection on Redis: hashes of what is stored, and a sorted set for each value of each index. */
import type { AnyDefinition, FieldValue, IndexDefinition } from "../../core/ports/collection.ts";
import { parseJson } from "../../core/tools/parse-json.ts";
import type { CollectionBackend, FoundRow, Position, Row, Search } from "../collections.ts";
import { groupsScript, removeScript, walkScript, wordsScript, writeScript } from "./collection-scripts.ts";
import { keyPrefix, type RedisConnection, scanKeys } from "./connection.ts";

/** Records looked at by one call: about 3 ms of Redis. Lua's unpack takes at most 8,000. */
const perStep = 3_000;
/** Records read by one call: 2 MB if each is 10 kB. */
const readAtOnce = 200;
const groupsAtOnce = 200;
/** Of the highest records: what is searched by words is recent, and words take more memory than the records. */
const usualWorded = 20_000;

/** Keys of a collection begin with it and the name in braces, which puts them into one hash slot. */
export const collectionsPrefix = `${keyPrefix}{`;
/** The hash of a collection's records. */
export const recordsOf = (name: string): string => `${collectionsPrefix}${name}}:records`;

/** Of all collections that have records. */
export async function collectionNames(connection: Pick<RedisConnection, "run">): Promise<readonly string[]> {
  const found = new Set<string>();
  for await (const keys of scanKeys(connection, recordsOf("*"))) {
    for (const key of keys) found.add(key.slice(collectionsPrefix.length).split("}")[0] ?? "");
  }
  return [...found];
}

/** JSON has no tab and no line end, and tells 1 from "1". */
const part = (field: string, value: FieldValue) => `\t${field}=${JSON.stringify(value)}\t`;
const valuesText = (values: readonly FieldValue[]) => JSON.stringify(values);

type Walked = readonly [isEnd: number, order: string, id: string, count: number, found: readonly string[]];

export function createRedisCollection(
  { run, evaluate }: RedisConnection,
  name: string,
  definition: AnyDefinition,
): CollectionBackend {
  const prefix = `${collectionsPrefix}${name}}:`;
  const { indexes, text } = definition;
  const numberOf = ({ by, order }: IndexDefinition<string>) =>
    indexes.findIndex((index) => index.order === order && valuesText(index.by) === valuesText(by));
  const setOf = (index: IndexDefinition<string>, values: readonly FieldValue[]) =>
    `index:${numberOf(index)}:${valuesText(values)}`;

  /** The sorted sets that have a record with these fields, and its score in each. */
  function setsOf(fields: Readonly<Record<string, FieldValue>>): readonly string[] {
    return indexes.flatMap((index) => {
      const values = index.by.map((field) => fields[field]).filter((value) => value !== undefined);
      const order = fields[index.order];
      return values.length < index.by.length || order === undefined ? [] : [setOf(index, values), String(order)];
    });
  }

  /** The sorted sets that have everything that matches, and whether each has nothing else. */
  function walkedSets({ where, indexes: usable, words }: Search): readonly [string[], string[]] {
    const given = Object.keys(where).length;
    const word = onlyWordOf(words);
    if (word !== undefined) return [[`${prefix}word:${wordOf(word)}`], [given === 0 ? "1" : "0"]];
    const keyOf = (index: IndexDefinition<string>) =>
      prefix +
      setOf(
        index,
        index.by.map((field) => where[field] ?? ""),
      );
    const whole = usable.find(({ by }) => by.length === given);
    return whole === undefined ? [usable.map(keyOf), usable.map(() => "0")] : [[keyOf(whole)], ["1"]];
  }

  /** Some calls, each with at most so many found, until the walk ends or `most` are found. */
  async function walk(
    search: Search,
    how: "count" | "ids" | "read",
    most: number,
  ): Promise<readonly [number, readonly string[]]> {
    const { where, after } = search;
    const [keys, isWhole] = walkedSets(search);
    const parts = Object.entries(where).map(([field, value]) => part(field, value));
    const all: string[] = [];
    let count = 0;
    for (let position = after; ; ) {
      const wanted = Math.min(most - count, how === "read" ? readAtOnce : most);
      const place = [position?.order ?? "", position?.id ?? "", perStep, wanted, how].map(String);
      const args = [...rangeOf(search), ...place, ...isWhole, ...parts];
      const [isEnd, order, id, matched, found] = (await evaluate(walkScript, [prefix, ...keys], args)) as Walked;
      count += matched;
      all.push(...found);
      if (isEnd === 1 || count >= most) return [count, all];
      position = { order: Number(order), id };
    }
  }

  async function findByWords(search: Search, words: readonly (readonly string[])[], limit: number) {
    if (words.length === 0) return [];
    const { where, after } = search;
    const parts = Object.entries(where).map(([field, value]) => part(field, value));
    const place = [after?.order ?? "", after?.id ?? "", limit, parts.length].map(String);
    const args = [...rangeOf(search), ...place, ...parts, ...words.map((list) => list.map(wordOf).join("\n"))];
    return foundRows((await evaluate(wordsScript, [prefix], args)) as readonly string[]);
  }

  return {
    write: async ({ id, over, fence, json, fields, words }) => {
      const line = Object.entries(fields).map(([field, value]) => part(field, value));
      const sets = setsOf(fields);
      const order = text === undefined ? undefined : fields[text.order];
      const own = order === undefined ? [] : words.map(wordOf);
      const args = [id, over, fence ?? "", json, line.join(""), sets.length / 2, ...sets].map(String);
      const worded = [order ?? 0, text?.newest ?? usualWorded].map(String);
      const [version, row] = (await evaluate(writeScript, [prefix], [...args, ...worded, ...own])) as [string, string?];
      if (version !== "") return { version: Number(version) };
      return { instead: typeof row === "string" ? rowOf(id, row) : undefined };
    },
    read: async (id) => {
      const row = await run((client) => client.hGet(recordsOf(name), id));
      return typeof row === "string" ? rowOf(id, row) : undefined;
    },
    remove: async (id, version) =>
      Number(await evaluate(removeScript, [prefix], [id, version === undefined ? "" : String(version)])) === 1,
    find: async (search, limit) => {
      if (isByWords(search)) return await findByWords(search, search.words, limit);
      return foundRows((await walk(search, "read", limit))[1]);
    },
    ids: async (search, limit) => {
      if (isByWords(search)) {
        const rows = await findByWords(search, search.words, limit);
        return rows.map(({ id, order }) => ({ id, order }));
      }
      return positionsIn((await walk(search, "ids", limit))[1]);
    },
    count: async (search, most) => {
      if (isByWords(search)) return (await findByWords(search, search.words, most + 1)).length;
      return (await walk(search, "count", most + 1))[0];
    },
    groups: async (index, range) => {
      const found: (readonly [value: string, count: number, order: string, id: string])[] = [];
      for (let after = "", read = groupsAtOnce; read === groupsAtOnce; ) {
        const args = [numberOf(index), bound(range.from), bound(range.until), after, groupsAtOnce].map(String);
        const page = (await evaluate(groupsScript, [prefix], args)) as typeof found;
        found.push(...page);
        read = page.length;
        after = page.at(-1)?.[0] ?? "";
      }
      return found.flatMap(([value, count, order, id]) => {
        const own = parseJson(value) as readonly FieldValue[];
        const values = Object.fromEntries(index.by.map((field, at) => [field, own[at] ?? ""]));
        return count === 0 ? [] : [{ values, count, newest: { id, order: Number(order) } }];
      });
    },
    pages: async function* () {
      for (let cursor = "0"; ; ) {
        const page = await run((client) => client.hScan(recordsOf(name), cursor, { COUNT: readAtOnce }));
        yield page.entries.map(({ field, value }) => rowOf(field, value));
        cursor = String(page.cursor);
        if (cursor === "0") return;
      }
    },
  };
}

/** A row that isn't "VERSION FENCE JSON" is damaged: none of it is taken for JSON. */
export function rowOf(id: string, row: string): Row {
  const [, version = "0", fence = "0", json = ""] = /^(\d{1,16}) (\d{1,16}) (.*)$/s.exec(row) ?? [];
  return { id, version: Number(version), fence: Number(fence), json };
}

/** Of ids and orders in turn. */
function positionsIn(flat: readonly string[]): readonly Position[] {
  return Array.from({ length: flat.length / 2 }, (_, at) => ({
    id: flat[2 * at] ?? "",
    order: Number(flat[2 * at + 1]),
  }));
}

/** Of ids, orders and rows in turn. A row is empty if its record is gone. */
function foundRows(flat: readonly string[]): readonly FoundRow[] {
  const rows: FoundRow[] = [];
  for (let at = 0; at < flat.length; at += 3) {
    const [id = "", order = "", row = ""] = flat.slice(at, at + 3);
    if (row !== "") rows.push({ ...rowOf(id, row), order: Number(order) });
  }
  return rows;
}

const bound = (value: number) => (Number.isFinite(value) ? String(value) : value < 0 ? "-inf" : "+inf");
const rangeOf = ({ from, until, isAscending }: Search) => [bound(from), bound(until), isAscending ? "up" : "down"];
type Words = readonly (readonly string[])[];

/** A word has a sorted set, so that records with one word are found as by an index. */
function onlyWordOf(words: Words | undefined): string | undefined {
  const [[word, ...more] = [], ...others] = words ?? [];
  return more.length + others.length === 0 ? word : undefined;
}

const isByWords = (search: Search): search is Search & { readonly words: Words } =>
  search.words !== undefined && onlyWordOf(search.words) === undefined;

/** A word ends at a line end in the scripts. */
const wordOf = (word: string) => JSON.stringify(word);
