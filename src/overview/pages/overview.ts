/** The state of the installation, and figures: how many questions, how well and how fast they were answered, and where. */
import { z } from "zod";
import type { Named } from "../../core/access.ts";
import type { Mode, Place } from "../../core/model/place.ts";
import { nameIn } from "../../core/tools/split-name.ts";
import { withTimeout } from "../../core/tools/timeout.ts";
import { channelsOf, countsIn } from "../../insight/counts/question-counts.ts";
import { readWhere } from "../../insight/counts/share.ts";
import { questionLogIn, questionQuery } from "../../insight/derived/question-log.ts";
import { errorTexts } from "../../presentation/sentences.ts";
import type { OverviewApp } from "../app.ts";
import {
  type Added,
  add,
  type DayFigures,
  dayFigures,
  type FigureSums,
  merged,
  nothingAdded,
  type Period,
  periodOf,
  slotFinder,
  sumsOf,
} from "../figures.ts";
import { type Page, parsed } from "../page.ts";
import { answersAll } from "../places.ts";
import { agentsIn, unwritten } from "../projects.ts";
import { statusOf } from "../status.ts";

/** Several people look at the page, which asks again every minute. */
const keptMs = 5_000;
const maxChannels = 50;
/** The service is asked for its agents; the figures don't wait for it. */
const agentsWithinMs = 200;

/** `zone`: "Europe/Berlin"; an unknown one counts as UTC. */
const query = z.object({
  days: z.literal("7").transform(Number).catch(30),
  zone: z.string().default("UTC"),
});

export const overviewPage: Page = {
  name: "overview",
  least: "manage",
  isOfAll: true,
  get: {
    "": (app, asked) => {
      const { days, zone } = parsed(query, asked);
      return readFigures(app, days === 7 ? 7 : 30, zone);
    },
    "/status": statusOf,
  },
};

export type FigureDays = 7 | 30;

export type Figures = {
  readonly days: FigureDays;
  readonly timeZone: string;
  /** Midnight there, of the first day. */
  readonly fromMs: number;
  readonly untilMs: number;
  /** Oldest first; the last one is today. */
  readonly byDay: readonly DayFigures[];
  readonly total: FigureSums;
  /** Of as many days before. */
  readonly before: Pick<FigureSums, "questions" | "withSource" | "failed">;
  readonly failures: readonly FailureFigures[];
  /** Those with most questions first. */
  readonly channels: readonly ChannelFigures[];
  /** Rows that `channels` leaves out. */
  readonly moreChannels: number;
};

/** Most frequent first. */
export type FailureFigures = {
  readonly code: string;
  /** What happened, in one sentence. */
  readonly what: string;
  readonly count: number;
};

/** Of one channel and the agent that answered there. All direct messages of a workspace are one row. */
export type ChannelFigures = {
  readonly platform: string;
  readonly workspace: string;
  /** Absent: direct messages. */
  readonly channel?: string;
  /** As people know the channel, without "#". Absent: unknown, or the channel is gone. Untrusted. */
  readonly name?: string;
  readonly isGone?: true;
  /** As people write it: "support", or "shop.support" in another project. Absent: none was asked. */
  readonly agent?: string;
  readonly isAgentGone?: true;
  /** Absent for direct messages. */
  readonly mode?: Mode;
  readonly questions: number;
  readonly withSource: number;
  readonly failed: number;
  readonly lastFailure?: { readonly atMs: number; readonly ref: string };
};

/** Rejects with state_unavailable. */
export function readFigures(app: OverviewApp, days: FigureDays, timeZone: string): Promise<Figures> {
  const zone = knownZone(timeZone);
  return app.remember(`figures ${days} ${zone}`, keptMs, () => figuresOf(app, days, zone));
}

async function figuresOf(app: OverviewApp, days: FigureDays, timeZone: string): Promise<Figures> {
  const { clock } = app;
  const nowMs = clock.now();
  const period = periodOf(days, nowMs, timeZone);
  const earlier = periodOf(days, nowMs, timeZone, 1);
  const { byDay, before, byWhere } = await addUp(app, period, earlier);
  const all = merged(byDay);
  const channels = [...byWhere].filter(([, { questions }]) => questions > 0);
  channels.sort(([a, one], [b, other]) => other.questions - one.questions || (a < b ? -1 : 1));
  const listed = await withTimeout(agentsIn(app.settings.projects, app), agentsWithinMs, clock);
  const known = listed === undefined ? undefined : new Set(listed.map(keyOf));
  const shown = channels.slice(0, maxChannels);
  const rows = await Promise.all(shown.map(([where, sums]) => rowOf(app, where, sums, { period, known })));
  const { questions, withSource, failed } = sumsOf(before);
  return {
    days,
    timeZone,
    fromMs: period.fromMs,
    untilMs: nowMs,
    before: { questions, withSource, failed },
    byDay: period.starts.map((startMs, at) => dayFigures(startMs, timeZone, byDay[at] ?? nothingAdded())),
    total: sumsOf(all),
    failures: failuresOf(all),
    channels: rows.filter((row) => row !== undefined),
    moreChannels: channels.length - shown.length,
  };
}

type ChannelSums = { questions: number; withSource: number; failed: number };

/** Of both periods, of which the earlier one ends where the other begins. `byWhere`: of the later one. */
async function addUp({ state }: OverviewApp, period: Period, earlier: Period) {
  const byDay = period.starts.map(nothingAdded);
  const before = nothingAdded();
  const byWhere = new Map<string, ChannelSums>();
  const dayOf = slotFinder(period, byDay);
  const both = { from: earlier.fromMs, until: period.untilMs };
  for await (const { record } of countsIn(state).all({ order: "sinceMs", ...both })) {
    const day = dayOf(record.sinceMs);
    add(day ?? before, record.counters);
    for (const [where, [questions, withSource, failed]] of day === undefined ? [] : channelsOf(record)) {
      // Only a digest counts there.
      if (questions === 0) continue;
      const sums = byWhere.get(where);
      if (sums === undefined) byWhere.set(where, { questions, withSource, failed });
      else {
        sums.questions += questions;
        sums.withSource += withSource;
        sums.failed += failed;
      }
    }
  }
  return { byDay, before, byWhere };
}

async function rowOf(
  app: OverviewApp,
  where: string,
  sums: ChannelSums,
  { period, known }: { readonly period: Period; readonly known: ReadonlySet<string> | undefined },
): Promise<ChannelFigures | undefined> {
  const { places, bindings } = app;
  const { projects } = app.settings;
  const read = readWhere(where);
  if (read === undefined) return undefined;
  const { place, agent } = read;
  const { platform, workspace, channel } = place;
  const isDirect = channel === "";
  const written = agent === undefined ? undefined : nameIn(agent, unwritten(app));
  const isListed = agent !== undefined && projects.includes(agent.project);
  const isAgentGone = isListed && known?.has(keyOf(agent)) === false ? (true as const) : undefined;
  const row = { platform, workspace, agent: written, isAgentGone, ...sums };
  if (isDirect) return row;
  const qualified = agent === undefined ? undefined : keyOf(agent);
  const [{ name, isGone }, mode, failure] = await Promise.all([
    places.nameOf(place),
    answersAll(places.kindOf(place)) ? ("every" as const) : bindings.modeOf(place),
    sums.failed > 0 ? lastFailure(app, place, qualified, period) : undefined,
  ]);
  return { ...row, channel, mode, name, isGone, lastFailure: failure };
}

const keyOf = ({ project, name }: Named) => `${project}.${name}`;

async function lastFailure({ state }: OverviewApp, place: Place, agent: string | undefined, { fromMs }: Period) {
  const { platform, workspace, channel } = place;
  const failed = questionQuery({ platform, workspace, channel, outcome: "failed", fromMs, agent });
  const [newest] = (await questionLogIn(state).query(failed, 1)).entries;
  return newest === undefined ? undefined : { atMs: newest.record.askedAtMs, ref: newest.record.ref };
}

function failuresOf({ failures }: Added): Figures["failures"] {
  return [...failures]
    .filter(([, count]) => count > 0)
    .map(([code, count]) => ({ code, count, what: sentenceOf(code) }))
    .sort((one, other) => other.count - one.count || (one.code < other.code ? -1 : 1));
}

/** A code of another version has no sentence. */
function sentenceOf(code: string): string {
  return Object.hasOwn(errorTexts, code) ? errorTexts[code as keyof typeof errorTexts].what : code;
}

function knownZone(timeZone: string): string {
  try {
    return new Intl.DateTimeFormat("en", { timeZone }).resolvedOptions().timeZone;
  } catch {
    return "UTC";
  }
}
