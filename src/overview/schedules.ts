/** Reads the schedules of all places, by their next time. */

import type { App } from "../app.ts";
import { type Schedule, schedulesIn } from "../core/model/schedule.ts";
import type { Places } from "../core/overview/places.ts";
import type { ScheduleLine, SchedulesReader } from "../core/overview/schedules.ts";
import { cleanText } from "../presentation/drawing.ts";
import { shorten } from "../presentation/sentences.ts";

const perPage = 50;
const maxQuestionChars = 300;
const maxNameChars = 100;

export function createSchedulesReader(app: App, { places }: { readonly places: Places }): SchedulesReader {
  const { logPrivate: showsPrivate } = app.settings;
  const schedules = schedulesIn(app.state);

  async function lineOf(schedule: Schedule): Promise<ScheduleLine> {
    const { id, place, what, time, owner, state, dueAtMs, lastRunAtMs } = schedule;
    const [name, isPublic] = await Promise.all([places.nameOf(place), places.isPublic(place)]);
    const mayRead = what.kind === "question" && (showsPrivate || isPublic);
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
      lastAtMs: lastRunAtMs,
      isOff: places.kindOf(place) === "unknown" ? (true as const) : undefined,
    };
  }

  return {
    page: async (cursor) => {
      const all: Schedule[] = [];
      for await (const { record } of schedules.entries()) all.push(record);
      all.sort(byNextTime);
      const from = Math.max(0, Math.trunc(Number(cursor ?? 0)) || 0);
      const found = await Promise.all(all.slice(from, from + perPage).map(lineOf));
      return { schedules: found, ...(from + perPage < all.length ? { next: String(from + perPage) } : {}) };
    },
  };
}

function byNextTime(one: Schedule, other: Schedule): number {
  if (one.state !== other.state) return one.state === "paused" ? 1 : -1;
  return one.dueAtMs - other.dueAtMs || (one.id < other.id ? -1 : 1);
}
