/**
 * Plays answers that arrive step by step, with Parley and with a naive bot, and measures what people saw of them. The
 * scenes and measures are the same for every platform.
 */

import type { Measure } from "../measure.ts";
import { durationMs, type StepOptions, type StreamOptions } from "../service/stream.ts";
import { type Answered, type Asked, quantile, type Report, seen } from "./answers.ts";
import type { BotName } from "./bots.ts";
import type { Probed } from "./probe.ts";
import type { Room, Where } from "./room.ts";

const megabyte = 1_000_000;

/**
 * Answers of 40 s with 20 steps: the model thinks for seconds, then an action, and what its tool found 50 ms after it,
 * as the 25.x service was recorded to send them, or 1.6 s after it, 0.4 s before the next action.
 */
export const rhythms = {
  quick: { steps: 20, pauseMs: 2_000, toolMs: 50 },
  slow: { steps: 20, pauseMs: 2_000, toolMs: 1_600 },
} as const satisfies Record<string, StepOptions>;

export const inWords: Readonly<Record<keyof typeof rhythms, string>> = {
  quick: "results after 50 ms",
  slow: "results after 1.6 s",
};

/** Answers of 5 s. */
export const short: StepOptions = { steps: 3, pauseMs: 1_250, toolMs: 50 };

/** Of a model that writes 60 tokens a second: one answer of 10 s, and one of 5 s. */
export const tokens = { tokens: 600, perSecond: 60 } as const satisfies StreamOptions;
export const shortTokens = { tokens: 300, perSecond: 60 } as const satisfies StreamOptions;

/** A bot that has not shown an answer so long after the last byte doesn't show it in time. */
const patienceMs = 30_000;
/** Messages that are no longer needed are removed for up to two minutes after a crowd. */
const tidyingMs = 150_000;
const quietMs = 8_000;

export type Play = {
  readonly stream: StreamOptions;
  readonly count: number;
  readonly where: Where;
  readonly open: (bot: BotName) => Promise<Omit<Room, "tell">>;
  /** The naive bot can't be asked this way. */
  readonly isParleyOnly?: boolean;
};

export type Played = {
  readonly answers: readonly Answered[];
  readonly report: Report;
  readonly memoryBytes: number;
  readonly probed: Probed;
};

async function playOnce({ stream, count, where, open }: Play, bot: BotName): Promise<Played> {
  const room = await open(bot);
  const asked = await room.ask<Asked>(0, count, where);
  await room.finals(count, durationMs(stream) + patienceMs);
  if (bot === "parley") await room.quiet(quietMs, tidyingMs);
  const [report, times] = await Promise.all([room.report(), room.times()]);
  const memoryBytes = await room.peakMemory();
  const probed = await room.end();
  await room.close();
  const counts = Object.entries(Object.groupBy(report.limited, (call) => call));
  for (const [call, all] of counts) process.stderr.write(`${bot}: ${all?.length} 429s of ${call}\n`);
  const answers = asked.map((question) => seen(question, report.writes, times.get(question.index) ?? []));
  return { answers, report, memoryBytes, probed };
}

/** Parley's play, and the naive bot's beside it unless the command line says "alone". */
export async function play(options: Play): Promise<{ readonly ours: Played; readonly naive: Played | undefined }> {
  const ours = await playOnce(options, "parley");
  return {
    ours,
    naive:
      options.isParleyOnly === true || process.argv.includes("alone") ? undefined : await playOnce(options, "naive"),
  };
}

export type Figure = {
  readonly name: string;
  readonly unit: string;
  readonly of: (played: Played) => number;
  readonly target?: NonNullable<Measure["target"]>;
};

export async function measures(name: string, options: Play, figures: readonly Figure[]): Promise<readonly Measure[]> {
  const { ours, naive } = await play(options);
  return figures.map(({ of, target, ...figure }) => ({
    ...figure,
    name: `${name}: ${figure.name}`,
    value: of(ours),
    ...(target === undefined ? {} : { target }),
    ...(naive === undefined ? {} : { naive: of(naive) }),
  }));
}

/** A figure with a target that it may not be above. */
export function atMost(bound: number, figure: Figure): Figure {
  return { ...figure, target: { atMost: bound } };
}

export function atLeast(bound: number, figure: Figure): Figure {
  return { ...figure, target: { atLeast: bound } };
}

type Values = (answer: Answered) => number | readonly number[];

function over(name: string, unit: string, values: Values, of: (values: readonly number[]) => number): Figure {
  return { name, unit, of: ({ answers }) => of(answers.flatMap(values)) };
}

const most = (values: readonly number[]) => Math.max(...values);
const fewest = (values: readonly number[]) => Math.min(...values);
const sum = (values: readonly number[]) => values.reduce((all, one) => all + one, 0);
const at = (part: number) => (values: readonly number[]) => quantile(values, part);

export const figures = {
  posts: over("posts, most", "posts", ({ posts }) => posts, most),
  edits: over("edits, most", "edits", ({ edits }) => edits, most),
  allEdits: over("edits, all", "edits", ({ edits }) => edits, sum),
  steps: over("steps shown, fewest", "steps", ({ stepsShown }) => stepsShown, fewest),
  placeholder: over("placeholder after, slowest", "ms", ({ placeholderMs }) => placeholderMs, most),
  newSteps: over("staleness of new steps, p95", "ms", ({ newStaleMs }) => newStaleMs, at(0.95)),
  newStepsMedian: over("staleness of new steps, p50", "ms", ({ newStaleMs }) => newStaleMs, at(0.5)),
  all: over("staleness of everything, p95", "ms", ({ staleMs }) => staleMs, at(0.95)),
  /** Of an answer that grows. */
  firstToken: over(
    "first token to the first edit that shows it",
    "ms",
    ({ staleMs }) => staleMs[0] ?? Number.NaN,
    most,
  ),
  tokensMedian: over("staleness of tokens, p50", "ms", ({ staleMs }) => staleMs, at(0.5)),
  tokens: over("staleness of tokens, p95", "ms", ({ staleMs }) => staleMs, at(0.95)),
  withStatus: over("the same where the status line counts", "ms", ({ statusStaleMs }) => statusStaleMs, at(0.95)),
  final: over("last byte to end, median", "ms", ({ finalMs }) => finalMs, at(0.5)),
  lastFinal: over("last byte to end, last", "ms", ({ finalMs }) => finalMs, most),
  ended: over("all ended after", "s", ({ endedMs }) => endedMs / 1_000, most),
  shown: over(
    "ends shown within half a minute",
    "ends",
    ({ finalMs }) => finalMs,
    (all) => all.filter(Number.isFinite).length,
  ),
  inTime: over(
    "ends within 10 s of the last byte",
    "ends",
    ({ finalMs }) => finalMs,
    (all) => all.filter((ms) => ms <= 10_000).length,
  ),
  limited: {
    ...{ name: "429s", unit: "429s" },
    of: ({ report }) => report.limited.length,
  },
  tooEarly: { name: "calls before Retry-After is over", unit: "calls", of: ({ report }) => report.tooEarly },
  answersEach: {
    ...{ name: "answers under a question when all is quiet, most", unit: "messages" },
    of: ({ report }) => most(report.standing.map(({ answers }) => answers)),
  },
  messagesEach: {
    ...{ name: "messages under a question when all is quiet, most", unit: "messages" },
    of: ({ report }) => most(report.standing.map(({ messages }) => messages)),
  },
  requests: { name: "requests", unit: "requests", of: ({ report }) => report.writes.length },
  editsAtOnce: {
    ...{ name: "edits of one message at once, at the platform", unit: "edits" },
    of: ({ report }) => report.editsAtOnce,
  },
  editsInLibrary: {
    ...{ name: "edits of one message at once, in the library", unit: "edits" },
    of: ({ probed }) => probed.editsAtOnce ?? Number.NaN,
  },
  heldBack: {
    ...{ name: "kept waiting or refused by the library for a limit", unit: "requests" },
    of: ({ probed }) => probed.heldBack ?? Number.NaN,
  },
  memory: { name: "memory", unit: "MB", of: ({ memoryBytes }) => memoryBytes / megabyte },
  loop: { name: "event-loop delay p99", unit: "ms", of: ({ probed }) => probed.loopP99Ms },
} as const satisfies Record<string, Figure>;
