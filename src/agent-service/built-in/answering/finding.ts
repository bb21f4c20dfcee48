/** Finds the sections that answer a question, each of them alone, among those that only have words of it. */
import { type Coverage, coverageOf, type Section } from "./coverage.ts";
import { type FoundPassage, headingOf, type PassageSearch } from "./passage-search.ts";
import { ownSearch, readQuestion, type Search } from "./question.ts";
import { withoutTables } from "./tables/table.ts";
import { type AnsweringTable, answeringTable } from "./tables/table-answers.ts";
import { fileOf, hasOwnText } from "./tables/whole-tables.ts";

type Base = { readonly id: number; readonly name: string };

export type Finding = {
  readonly table?: AnsweringTable;
  /** Best first. */
  readonly answering: readonly FoundPassage[];
  /** What has words of the question. */
  readonly others: readonly FoundPassage[];
};

/** Most passages of one knowledge base that are judged. */
const maxJudged = 25;
/** A section that is longer is judged piece by piece: its words stand too far apart. */
export const maxSectionChars = 4_500;
/** Of sections that answer, those whose headings fit far less than the best one's only mention it. */
const minRelevanceShare = 0.6;

/** A section has to cover this much of the question where rows of a table have all of it. */
const minBesideTable = 0.9;

/** `isExpected`: whether the conversation is about a passage's page already. */
export async function findAnswers(
  passages: PassageSearch,
  base: Base,
  search: Search,
  isExpected: (passage: FoundPassage) => boolean = () => false,
): Promise<Finding> {
  const own = ownSearch(search);
  const hasBorrowed = own.terms.length < search.terms.length;
  // What one section answers in the question's own words borrows nothing.
  if (hasBorrowed) {
    // A single word may also be the title of a section about something else: "and children?" of prices.
    const together = own.terms.length === 1 ? await judged(passages, base, search, isExpected) : undefined;
    if (together !== undefined && together.answering.length > 0) return together;
    // The one section that has the word, and what was asked for beside it: "and the deposit?" of prices.
    const only = own.terms.length === 1 && search.asked !== undefined ? { ...own, asked: search.asked } : undefined;
    const there = only && (await judged(passages, base, only, isExpected));
    if (there?.answering.length === 1 && there.others.length === 0) return there;
    const alone = await judged(passages, base, own, isExpected);
    if (alone.answering.length > 0 && standsAlone(passages, own, alone.answering[0])) return alone;
  }
  return judged(passages, base, search, isExpected);
}

/** A single word stands alone only where a section is about it: its heading says nothing else. */
function standsAlone(passages: PassageSearch, own: Search, first: FoundPassage | undefined): boolean {
  if (own.terms.length > 1 || first === undefined) return own.terms.length > 1;
  const { heading } = sectionOf(passages, first, "");
  return coverageOf(own, new Map(own.terms.map(({ word }) => [word, 1])), { heading, above: "", text: "a b" }).answers;
}

async function judged(
  passages: PassageSearch,
  base: Base,
  search: Search,
  isExpected: (passage: FoundPassage) => boolean,
): Promise<Finding> {
  const { found, values } = await passages.rank([base.id], search);
  const candidates = found.slice(0, maxJudged);
  const table = answeringTable(passages, base, search, candidates);
  const rated = candidates.map((passage) => {
    const section = { ...sectionOf(passages, passage, base.name), isExpected: isExpected(passage) };
    return { passage, coverage: isRow(passage) ? noCoverage : coverageOf(search, values, section) };
  });
  // What covers as much goes by how well its heading fits.
  const rating = ({ passage, coverage }: (typeof rated)[number]) => coverage.share + (passage.relevance ?? 0);
  const covering = rated.filter(({ coverage }) => coverage.answers).sort((a, b) => rating(b) - rating(a));
  // Rows that were chosen have every word of the question; a section that lacks one is less.
  const isLess = table !== undefined && (covering[0]?.coverage.share ?? 0) < minBesideTable;
  const answering = isLess ? [] : covering;
  const least = (answering[0]?.passage.relevance ?? 0) * minRelevanceShare;
  return {
    table,
    answering: answering
      .filter(({ passage }, at) => at === 0 || (passage.relevance ?? 0) >= least)
      .map((one): FoundPassage => ({ ...one.passage, relevance: rating(one) / 2 })),
    others: rated.filter(({ coverage }) => !coverage.answers).map(({ passage }) => passage),
  };
}

/** Judges passages of a knowledge base, however they were found. */
export async function judgeOf(
  passages: PassageSearch,
  base: Base,
  search: Search,
): Promise<(passage: FoundPassage) => Coverage> {
  const { found, values } = await passages.rank([base.id], search);
  const table = answeringTable(passages, base, search, found.slice(0, maxJudged));
  return (passage) => {
    const name = tableName(passage);
    const coverage = coverageOf(search, values, sectionOf(passages, passage, base.name));
    const isInSection = passage.rowId === table?.passage.rowId && passage.sectionStart === table.passage.sectionStart;
    if (name === undefined) return { ...coverage, answers: coverage.answers || isInSection };
    // Its words may be of rows that have nothing to do with each other.
    return { ...coverage, answers: table !== undefined && tableName(table.passage) === name };
  };
}

const noCoverage: Coverage = { answers: false, share: 0, mayAnswer: false };

/** A row is judged by its columns, as a part of its table. */
function isRow(passage: FoundPassage): boolean {
  return fileOf(passage) !== undefined && !hasOwnText(passage);
}

/** Of a whole table, or of one of its rows. */
function tableName(passage: FoundPassage): string | undefined {
  if (passage.isTable === true) return passage.title;
  return isRow(passage) ? fileOf(passage) : undefined;
}

/** What a passage's section says, as far as it would be quoted. */
function sectionOf(passages: PassageSearch, passage: FoundPassage, baseName: string): Section {
  const { sectionStart, level } = passage;
  const pieces = passages.section(passage).filter((piece) => piece.sectionStart === sectionStart);
  const [first = passage] = pieces;
  const chars = pieces.reduce((sum, { content }) => sum + content.length, 0);
  const shown = chars > maxSectionChars ? [passage] : pieces;
  const parents = passages.above(passage).map(headingLine);
  const title = level === 0 ? [] : [passage.title];
  return {
    // The number of a row says nothing about what is in it.
    heading: level === 0 ? (fileOf(passage) ?? headingOf(passage)) : headingLine(first),
    above: [...parents, ...title, baseName].join("\n"),
    base: baseName.replaceAll("_", " "),
    // Its tables answer only as such: words of a row needn't have to do with each other.
    text: withoutTables(
      shown
        .map((piece) =>
          piece.level > 0 && piece.chunkIndex === sectionStart ? withoutFirstLine(piece.content) : piece.content,
        )
        .join("\n\n"),
    ),
  };
}

function headingLine({ content }: FoundPassage): string {
  return content.slice(0, lineEnd(content));
}

function withoutFirstLine(content: string): string {
  return content.slice(lineEnd(content)).trim();
}

function lineEnd(content: string): number {
  const end = content.indexOf("\n");
  return end < 0 ? content.length : end;
}

/**
 * Whether one section, or a table, of the knowledge answers a line that nobody addressed to the agent. Only its own words
 * count. One telling word is enough only on a page that the thread's last answer rested on.
 */
export async function covers(
  passages: PassageSearch,
  bases: readonly Base[],
  { question, lastSources = [] }: { readonly question: string; readonly lastSources?: readonly string[] },
): Promise<boolean> {
  const search = readQuestion([{ question, answer: "" }]);
  if (search.terms.length === 0) return false;
  const isOnPage = ({ title, url }: FoundPassage) =>
    [title, url].some((name) => name !== "" && lastSources.some((source) => isSamePage(source, name)));
  for (const base of bases) {
    const { answering, table } = await findAnswers(passages, base, search, isOnPage);
    const found = table === undefined ? answering : [table.passage, ...answering];
    if (search.terms.length > 1 ? found.length > 0 : found.some(isOnPage)) return true;
  }
  return false;
}

/** Sections of one page differ in what follows "#", or in the heading before the page's title. */
function isSamePage(one: string, other: string): boolean {
  const page = (name: string) =>
    /^https?:/i.test(name)
      ? (name.split("#")[0] ?? "")
      : name.endsWith(")")
        ? name.slice(name.lastIndexOf(" (") + 2, -1)
        : name;
  return page(one) === page(other);
}
