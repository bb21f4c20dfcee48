/** The list of what was asked, by filters, with what still runs, and the same list as a file. One question: question.ts. */

import { z } from "zod";
import { personKey } from "../../core/model/place.ts";
import type { Asked } from "../../core/ports/overview.ts";
import { fold, wordsOf } from "../../core/text/folding.ts";
import {
  type QuestionCount,
  type QuestionEntry,
  type QuestionFilter,
  questionLogIn,
  questionOutcomes,
  questionQuery,
  reasonsNotShown,
} from "../../insight/derived/question-log.ts";
import { adminSentences, shorten } from "../../presentation/sentences.ts";
import type { OverviewApp } from "../app.ts";
import { workspaceFor } from "../oversight.ts";
import { adminPlaceOf, type CsvRow, csvFile, type Page, parsed } from "../page.ts";
import { questionChoices } from "../questions/choices.ts";
import { createLister, type ExportedQuestion, type ListedQuestion, type Readable } from "../questions/listed.ts";
import { entryNow, matches, unfinished, unfinishedIds, wantsEnded } from "../questions/unfinished.ts";
import { readQuestion, readStep } from "./question.ts";

const perPage = 50;
const maxListedChars = 240;
const maxExportedChars = 2_000;
const maxCounted = 5_000;
const maxRunning = 20;
/** A line of a file is read beside so many others. */
const exportedAtOnce = 50;
const maxWords = 10;
/** Questions whose texts are read for one page of a search. */
const maxCompared = 1_000;

const moment = z.coerce.number().int().min(0).max(8.64e15);
/** The page sends empty ones too. */
const optional = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === "" ? undefined : value), schema.optional());
const text = optional(z.string().max(300));
const query = z.object({
  from: optional(moment),
  until: optional(moment),
  platform: text,
  workspace: text,
  channel: text,
  /** `channelKey`, instead of the three. */
  place: text,
  agent: text,
  outcome: optional(z.enum(questionOutcomes)),
  why: optional(z.enum(reasonsNotShown)),
  feedback: optional(z.enum(["up", "down"])),
  ref: text,
  /** Each has to occur in the question, in any case. Only questions whose text the viewer may read are found. */
  words: text,
  /** "TIME:ID". */
  after: optional(z.string().regex(/^\d{1,16}:[\w-]{1,100}$/)),
});

export const questionsPage: Page = {
  name: "questions",
  least: "manage",
  get: {
    "": listQuestions,
    "/choices": questionChoices,
    "/:question": readQuestion,
    "/:question/steps/:step": readStep,
  },
  files: { ".csv": (app, asked) => csvFile("questions.csv", columns, csvRows(app, searchOf(asked))) },
};

export type QuestionList = {
  /** Newest first; only with the first page, and at most 20. They aren't in `rows`. */
  readonly running: readonly ListedQuestion[];
  /** With words: of those that say them, as far as they were read. */
  readonly moreRunning: number;
  readonly rows: readonly ListedQuestion[];
  /** Where the next page begins. Absent: this is the last one. */
  readonly next?: string;
  /** With the first page. Absent with words. */
  readonly count?: QuestionCount;
  /** With words: questions asked since then were compared. Absent: all of them. */
  readonly comparedFromMs?: number;
};

type Search = {
  /** They may read what they asked themselves. */
  readonly viewer: string;
  readonly filter: QuestionFilter;
  /** Whether a question says all words, as far as its text may be read. Undefined: there are no words. */
  readonly isSaid: ((line: ListedQuestion) => boolean) | undefined;
  readonly after: string | undefined;
};

function searchOf(asked: Asked): Search {
  const { from, until, ref, place, words = "", after, ...others } = parsed(query, asked, adminSentences.noFilter);
  const [platform, workspace, channel] = place === undefined ? [] : place.split("/").map(decoded);
  const there = place === undefined ? {} : { platform, workspace, channel };
  const own = workspaceFor(asked.viewer, { ...others, ...there }) ?? {};
  // References are lower case, and shown as "ref 0yxs"; people may copy or write them otherwise.
  const plainRef = ref?.trim().toLowerCase().replace(/^ref /, "");
  const wanted = wordsOf(words, maxWords);
  const says = ({ text }: ListedQuestion) => {
    const said = fold(text?.question ?? "");
    return wanted.every((word) => said.includes(word));
  };
  return {
    viewer: personKey(adminPlaceOf(asked.viewer), asked.viewer),
    filter: { ...others, ...there, ...own, fromMs: from, untilMs: until, ref: plainRef },
    isSaid: wanted.length === 0 ? undefined : says,
    after,
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

async function listQuestions(app: OverviewApp, asked: Asked): Promise<QuestionList> {
  const search = searchOf(asked);
  const { viewer, filter, isSaid, after } = search;
  if (isSaid !== undefined) return findWords(app, { ...search, isSaid });
  const questionLog = questionLogIn(app.state);
  const lister = createLister(app, viewer, maxListedChars);
  const isFirst = after === undefined;
  const [{ entries, next }, { found, unread }] = await Promise.all([
    questionLog.query(questionQuery(filter), perPage, after),
    isFirst ? unfinished(app, filter) : { found: [], unread: 0 },
  ]);
  // A list of one page is counted already.
  const onePage = { count: entries.length, isMore: false };
  const count = !isFirst
    ? undefined
    : next === undefined
      ? onePage
      : await questionLog.count(questionQuery(filter), maxCounted);
  const shownAbove = found.slice(0, maxRunning);
  const again = new Set(shownAbove.map(({ id }) => id));
  const [running, rows] = await Promise.all([
    Promise.all(shownAbove.map((turn) => lister.running(turn))),
    Promise.all(entries.filter(({ id }) => !again.has(id)).map(({ record }) => lister.ended(record))),
  ]);
  if ([...running, ...rows].some((line) => wouldTellWhose(filter, line))) {
    return { running: [], moreRunning: 0, rows: [], count: { count: 0, isMore: false } };
  }
  return {
    running: running.map(({ line }) => line),
    moreRunning: found.length - shownAbove.length + unread,
    rows: rows.map(({ line }) => line),
    next,
    count,
  };
}

/**
 * The log has no texts, so questions are read one by one, as many as one request may read. What the viewer can't read
 * isn't found.
 */
async function findWords(
  app: OverviewApp,
  { viewer, filter, isSaid, after }: Search & { readonly isSaid: (line: ListedQuestion) => boolean },
): Promise<QuestionList> {
  const lister = createLister(app, viewer, maxExportedChars);
  const isFound = (one: Readable) => isSaid(one.line) && !wouldTellWhose(filter, one);
  const { found: unended } = after === undefined ? await unfinished(app, filter) : { found: [] };
  const running = (await Promise.all(unended.map((turn) => lister.running(turn)))).filter(isFound);
  const again = new Set(unended.map(({ id }) => id));
  const rows: ListedQuestion[] = [];
  let next = after;
  let compared = 0;
  let comparedFromMs: number | undefined;
  do {
    const page = await questionLogIn(app.state).query(questionQuery(filter), exportedAtOnce, next);
    const lines = await Promise.all(
      page.entries.filter(({ id }) => !again.has(id)).map(({ record }) => lister.ended(record)),
    );
    rows.push(...lines.filter(isFound).map(inList));
    compared += page.entries.length;
    comparedFromMs = page.entries.at(-1)?.record.askedAtMs ?? comparedFromMs;
    next = page.next;
  } while (next !== undefined && compared < maxCompared && rows.length < perPage);
  const until = next === undefined ? {} : { next, comparedFromMs };
  const shownAbove = running.slice(0, maxRunning);
  return { running: shownAbove.map(inList), moreRunning: running.length - shownAbove.length, rows, ...until };
}

/** As long as a list shows it. */
function inList({ line }: Readable): ListedQuestion {
  const { text, ...others } = line;
  if (text === undefined) return line;
  return { ...others, text: { ...text, question: shorten(text.question, maxListedChars) } };
}

/** Who asks for the channel of direct messages knows whose it is. */
function wouldTellWhose({ channel }: QuestionFilter, { line, mayRead }: Readable): boolean {
  return channel !== undefined && line.askedIn.kind === "direct" && !mayRead;
}

const columns = [
  ...["Reference", "Asked", "Ended", "Seconds", "Platform", "Workspace", "Channel", "Channel name"],
  ...["Agent", "Outcome", "Reason", "Error", "Source", "Up", "Down", "Asked by", "Question"],
];

/** Everything that matches: what still runs, then what has ended, each newest first. */
async function* csvRows(app: OverviewApp, search: Search): AsyncGenerator<CsvRow, void> {
  for await (const lines of exported(app, search)) yield* lines.map(rowOf);
}

async function* exported(
  app: OverviewApp,
  { viewer, filter, isSaid = () => true }: Search,
): AsyncGenerator<readonly ExportedQuestion[], void> {
  const lister = createLister(app, viewer, maxExportedChars);
  const told = (found: readonly Readable<ExportedQuestion>[]) =>
    found.filter((one) => isSaid(one.line) && !wouldTellWhose(filter, one)).map(({ line }) => line);
  // First what still runs, as in the list. What ends meanwhile may get into the log before it is read there.
  const first = new Set(wantsEnded(filter) ? [] : await unfinishedIds(app));
  for (const ids of batchesOf([...first], exportedAtOnce)) {
    const read = await Promise.all(ids.map((id) => app.state.turns.get(id)));
    const found = read
      .filter((turn) => turn !== undefined)
      .filter((turn) => turn.isForgotten !== true && matches(turn, filter));
    const lines = found.map(async (turn): Promise<Readable<ExportedQuestion>> => {
      const entry = await entryNow(app, turn);
      if (entry !== undefined) return lister.ended(entry, turn);
      const { line, mayRead } = await lister.running(turn);
      return { line: { ...line, hasSource: false }, mayRead };
    });
    yield told(await Promise.all(lines));
  }
  let batch: QuestionEntry[] = [];
  const write = async () => {
    const lines = await Promise.all(batch.map((entry) => lister.ended(entry)));
    batch = [];
    return told(lines);
  };
  for await (const { id, record } of questionLogIn(app.state).all(questionQuery(filter))) {
    if (first.has(id)) continue;
    batch.push(record);
    if (batch.length >= exportedAtOnce) yield await write();
  }
  if (batch.length > 0) yield await write();
}

function* batchesOf<T>(list: readonly T[], size: number): Generator<readonly T[]> {
  for (let from = 0; from < list.length; from += size) yield list.slice(from, from + size);
}

function rowOf(question: ExportedQuestion): CsvRow {
  const { ref, askedAtMs, endedAtMs, askedIn, agent, text, hasSource } = question;
  const { platform, workspace, kind, channel, name } = askedIn;
  const ended = question.state === "ended" ? question : undefined;
  const time = (ms: number | undefined) => (ms === undefined ? "" : new Date(ms).toISOString());
  const seconds = ended?.durationMs === undefined ? "" : (ended.durationMs / 1_000).toFixed(1);
  return [
    ...[ref, time(askedAtMs), time(endedAtMs), seconds],
    ...[platform, workspace, channel ?? "", name ?? (kind === "direct" ? "Direct message" : "")],
    ...[agent?.name ?? "", ended?.outcome ?? question.state, ended?.why ?? "", ended?.code ?? ""],
    ...[hasSource ? "yes" : "no", ended?.up ?? 0, ended?.down ?? 0, text?.by ?? "", text?.question ?? ""],
  ];
}
