/**
 * Checks what must be true after a chaos run: every question has exactly one ending, in order, and nothing is shown
 * twice.
 */
import type { Job } from "../../src/core/model/job.ts";
import type { Turn } from "../../src/core/model/turn.ts";
import { readySentences, turnSentences } from "../../src/presentation/sentences/questions.ts";
import type { Book } from "./book.ts";
import { type Places, shownWords, standing } from "./shown.ts";
import { tagOf } from "./stories.ts";

/** What the service was asked, in that order. */
export type Ask = { readonly tag: string; readonly atMs: number };

const endings: readonly string[] = ["answered", "failed", "stopped"];

export async function findWrong(options: {
  readonly places: Places;
  readonly book: Book;
  readonly asks: readonly Ask[];
  readonly turns: readonly Turn[];
}): Promise<readonly string[]> {
  const { places, book, asks, turns } = options;
  const { town, discord } = places;
  const wrong: string[] = [];
  const byEvent = new Map(turns.map((turn) => [turn.eventKey, turn]));
  if (byEvent.size !== turns.length) wrong.push("an event has two Turns");

  for (const question of book.asked) {
    const turn = byEvent.get(question.eventKey);
    if (turn === undefined) {
      if (question.isTaken()) wrong.push(`${question.tag} (${question.eventKey}) was taken and has no Turn`);
      continue;
    }
    const name = `${question.tag} on ${question.platform}`;
    if (!endings.includes(turn.state)) wrong.push(`${name} is still ${turn.state}`);
    if (turn.reply.parts.length === 0) wrong.push(`${name} has no reply`);
    const shown = await shownWords(turn, places);
    if (shown === undefined) wrong.push(`${name}: a part of its reply does not stand there: ${fateOf(turn, places)}`);
    else if (turn.state === "answered" && !shown.includes(`Answer to ${question.tag}`))
      wrong.push(`${name} does not show its answer: ${shown.slice(0, 200)}`);
    else if (/is looking it up|will look it up|restarted and is asking/.test(shown))
      wrong.push(`${name} shows no end: ${shown.slice(0, 200)}`);
  }

  wrong.push(...strays(places, turns), ...disorder(asks, book, byEvent));
  if (town.service.runs.atOnce > 0) wrong.push(`${town.service.runs.atOnce} runs are still open`);
  const ends = turns.filter(({ conversation }) => conversation.platform === "slack");
  const mostPings = ends.reduce((sum, { attempt }) => sum + attempt, 0);
  const pings = town.slack.world.pinged.length;
  if (pings > mostPings) wrong.push(`people on Slack were notified ${pings} times of ${mostPings} ends`);
  wrong.push(...town.slack.violations, ...discord.violations.filter((violation) => !isLimit(violation)));
  return wrong;
}

/** Once, and twice more after the process that did it had died. */
const maxAsks = 3;
/** Once, and once more after the process that did it had died. */
const maxFetches = 2;

/** How often each question was asked that nobody asked again. */
export function mostAsks(asks: readonly Ask[], book: Book): readonly number[] {
  const own = [...Map.groupBy(asks, ({ tag }) => tag)].filter(([tag]) => !book.askedAgain.has(tag));
  return own.map(([, times]) => times.length);
}

/** Nothing is tried for ever: no question, and no page. */
export function findTriedTooOften(options: {
  readonly book: Book;
  readonly asks: readonly Ask[];
  readonly turns: readonly Turn[];
  readonly jobs: readonly Job[];
  readonly fetched: ReadonlyMap<string, readonly string[]>;
  /** How often a process was killed. */
  readonly deaths: number;
}): readonly string[] {
  const { book, asks, turns, jobs, fetched, deaths } = options;
  const wrong: string[] = [];
  for (const [tag, times] of Map.groupBy(asks, (ask) => ask.tag)) {
    if (times.length <= maxAsks || book.askedAgain.has(tag)) continue;
    wrong.push(`${tag} was asked ${times.length} times:\n    ${times.map(({ atMs }) => atMs)} ${countsOf(tag)}`);
  }
  for (const { ref, question, outcome } of turns) {
    const tag = tagOf(question);
    if (outcome?.error?.code !== "gave_up" || book.askedAgain.has(tag)) continue;
    const times = asks.filter((ask) => ask.tag === tag).length;
    // Some of its deaths may be other questions' doing, and come before it is asked.
    if (deaths < maxAsks) wrong.push(`${ref} was given up after ${times} times`);
  }
  for (const [path, times] of fetched) {
    if (path !== "/robots.txt" && times.length > maxFetches) wrong.push(`${path} was fetched ${times.length} times`);
  }
  for (const { ref, state, items } of jobs) {
    if (!["done", "failed", "cancelled"].includes(state)) wrong.push(`the job ${ref} is still ${state}`);
    for (const item of items) {
      if (!["done", "failed", "cancelled"].includes(item.state)) wrong.push(`${item.label} is still ${item.state}`);
      if (item.state === "failed" && item.reason === undefined) wrong.push(`${item.label} failed without a reason`);
    }
  }
  return wrong;

  /** Whether somebody asked it again, for whoever looks for the fault. */
  function countsOf(tag: string): string {
    const [turn] = turns.filter(({ question }) => tagOf(question) === tag);
    const { id, via, state, attempt, resumptions, createdAtMs, askedAgainAtMs, endedAtMs } = turn ?? {};
    return JSON.stringify({ id, via, state, attempt, resumptions, createdAtMs, askedAgainAtMs, endedAtMs });
  }
}

/** What is known of the messages of a Reply, for whoever looks for the fault. */
function fateOf({ id, via, state, attempt, isRepeated, reply }: Turn, { town, discord }: Places): string {
  const messages = reply.parts.map(({ messageId = "" }) => {
    const there = discord.world.messages.get(messageId);
    const words = there?.versions ?? (town.slack.world.messages.has(messageId) ? ["on Slack"] : ["unknown"]);
    return { messageId, channelId: there?.channelId, isDeleted: there?.isDeleted, seenBy: there?.seenBy, words };
  });
  return JSON.stringify({ id, via, state, attempt, isRepeated, place: reply.place, messages }).slice(0, 2_000);
}

/** Two instances know of Discord's limits what its answers say, and now and then run into one: it is waited out. */
export function isLimit(violation: string): boolean {
  return violation.startsWith("429: ");
}

function channelOf(messageId: string, { town, discord }: Places): string {
  const { channelId = "" } = discord.world.messages.get(messageId) ?? {};
  const { name, type } = discord.world.channels.get(channelId) ?? {};
  return `${name ?? town.slack.world.messages.get(messageId)?.channel} (${type ?? "Slack"})`;
}

/** Mentions the asker before it. */
function isReadyLine(words: string): boolean {
  return Object.values(readySentences).some(({ named }) => words.includes(named));
}

/** Messages of Parley that belong to no Turn, or to one that does not know of them. */
function strays(places: Places, turns: readonly Turn[]): readonly string[] {
  const known = new Set(turns.flatMap((turn) => turn.reply.parts.map(({ messageId }) => messageId)));
  const questions = new Set<string>();
  const wrong: string[] = [];
  for (const [id, { words, isPromise }] of standing(places)) {
    if (isPromise) wrong.push(`a promised answer never came: ${id}`);
    else if (known.has(id) || words.includes("can open this reply") || isReadyLine(words)) continue;
    else if (words.includes(turnSentences.storageAway)) continue;
    else if (!/ asked:.* what about Q\d+\./.test(words))
      wrong.push(`belongs to nothing: ${id} in ${channelOf(id, places)}: ${words.slice(0, 200)}\n${around(id)}`);
    else if (questions.has(tagOf(words))) wrong.push(`the question ${tagOf(words)} is shown twice`);
    else questions.add(tagOf(words));
  }
  return wrong;

  /** What is stored and shown of the questions in its thread, for whoever looks for the fault. */
  function around(id: string): string {
    const thread =
      places.discord.world.messages.get(id)?.channelId ?? places.town.slack.world.messages.get(id)?.thread_ts;
    const near = turns.filter((turn) => [turn.conversation.thread, turn.reply.place.thread].includes(thread));
    return near.map((turn) => `    ${fateOf(turn, places)}`).join("\n");
  }
}

/** Outage notices beside the answers. Only a process that died leaves one. */
export function noticesLeft(places: Places, turns: readonly Turn[]): readonly string[] {
  const known = new Set(turns.flatMap((turn) => turn.reply.parts.map(({ messageId }) => messageId)));
  return [...standing(places)]
    .filter(([id, { words }]) => words.includes(turnSentences.storageAway) && !known.has(id))
    .map(([id]) => `still tells somebody to wait: ${id} in ${channelOf(id, places)}`);
}

/** What arrived elsewhere this long after a question is waited for (program.ts): what is stored later comes later. */
const laneSettleMs = 150;

/** Within a thread the service must have been asked in the order of the questions, as far as they were stored by then. */
function disorder(asks: readonly Ask[], book: Book, turns: ReadonlyMap<string, Turn>): readonly string[] {
  const questions = new Map(book.asked.map((question) => [question.tag, question]));
  const told = new Map<string, Ask[]>();
  const wrong: string[] = [];
  for (const ask of asks) {
    const question = questions.get(ask.tag);
    if (question === undefined || book.askedAgain.has(ask.tag)) continue;
    const before = told.get(question.thread) ?? [];
    told.set(question.thread, [...before, ask]);
    const overtook = (earlier: Ask) => numberOf(earlier.tag) > numberOf(ask.tag) && isKnownBy(ask, earlier);
    if (!before.some(overtook)) continue;
    const history = [...before, ask].map(({ tag, atMs }) => `${tag} asked ${atMs}, ${lifeOf(tag)}`);
    wrong.push(`out of order in ${question.platform}/${question.thread}:\n    ${history.join("\n    ")}`);
  }
  return wrong;

  function turnOf(tag: string): Turn | undefined {
    return turns.get(questions.get(tag)?.eventKey ?? "");
  }

  /** Events that could not be taken come again in any order. */
  function isKnownBy(ask: Ask, other: Ask): boolean {
    const [own, others] = [turnOf(ask.tag), turnOf(other.tag)];
    return own === undefined || others === undefined || own.createdAtMs <= others.createdAtMs + laneSettleMs;
  }

  function lifeOf(tag: string): string {
    const turn = turnOf(tag);
    if (turn === undefined) return "no Turn";
    const { id, order, state, attempt, fence, createdAtMs, startedAtMs, endedAtMs } = turn;
    return JSON.stringify({ id, order, state, attempt, fence, createdAtMs, startedAtMs, endedAtMs });
  }
}

function numberOf(tag: string): number {
  return Number(tag.slice(1, -1));
}
