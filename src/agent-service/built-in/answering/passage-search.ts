/**
 * Finds the best passages for a question. Full-text search proposes candidates by bm25, which alone prefers long lists
 * that repeat a word. The ranking uses how much of the question a passage covers, and whether its heading does.
 * Relevance is 0 to 1: 1 = every word is in the heading, about 0.5 = every word is in the text only.
 */
import type { DatabaseSync } from "node:sqlite";
import { baseWord } from "../storage/passage-store.ts";
import type { Search, Term } from "./question.ts";
import { isWeakWord } from "./stop-words.ts";
import { tellingWords } from "./words.ts";

export type FoundPassage = {
  readonly rowId: string;
  readonly knowledgeBaseId: number;
  readonly chunkIndex: number;
  readonly chunkCount: number;
  readonly sectionStart: number;
  readonly level: number;
  readonly startChar: number;
  readonly endChar: number;
  readonly content: string;
  readonly title: string;
  readonly url: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly updatedAt: string;
  /** It is a whole table, put together from its rows. */
  readonly isTable?: true;
  /** Absent for passages that were listed, not searched. */
  readonly relevance?: number;
};

export type PassageSearch = ReturnType<typeof createPassageSearch>;

const maxCandidates = 40;
const minCoverage = 0.4;
/** A word is common if this share of the passages has it, and there are at least so many of them. */
const commonShare = 0.8;
const minForCommon = 4;
/** Passages below this share of the best one's relevance are omitted. */
const minShare = 0.6;
/** Weight of a word in a parent heading or in the document's title, relative to the passage's own heading. */
const aboveShare = 0.6;

/** Most sections above a passage that are looked at. */
const maxAbove = 50;

/** Of words that many questions have. */
const weakShare = 0.25;
/** Weight of a synonym, relative to the word itself. */
const alikeShare = 0.7;

/** `having`: how many passages have the word, or one alike. */
type Weighed = { readonly term: Term; readonly having: number; readonly value: number };

/** Stems with one first letter that are read, those of them that are near a misspelt word, and passages of each. */
const maxStems = 20_000;
const maxLike = 20;
const maxOfStem = 5;
/** A stem is so much shorter than its word at most. */
const maxEnding = 6;

/** Scoring so many takes about 10 ms (2026-11). */
const maxScored = 10_000;

type Ranked = {
  readonly found: readonly FoundPassage[];
  /** By word. */
  readonly values: ReadonlyMap<string, number>;
};

type Places = Readonly<Record<"heading" | "above" | "body", ReadonlySet<unknown>>>;
const nowhere: ReadonlySet<unknown> = new Set();

const columns = `p.knowledge_base_id, p.row_id, p.chunk_index, p.chunk_count, p.section_start, p.level, p.start_char,
  p.end_char, p.content, p.title, p.url, p.metadata, p.updated_at`;

export function createPassageSearch(db: DatabaseSync) {
  const total = db.prepare("SELECT count(*) AS n FROM passages");
  const inBases = db.prepare(
    "SELECT count(*) AS n FROM passages WHERE knowledge_base_id IN (SELECT value FROM json_each(?))",
  );
  const matching = db.prepare("SELECT count(*) AS n FROM passage_words WHERE passage_words MATCH ?");
  const candidates = db.prepare(`
    WITH best AS MATERIALIZED (
      SELECT rowid AS id, rank FROM passage_words
      WHERE passage_words MATCH ? AND rank MATCH 'bm25(0, 6, 3, 1)' ORDER BY rank LIMIT ${maxCandidates}
    )
    SELECT best.id, best.rank, ${columns} FROM best JOIN passages p ON p.rowid = best.id ORDER BY best.rank`);
  const unranked = db.prepare(`
    WITH best AS MATERIALIZED (
      SELECT rowid AS id FROM passage_words WHERE passage_words MATCH ? LIMIT ${maxCandidates}
    )
    SELECT best.id, 0 AS rank, ${columns} FROM best JOIN passages p ON p.rowid = best.id`);
  // In which columns the words are: one that lacks them scores 0. Asking for a column itself would read every passage
  // that has the word elsewhere, and the range ends the reading early.
  const among = db.prepare(`
    SELECT rowid AS id, bm25(passage_words, 0, 1, 0, 0) AS heading, bm25(passage_words, 0, 0, 1, 0) AS above,
      bm25(passage_words, 0, 0, 0, 1) AS body
    FROM passage_words
    WHERE passage_words MATCH ? AND rowid BETWEEN ? AND ? AND rowid IN (SELECT value FROM json_each(?))`);
  const known = db.prepare(
    `SELECT p.rowid AS id, ${columns} FROM passages p WHERE p.rowid IN (SELECT value FROM json_each(?))`,
  );
  const following = db.prepare(`
    SELECT ${columns} FROM passages p
    WHERE p.knowledge_base_id = ? AND p.row_id = ? AND p.chunk_index >= ? ORDER BY p.chunk_index`);

  db.exec("CREATE VIRTUAL TABLE IF NOT EXISTS temp.passage_stems USING fts5vocab(main, passage_words, row)");
  const stemsFrom = db.prepare(`SELECT term FROM passage_stems WHERE term >= ? AND term < ? LIMIT ${maxStems}`);
  const byTitle = db.prepare(`
    SELECT ${columns} FROM passages p WHERE p.knowledge_base_id = ? AND p.title >= ? AND p.title < ? LIMIT ?`);
  const matched = db.prepare(`
    SELECT ${columns} FROM passages p
    WHERE p.rowid IN (SELECT rowid FROM passage_words WHERE passage_words MATCH ? LIMIT ?)`);
  const preceding = db.prepare(`
    SELECT ${columns} FROM passages p WHERE p.knowledge_base_id = ? AND p.row_id = ? AND p.chunk_index < ?
      AND p.chunk_index = p.section_start AND p.level > 0 AND p.level < ? ORDER BY p.chunk_index DESC LIMIT ${maxAbove}`);

  /**
   * Best first. Omits passages that cover less than `minCoverage` of the question's own words. Among many passages it
   * yields to the event loop between its queries, because this service shares its process with Parley.
   */
  async function search(bases: readonly number[], search: Search, limit: number): Promise<readonly FoundPassage[]> {
    const { found } = await rank(bases, search, minCoverage);
    // A person who asks for more has already seen the best one.
    const least = search.asksForMore ? 0 : (found[0]?.relevance ?? 0) * minShare;
    return found.filter((passage) => (passage.relevance ?? 0) >= least).slice(0, limit);
  }

  /** Without `leastCoverage`, passages to be judged by more than this search knows of words. Best first, and what each word weighs in these knowledge bases. */
  async function rank(bases: readonly number[], { terms }: Search, leastCoverage = 0): Promise<Ranked> {
    if (terms.length === 0 || bases.length === 0) return { found: [], values: new Map() };
    const weighed = await weigh(bases, terms);
    const values = new Map(weighed.map(({ term, value }) => [term.word, value]));
    const pause = async () => {
      if (isMuch(weighed)) await new Promise((resolve) => setImmediate(resolve));
    };
    await pause();
    const within = `base : ${matchOf(bases.map((id) => quoted(baseWord(id))))}`;
    const own = weighed.filter(({ term, having }) => term.weight >= 1 && having > 0);
    // Where every word is in thousands of passages, those that have all of them are as good as any.
    const isTooMuch = own.length > 0 && own.every(({ having }) => having > maxScored);
    const rows = isTooMuch
      ? unranked.all([within, ...own.map(({ term }) => matchOf(term.forms.filter(isExact)))].join(" AND "))
      : candidates.all([within, ...scored(weighed)].join(" AND "));
    if (rows.length === 0) return { found: [], values };
    const ids = rows.map((row) => Number(row["id"]));
    const range = [Math.min(...ids), Math.max(...ids), JSON.stringify(ids)] as const;
    const placesOf = async (words: readonly string[]): Promise<Places> => {
      if (words.length === 0) return { heading: nowhere, above: nowhere, body: nowhere };
      await pause();
      const having = among.all(matchOf(words), ...range);
      const idsIn = (place: keyof Places) => new Set(having.flatMap((row) => (row[place] === 0 ? [] : [row["id"]])));
      return { heading: idsIn("heading"), above: idsIn("above"), body: idsIn("body") };
    };
    const places: { readonly own: Places; readonly alike: Places }[] = [];
    for (const { term } of weighed) {
      const own = await placesOf(term.forms.filter(isExact));
      places.push({ own, alike: await placesOf(term.alternatives.map(quoted)) });
    }
    await pause();
    const bestRank = Math.min(...rows.map((row) => Number(row["rank"])));

    const common = await commonAmong(bases, weighed, pause);

    const found: FoundPassage[] = [];
    for (const row of rows) {
      const id = row["id"];
      const sums = { all: 0, any: 0, heading: 0, headingWords: 0, own: 0, ownAny: 0, asked: 0, askedAny: 0 };
      for (const [index, { term, value }] of weighed.entries()) {
        const inHeading = shareIn("heading", index, id);
        const inAbove = shareIn("above", index, id);
        const anywhere = Math.max(inHeading, inAbove, shareIn("body", index, id));
        sums.all += value;
        sums.any += value * anywhere;
        sums.heading += value * Math.max(inHeading, inAbove * aboveShare);
        sums.headingWords += inHeading;
        if (term.weight < 1) continue;
        sums.own += value;
        sums.ownAny += value * anywhere;
        if (common.has(term)) continue;
        sums.asked += value;
        sums.askedAny += value * anywhere;
      }
      // "Who is the CEO of Acme?": in Acme's handbook, a passage that has "Acme" alone isn't an answer.
      if (leastCoverage > 0 && sums.asked > 0 && sums.askedAny === 0) continue;
      if (sums.own > 0 && sums.ownAny / sums.own < leastCoverage) continue;
      const passage = passageOf(row);
      const headingLength = tellingWords(headingOf(passage)).length;
      const rank = bestRank === 0 ? 0 : Number(row["rank"]) / bestRank;
      const match = 0.4 + 0.15 * rank + 0.3 * (sums.heading / sums.all);
      const precision = 0.15 * Math.min(1, sums.headingWords / Math.max(1, headingLength));
      found.push({ ...passage, relevance: round((sums.any / sums.all) * (match + precision)) });
    }
    /** 1 if the word is there, less for a synonym. */
    function shareIn(place: keyof Places, index: number, id: unknown): number {
      if (places[index]?.own[place].has(id) === true) return 1;
      return places[index]?.alike[place].has(id) === true ? alikeShare : 0;
    }

    found.sort((a, b) => (b.relevance ?? 0) - (a.relevance ?? 0));
    return { found, values };
  }

  /**
   * What a passage has to match to be scored, which takes most of the time of a search. Among many passages, those without
   * the rarer words are left out: with the other words alone, they would cover too little of the question. bm25 gives
   * nothing for words that half of the passages have.
   */
  function scored(weighed: readonly Weighed[]): readonly string[] {
    const every = matchOf(weighed.flatMap(({ term }) => allWords(term)));
    if (!isMuch(weighed)) return [every];
    const own = weighed.filter(({ term }) => term.weight >= 1).toSorted((a, b) => b.value - a.value);
    let left = own.reduce((sum, { value }) => sum + value, 0);
    const least = left * minCoverage;
    const rarest: Term[] = [];
    for (const { term, value } of own) {
      if (left < least) break;
      rarest.push(term);
      left -= value;
    }
    // The common ones among them would have most passages scored.
    const few = own.filter(({ having }) => having > 0 && having <= maxScored).map(({ term }) => term);
    if (few.length > 0) return [matchOf(few.flatMap(allWords))];
    if (rarest.length === 0) return [every];
    const half = Number(total.get()?.["n"]) / 2;
    const telling = weighed.filter(({ term, having }) => having < half || rarest.includes(term));
    return [matchOf(rarest.flatMap(allWords)), matchOf(telling.flatMap(({ term }) => allWords(term)))];
  }

  /** Words that nearly every passage has: they say where the person looks, not what for. */
  async function commonAmong(
    bases: readonly number[],
    weighed: readonly Weighed[],
    pause: () => Promise<void>,
  ): Promise<ReadonlySet<Term>> {
    const count = Number(inBases.get(JSON.stringify(bases))?.["n"]);
    const common = new Set<Term>();
    if (count < minForCommon) return common;
    const least = count * commonShare;
    const within = `base : ${matchOf(bases.map((id) => quoted(baseWord(id))))}`;
    for (const { term, having } of weighed) {
      // Counted only if enough passages have it at all.
      if (term.weight < 1 || having < least) continue;
      await pause();
      if (Number(matching.get(`${within} AND ${matchOf(term.forms)}`)?.["n"]) >= least) common.add(term);
    }
    return common;
  }

  /** Weighs words by their rarity in these knowledge bases. One that is found nowhere counts like the rarest one found. */
  async function weigh(bases: readonly number[], terms: readonly Term[]): Promise<readonly Weighed[]> {
    const count = Number(total.get()?.["n"]);
    const within = Number(inBases.get(JSON.stringify(bases))?.["n"]);
    const base = `base : ${matchOf(bases.map((id) => quoted(baseWord(id))))}`;
    const counted: { readonly term: Term; readonly having: number; readonly rarity: number | undefined }[] = [];
    for (const term of terms) {
      const having = Number(matching.get(matchOf(allWords(term)))?.["n"]);
      const among =
        within === count || having === 0
          ? having
          : Number(matching.get(`${base} AND ${matchOf(allWords(term))}`)?.["n"]);
      const rarity = among === 0 ? undefined : Math.log(1 + (within - among + 0.5) / (among + 0.5)) + 0.2;
      counted.push({ term, having, rarity });
      if (having > maxScored) await new Promise((resolve) => setImmediate(resolve));
    }
    const rarest = Math.max(...counted.map(({ rarity }) => rarity ?? 0));
    return counted.map(({ term, having, rarity }) => {
      const share = isWeakWord(term.word) ? weakShare : 1;
      return { term, having, value: term.weight * share * (rarity ?? rarest) };
    });
  }

  /** Whether a passage of the knowledge bases has the word, or one alike. */
  function isKnown(bases: readonly number[], term: Term): boolean {
    const within = `base : ${matchOf(bases.map((id) => quoted(baseWord(id))))}`;
    // A beginning is stemmed again, to one that begins other words too.
    return matched.get(`${within} AND ${matchOf(allWords(term).filter(isExact))}`, 1) !== undefined;
  }

  /** Passages with words that begin nearly like it. */
  function spelledLike(bases: readonly number[], word: string): readonly FoundPassage[] {
    const first = word.charAt(0);
    const stems = stemsFrom.all(first, `${first}\u{10FFFF}`).map((row) => String(row["term"]));
    const like = stems.filter((stem) => beginsLike(word, stem)).slice(0, maxLike);
    if (like.length === 0) return [];
    const within = `base : ${matchOf(bases.map((id) => quoted(baseWord(id))))}`;
    return like.flatMap((stem) =>
      matched.all(`${within} AND {heading above body} : ${quoted(stem)}`, maxOfStem).map(passageOf),
    );
  }

  return {
    search,
    rank,
    isKnown,
    spelledLike,
    /** Whose title begins so. */
    titled: (knowledgeBaseId: number, beginning: string, limit: number): readonly FoundPassage[] =>
      byTitle.all(knowledgeBaseId, beginning, `${beginning}\u{10FFFF}`, limit).map(passageOf),
    /** The first rows of files with several. */
    firstRows: (knowledgeBaseId: number, limit: number): readonly FoundPassage[] =>
      matched.all(`base : "${baseWord(knowledgeBaseId)}" AND heading : "row 1"`, limit).map(passageOf),
    /** In the order of insertion. */
    list: (knowledgeBaseId: number, limit: number, rowIds?: readonly string[]) => {
      const condition = rowIds === undefined ? "" : "AND p.row_id IN (SELECT value FROM json_each(?))";
      const query = db.prepare(
        `SELECT ${columns} FROM passages p WHERE p.knowledge_base_id = ? ${condition} ORDER BY p.rowid LIMIT ?`,
      );
      const values = rowIds === undefined ? [] : [JSON.stringify(rowIds)];
      return query.all(knowledgeBaseId, ...values, limit).map(passageOf);
    },
    /** In the order of the ids; deleted ones are missing. */
    byIds: (ids: readonly number[]): readonly FoundPassage[] => {
      const found = new Map(known.all(JSON.stringify(ids)).map((row) => [Number(row["id"]), passageOf(row)]));
      return ids.flatMap((id) => found.get(id) ?? []);
    },
    /** All pieces of a passage's section, and its subsections. */
    section: (passage: FoundPassage): readonly FoundPassage[] => {
      const { knowledgeBaseId, rowId, sectionStart, level } = passage;
      const section: FoundPassage[] = [];
      for (const next of following.all(knowledgeBaseId, rowId, sectionStart).map(passageOf)) {
        const isSame = next.sectionStart === sectionStart;
        // The whole document is below its title, and isn't one section.
        if (!isSame && (level <= 1 || next.level <= level)) break;
        section.push(next);
      }
      return section;
    },
    /** The first pieces of the sections around a passage, innermost first. */
    above: ({ knowledgeBaseId, rowId, sectionStart, level }: FoundPassage): readonly FoundPassage[] => {
      const found: FoundPassage[] = [];
      for (const before of preceding.all(knowledgeBaseId, rowId, sectionStart, level).map(passageOf)) {
        if (before.level < (found.at(-1)?.level ?? level)) found.push(before);
      }
      return found;
    },
  };
}

/** But for one letter, or two that changed places; the ending may be any. */
function beginsLike(word: string, stem: string): boolean {
  if (stem.length < 4 || stem.length > word.length + 1 || word.length > stem.length + maxEnding) return false;
  let same = 0;
  while (same < stem.length && stem[same] === word[same]) same += 1;
  const rests = [
    [stem.slice(same + 1), word.slice(same)],
    [stem.slice(same), word.slice(same + 1)],
    [stem.slice(same + 1), word.slice(same + 1)],
    [stem.slice(same + 2), word.slice(same + 2)],
  ] as const;
  return rests.some(([rest, of]) => of.startsWith(rest));
}

function isMuch(weighed: readonly Weighed[]): boolean {
  return weighed.reduce((sum, { having }) => sum + having, 0) > maxScored;
}

/** Looking the beginnings of words up in single passages takes long. */
function isExact(form: string): boolean {
  return !form.endsWith("*");
}

function allWords({ forms, alternatives }: Term): readonly string[] {
  return [...forms, ...alternatives.map(quoted)];
}

/** Double quotes keep a phrase from being syntax. The tokenizer splits and stems it. */
function quoted(words: string): string {
  return `"${words.replaceAll('"', "")}"`;
}

function matchOf(phrases: readonly string[]): string {
  return `(${phrases.join(" OR ")})`;
}

/** The title without the document's name in parentheses at its end. */
export function headingOf({ level, title }: FoundPassage): string {
  if (level === 0 || !title.endsWith(")")) return title;
  const open = title.indexOf(" (", title.lastIndexOf(")", title.length - 2) + 1);
  return open < 0 ? title : title.slice(0, open);
}

function round(value: number): number {
  return Math.round(Math.min(1, value) * 10_000) / 10_000;
}

function passageOf(row: Readonly<Record<string, unknown>>): FoundPassage {
  return {
    knowledgeBaseId: Number(row["knowledge_base_id"]),
    rowId: String(row["row_id"]),
    chunkIndex: Number(row["chunk_index"]),
    chunkCount: Number(row["chunk_count"]),
    sectionStart: Number(row["section_start"]),
    level: Number(row["level"]),
    startChar: Number(row["start_char"]),
    endChar: Number(row["end_char"]),
    content: String(row["content"]),
    title: String(row["title"]),
    url: String(row["url"]),
    metadata: JSON.parse(String(row["metadata"])) as Record<string, unknown>,
    updatedAt: String(row["updated_at"]),
  };
}
