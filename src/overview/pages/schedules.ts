/** Schedules: what is asked at which times, and where, in all places. */

import { z } from "zod";
import type { Actor, Place } from "../../core/model/place.ts";
import { type Schedule, schedulesIn } from "../../core/model/schedule.ts";
import { cleanText } from "../../presentation/drawing.ts";
import { shorten } from "../../presentation/sentences.ts";
import type { OverviewApp } from "../app.ts";
import { type Page, parsed } from "../page.ts";
import type { PlaceName } from "../places.ts";

const perPage = 50;
const maxQuestionChars = 300;
const maxNameChars = 100;

const query = z.object({ cursor: z.coerce.number().int().min(0).catch(0) });

export const schedulesPage: Page = {
  name: "schedules",
  least: "manage",
  get: { "": (app, asked) => listSchedules(app, asked.viewer, parsed(query, asked).cursor) },
};

export type ScheduleLine = {
  readonly id: string;
  readonly place: Place;
  readonly name: PlaceName;
  /** Its owner alone can change it: it is in their direct messages. */
  readonly isDirect: boolean;
  /** Parley is no longer connected to the platform: it runs nothing there. */
  readonly isOff?: true;
  readonly kind: Schedule["what"]["kind"];
  /** Absent where only others may read it. */
  readonly question?: string;
  readonly agent?: string;
  /** The knowledge base that is read again. */
  readonly base?: string;
  /** In words, and in which time zone. */
  readonly time: string;
  readonly timeZone: string;
  readonly isOnlyIfChanged: boolean;
  readonly owner: string;
  readonly isPaused: boolean;
  readonly nextAtMs: number;
  readonly lastAtMs?: number;
};

export type SchedulePage = { readonly schedules: readonly ScheduleLine[]; readonly next?: string };

/** By the next time, earliest first; paused ones last. */
async function listSchedules(app: OverviewApp, viewer: Actor, from: number): Promise<SchedulePage> {
  const all: Schedule[] = [];
  for await (const { record } of schedulesIn(app.state).entries()) {
    if (app.reach.oversees(viewer, record.place)) all.push(record);
  }
  all.sort(byNextTime);
  const found = await Promise.all(all.slice(from, from + perPage).map((schedule) => lineOf(app, schedule)));
  return { schedules: found, ...(from + perPage < all.length ? { next: String(from + perPage) } : {}) };
}

async function lineOf({ places, settings }: OverviewApp, schedule: Schedule): Promise<ScheduleLine> {
  const { id, place, what, time, owner, state, dueAtMs, lastRunAtMs } = schedule;
  const [name, isPublic] = await Promise.all([places.nameOf(place), places.isPublic(place)]);
  const mayRead = what.kind === "question" && (settings.logPrivate || isPublic);
  return {
    id,
    place,
    name,
    isDirect: places.kindOf(place) === "direct",
    kind: what.kind,
    time: cleanText(time.text),
    timeZone: time.timeZone,
    isOnlyIfChanged: what.kind === "question" && what.onlyIfChanged === true,
    owner: shorten(cleanText(owner.name), maxNameChars),
    isPaused: state === "paused",
    nextAtMs: dueAtMs,
    question: mayRead ? shorten(cleanText(what.question), maxQuestionChars) : undefined,
    agent: what.kind === "question" && what.agent !== undefined ? cleanText(what.agent.name) : undefined,
    base: what.kind === "knowledge" ? cleanText(what.base.name) : undefined,
    lastAtMs: lastRunAtMs,
    isOff: places.kindOf(place) === "unknown" ? (true as const) : undefined,
  };
}

function byNextTime(one: Schedule, other: Schedule): number {
  if (one.state !== other.state) return one.state === "paused" ? 1 : -1;
  return one.dueAtMs - other.dueAtMs || (one.id < other.id ? -1 : 1);
}
