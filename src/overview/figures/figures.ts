/** Reads the figures of the Overview page from the counts of each quarter of an hour. */
import { LRUCache } from "lru-cache";
import type { App } from "../../app.ts";
import type { Place } from "../../core/model/place.ts";
import type { ChannelFigures, FigureDays, FigureReader, Figures } from "../../core/overview/figures.ts";
import type { Places } from "../../core/overview/places.ts";
import { questionLogIn, questionQuery } from "../../core/overview/question-log.ts";
import { byClock } from "../../core/tools/cache-time.ts";
import { nameIn } from "../../core/tools/split-name.ts";
import { withTimeout } from "../../core/tools/timeout.ts";
import { channelsOf, countsIn } from "../../insight/counts/question-counts.ts";
import { readWhere } from "../../insight/counts/share.ts";
import { errorTexts } from "../../presentation/sentences.ts";
import { answersAll } from "../places.ts";
import { type Added, add, nothingAdded, sumsOf } from "./added.ts";
import { dayFigures, merged, type Period, periodOf, slotFinder, withoutTimes } from "./figures-of.ts";

/** Several people look at the page, which asks again every minute. */
const keptMs = 5_000;
const maxKept = 30;
const maxChannels = 50;
/** The service is asked for its agents; the figures don't wait for it. */
const agentsWithinMs = 200;

type ChannelSums = { questions: number; withSource: number; failed: number };

export function createFigures(
  app: App,
  { places }: { readonly places: Pick<Places, "nameOf" | "kindOf"> },
): FigureReader {
  const { clock } = app;
  const { modeOf } = app.bindings;
  const { agents } = app.reach.lists;
  const { project } = app.settings;
  const counts = countsIn(app.state);
  const questionLog = questionLogIn(app.state);
  const kept = new LRUCache<string, Figures, { readonly days: FigureDays; readonly zone: string }>({
    max: maxKept,
    ttl: keptMs,
    ...byClock(clock),
    ignoreFetchAbort: true,
    fetchMethod: (_key, _stale, { context: { days, zone } }) => read(days, zone),
  });

  /** Of both periods, of which the earlier one ends where the other begins. `byWhere`: of the later one. */
  async function added(period: Period, earlier: Period) {
    const byDay = period.starts.map(nothingAdded);
    const before = nothingAdded();
    const byWhere = new Map<string, ChannelSums>();
    const dayOf = slotFinder(period, byDay);
    const both = { from: earlier.fromMs, until: period.untilMs };
    for await (const { record } of counts.all({ order: "sinceMs", ...both })) {
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

  async function lastFailure(place: Place, agent: string | undefined, { fromMs }: Period) {
    const filter = {
      platform: place.platform,
      workspace: place.workspace,
      channel: place.channel,
      outcome: "failed",
    } as const;
    const { entries } = await questionLog.query(questionQuery({ ...filter, fromMs, agent }), 1);
    const [newest] = entries;
    return newest === undefined ? undefined : { atMs: newest.record.askedAtMs, ref: newest.record.ref };
  }

  async function rowOf(
    where: string,
    sums: ChannelSums,
    period: Period,
    known: ReadonlySet<string> | undefined,
  ): Promise<ChannelFigures | undefined> {
    const read = readWhere(where);
    if (read === undefined) return undefined;
    const { place, agent } = read;
    const { platform, workspace, channel } = place;
    const isDirect = channel === "";
    const written = agent === undefined ? undefined : nameIn(agent, project);
    const isAgentGone = agent?.project === project && known?.has(agent.name) === false ? (true as const) : undefined;
    const row = { platform, workspace, agent: written, isAgentGone, ...sums };
    if (isDirect) return row;
    const qualified = agent === undefined ? undefined : `${agent.project}.${agent.name}`;
    const [{ name, isGone }, mode, failure] = await Promise.all([
      places.nameOf(place),
      answersAll(places.kindOf(place)) ? ("every" as const) : modeOf(place),
      sums.failed > 0 ? lastFailure(place, qualified, period) : undefined,
    ]);
    return { ...row, channel, mode, name, isGone, lastFailure: failure };
  }

  async function read(days: FigureDays, timeZone: string): Promise<Figures> {
    const nowMs = clock.now();
    const period = periodOf(days, nowMs, timeZone);
    const earlier = periodOf(days, nowMs, timeZone, 1);
    const { byDay, before, byWhere } = await added(period, earlier);
    const all = merged(byDay);
    const channels = [...byWhere].filter(([, { questions }]) => questions > 0);
    channels.sort(([a, one], [b, other]) => other.questions - one.questions || (a < b ? -1 : 1));
    const listed = await withTimeout(agents(), agentsWithinMs, clock).catch(() => undefined);
    const known = listed === undefined ? undefined : new Set(listed.map(({ name }) => name));
    const shown = channels.slice(0, maxChannels);
    const rows = await Promise.all(shown.map(([where, sums]) => rowOf(where, sums, period, known)));
    return {
      days,
      timeZone,
      fromMs: period.fromMs,
      untilMs: nowMs,
      before: withoutTimes(sumsOf(before)),
      byDay: period.starts.map((startMs, at) => dayFigures(startMs, timeZone, byDay[at] ?? nothingAdded())),
      total: sumsOf(all),
      failures: failuresOf(all),
      channels: rows.filter((row) => row !== undefined),
      moreChannels: channels.length - shown.length,
    };
  }

  return {
    of: (days, timeZone) => {
      const zone = knownZone(timeZone);
      return kept.forceFetch(`${days} ${zone}`, { context: { days, zone } });
    },
  };
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
