/** Reads the question log for its pages: lists with what still runs, and one question with all that is known of it. */

import type { App } from "../../app.ts";
import type { Gaps } from "../../core/content/gaps.ts";
import type { Voting } from "../../core/content/voting.ts";
import type { Feedback } from "../../core/model/insight.ts";
import { workspaceKey } from "../../core/model/place.ts";
import type { Turn } from "../../core/model/turn.ts";
import {
  type QuestionEntry,
  type QuestionFilter,
  questionLogIn,
  questionQuery,
} from "../../core/overview/question-log.ts";
import type { ExportedQuestion, ListedQuestion, QuestionList, Questions } from "../../core/overview/questions.ts";
import { unfinishedTurnStates } from "../../core/ports/state.ts";
import { fold, wordsOf } from "../../core/text/folding.ts";
import { withTimeout } from "../../core/tools/timeout.ts";
import { entryOf } from "../../insight/derived/entry.ts";
import { shorten } from "../../presentation/sentences.ts";
import { choicesOf } from "./choices.ts";
import { aboutTurn, createLister, type QuestionPlaces } from "./listed.ts";
import type { Occurring } from "./occurring.ts";
import { rawOf, textsOf } from "./seen.ts";
import { timesOf } from "./times.ts";

const maxListedChars = 240;
const maxExportedChars = 2_000;
const maxCounted = 5_000;
const maxRunning = 20;
/** Unfinished questions read to find those that a filter wants. */
const maxRunningRead = 200;
const maxOthers = 10;
/** Turns of a conversation read to find its newest questions. */
const maxOthersRead = 200;
/** A line of a file is read beside so many others. */
const exportedAtOnce = 50;
const maxWords = 10;
/** Questions whose texts are read for one page of a search. */
const maxCompared = 1_000;
/** The page waits no longer for the platform. */
const linkMs = 1_000;

export function createQuestions(
  app: App,
  parts: {
    readonly insight: { readonly gaps: Pick<Gaps, "ofTurn">; readonly voting: Pick<Voting, "counts"> };
    readonly places: QuestionPlaces;
    /** Rejects while storage is unreachable. */
    readonly occurring: () => Promise<Occurring>;
  },
): Questions {
  const { clock } = app;
  const { turns } = app.state;
  const questionLog = questionLogIn(app.state);

  /** Newest first. */
  async function unfinishedIds(): Promise<readonly string[]> {
    const known: { readonly id: string; readonly createdAtMs: number }[] = [];
    for await (const _none of turns.unfinished((about) => {
      known.push(about);
      return false;
    })) {
      // None is wanted: only their ids are read.
    }
    return known.sort((one, other) => other.createdAtMs - one.createdAtMs).map(({ id }) => id);
  }

  /** Newest first, of all that are not finished. */
  async function unfinished(
    filter: QuestionFilter,
  ): Promise<{ readonly found: readonly Turn[]; readonly more: number }> {
    if (wantsEnded(filter)) return { found: [], more: 0 };
    const known = await unfinishedIds();
    const newest = known.slice(0, maxRunningRead);
    const read = await Promise.all(newest.map((id) => turns.get(id)));
    const found = read
      .filter((turn) => turn !== undefined)
      .filter((turn) => unfinishedTurnStates.includes(turn.state) && matches(turn, filter));
    const unread = known.length - newest.length;
    return { found: found.slice(0, maxRunning), more: Math.max(0, found.length - maxRunning) + unread };
  }

  async function find(idOrRef: string): Promise<{ readonly turn: Turn; readonly entry?: QuestionEntry } | undefined> {
    const direct = await turns.get(idOrRef);
    if (direct !== undefined) return direct.isForgotten === true ? undefined : ended(direct);
    const { found } = await unfinished({ ref: idOrRef });
    const [newest] = (await questionLog.query(questionQuery({ ref: idOrRef }), 1)).entries;
    const [running] = found;
    if (running !== undefined && running.createdAtMs >= (newest?.record.askedAtMs ?? 0)) return { turn: running };
    const turn = newest === undefined ? undefined : await turns.get(newest.id);
    return turn === undefined || turn.isForgotten === true ? undefined : ended(turn);
  }

  /** As it is now: the log follows a moment later. */
  async function ended(turn: Turn): Promise<{ readonly turn: Turn; readonly entry?: QuestionEntry }> {
    if (unfinishedTurnStates.includes(turn.state)) return { turn };
    return { turn, entry: entryOf({ turn, votes: await parts.insight.voting.counts(turn) }) };
  }

  async function othersOf(turn: Turn, lister: ReturnType<typeof createLister>) {
    const found: Turn[] = [];
    for await (const other of turns.ofConversation(turn.conversation)) {
      if (other.id !== turn.id && other.isForgotten !== true) found.push(other);
      if (found.length > maxOthersRead) found.shift();
    }
    const newest = found.sort((one, other) => other.createdAtMs - one.createdAtMs).slice(0, maxOthers);
    const others = await Promise.all(
      newest.map((other) =>
        unfinishedTurnStates.includes(other.state)
          ? lister.running(other)
          : lister.ended(entryOf({ turn: other, votes: { up: 0, down: 0 } }), other),
      ),
    );
    return { others: others.map(shown), moreOthers: found.length - newest.length };
  }

  async function linkTo(turn: Turn): Promise<string | undefined> {
    const [first] = turn.reply.parts.filter(({ state }) => state === "posted" || state === "final");
    const answer = first?.messageId === undefined ? undefined : { place: turn.reply.place, messageId: first.messageId };
    const asked =
      turn.askedMessageId === undefined ? undefined : { place: turn.askedIn, messageId: turn.askedMessageId };
    const ref = answer ?? asked;
    const link = ref && app.sites.get(ref.place.platform)?.platform.permalink(ref);
    return link === undefined ? undefined : withTimeout(link, linkMs, clock);
  }

  /**
   * The log has no texts, so questions are read one by one, as many as one request may read. What the viewer can't read
   * isn't found.
   */
  async function search(
    viewer: string,
    filter: QuestionFilter,
    isSaid: (line: ListedQuestion) => boolean,
    limit: number,
    after: string | undefined,
  ): Promise<QuestionList> {
    const lister = createLister(app, viewer, parts.places, maxExportedChars);
    const isFound = (line: ListedQuestion & { readonly mayRead: boolean }) =>
      isSaid(line) && !wouldTellWhose(filter, line);
    const { found: unended } = after === undefined ? await unfinished(filter) : { found: [] };
    const running = (await Promise.all(unended.map((turn) => lister.running(turn)))).filter(isFound);
    const again = new Set(unended.map(({ id }) => id));
    const rows: ListedQuestion[] = [];
    let next = after;
    let compared = 0;
    let comparedFromMs: number | undefined;
    do {
      const page = await questionLog.query(questionQuery(filter), exportedAtOnce, next);
      const lines = await Promise.all(
        page.entries.filter(({ id }) => !again.has(id)).map(({ record }) => lister.ended(record)),
      );
      rows.push(...lines.filter(isFound).map(inList));
      compared += page.entries.length;
      comparedFromMs = page.entries.at(-1)?.record.askedAtMs ?? comparedFromMs;
      next = page.next;
    } while (next !== undefined && compared < maxCompared && rows.length < limit);
    const until = next === undefined ? {} : { next, comparedFromMs };
    return { running: running.map(inList), moreRunning: 0, rows, ...until };
  }

  return {
    choices: () => choicesOf(app, parts),

    list: async (viewer, { words, ...filter }, limit, after) => {
      const isSaid = saying(words);
      if (isSaid !== undefined) return search(viewer, filter, isSaid, limit, after);
      const lister = createLister(app, viewer, parts.places, maxListedChars);
      const isFirst = after === undefined;
      const [{ entries, next }, { found, more }] = await Promise.all([
        questionLog.query(questionQuery(filter), limit, after),
        isFirst ? unfinished(filter) : { found: [], more: 0 },
      ]);
      // A list of one page is counted already.
      const onePage = { count: entries.length, isMore: false };
      const count = !isFirst
        ? undefined
        : next === undefined
          ? onePage
          : await questionLog.count(questionQuery(filter), maxCounted);
      const again = new Set(found.map(({ id }) => id));
      const [running, rows] = await Promise.all([
        Promise.all(found.map((turn) => lister.running(turn))),
        Promise.all(entries.filter(({ id }) => !again.has(id)).map(({ record }) => lister.ended(record))),
      ]);
      if ([...running, ...rows].some((line) => wouldTellWhose(filter, line))) {
        return { running: [], moreRunning: 0, rows: [], count: { count: 0, isMore: false } };
      }
      return {
        running: running.map(shown),
        moreRunning: more,
        rows: rows.map(shown),
        next,
        count,
      };
    },

    one: async (viewer, idOrRef) => {
      const found = await find(idOrRef);
      if (found === undefined) return undefined;
      const { turn, entry } = found;
      const lister = createLister(app, viewer, parts.places, maxListedChars);
      const { mayRead, ...listed } = await (entry === undefined ? lister.running(turn) : lister.ended(entry, turn));
      const [texts, gap, url, others] = await Promise.all([
        mayRead ? textsOf(turn, app.state.keyValue<Feedback>("feedback")) : undefined,
        mayRead ? parts.insight.gaps.ofTurn(turn) : undefined,
        // The address of a direct message says whose it is.
        mayRead || listed.askedIn.kind !== "direct" ? linkTo(turn) : undefined,
        othersOf(turn, lister),
      ]);
      return {
        texts,
        url,
        traceId: turn.outcome?.traceId,
        gapKey: gap === undefined ? undefined : `${workspaceKey(gap)}/${gap.id}`,
        ...others,
        listed: shown({ ...listed, mayRead } as ListedQuestion & { readonly mayRead: boolean }),
        times: timesOf(turn),
        stepCount: (turn.outcome?.steps.length ?? 0) + (turn.outcome?.omittedSteps ?? 0),
        sourceCount: turn.outcome?.sources.length ?? 0,
        attempt: turn.attempt,
      };
    },

    raw: async (viewer, id, step) => {
      const turn = await turns.get(id);
      const found = turn?.outcome?.steps[step];
      if (turn === undefined || turn.isForgotten === true || found === undefined) return undefined;
      const { mayRead } = await createLister(app, viewer, parts.places, maxListedChars).running(turn);
      return mayRead ? rawOf(found) : undefined;
    },

    all: async function* (viewer, { words, ...filter }) {
      const lister = createLister(app, viewer, parts.places, maxExportedChars);
      const isSaid = saying(words) ?? (() => true);
      const told = (lines: readonly (ExportedQuestion & { readonly mayRead: boolean })[]) =>
        lines
          .filter((line) => isSaid(line) && !wouldTellWhose(filter, line))
          .map((line): ExportedQuestion => shown(line));
      // First what still runs, as in the list. What ends meanwhile may get into the log before it is read there.
      const first = new Set(wantsEnded(filter) ? [] : await unfinishedIds());
      for (const ids of batchesOf([...first], exportedAtOnce)) {
        const read = await Promise.all(ids.map((id) => turns.get(id)));
        const found = read
          .filter((turn) => turn !== undefined)
          .filter((turn) => turn.isForgotten !== true && matches(turn, filter));
        yield told(
          await Promise.all(
            found.map(async (turn) => {
              const { entry } = await ended(turn);
              return entry === undefined
                ? { ...(await lister.running(turn)), hasSource: false }
                : lister.ended(entry, turn);
            }),
          ),
        );
      }
      let batch: QuestionEntry[] = [];
      const write = async () => {
        const lines = await Promise.all(batch.map((entry) => lister.ended(entry)));
        batch = [];
        return told(lines);
      };
      for await (const { id, record } of questionLog.all(questionQuery(filter))) {
        if (first.has(id)) continue;
        batch.push(record);
        if (batch.length >= exportedAtOnce) yield await write();
      }
      if (batch.length > 0) yield await write();
    },
  };
}

/** Who asks for the channel of direct messages knows whose it is. */
function wouldTellWhose(
  { channel }: QuestionFilter,
  { askedIn, mayRead }: Pick<ListedQuestion, "askedIn"> & { readonly mayRead: boolean },
): boolean {
  return channel !== undefined && askedIn.kind === "direct" && !mayRead;
}

/** Whether a question says all of these words, as far as its text may be read. Undefined: there are no words. */
function saying(words: string | undefined): ((line: ListedQuestion) => boolean) | undefined {
  const wanted = wordsOf(words ?? "", maxWords);
  if (wanted.length === 0) return undefined;
  return ({ text }) => {
    const said = fold(text?.question ?? "");
    return wanted.every((word) => said.includes(word));
  };
}

/** As long as a list shows it. */
function inList(found: ListedQuestion & { readonly mayRead: boolean }): ListedQuestion {
  const { text, ...line } = shown(found);
  return text === undefined ? line : { ...line, text: { ...text, question: shorten(text.question, maxListedChars) } };
}

/** Only what has ended has these. */
function wantsEnded({ outcome, why, feedback }: QuestionFilter): boolean {
  return outcome !== undefined || why !== undefined || feedback !== undefined;
}

function* batchesOf<T>(list: readonly T[], size: number): Generator<readonly T[]> {
  for (let from = 0; from < list.length; from += size) yield list.slice(from, from + size);
}

function shown<T extends ListedQuestion>({ mayRead: _mayRead, ...line }: T & { readonly mayRead: boolean }): T {
  return line as unknown as T;
}

function matches(turn: Turn, filter: QuestionFilter): boolean {
  const { place, askedAtMs, agent, ref, asker } = aboutTurn(turn);
  const isThen = askedAtMs >= (filter.fromMs ?? 0) && askedAtMs < (filter.untilMs ?? Number.POSITIVE_INFINITY);
  const is = <T>(wanted: T | undefined, found: T | undefined) => wanted === undefined || wanted === found;
  const isThere =
    is(filter.platform, place.platform) && is(filter.workspace, place.workspace) && is(filter.channel, place.channel);
  return isThen && isThere && is(filter.agent, agent) && is(filter.ref, ref) && is(filter.asker, asker);
}
