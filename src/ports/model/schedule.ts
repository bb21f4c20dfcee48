/** The record of a schedule: something that Parley does at fixed times, once over all instances. */
import type { Actor, Place } from "./place.ts";

/** When it runs: a cron expression in a time zone ("0 9 * * 1", "Europe/Berlin"), and as people wrote it. */
export type ScheduleTime = { readonly cron: string; readonly timeZone: string; readonly text: string };

export type Schedule = {
  readonly version: 1;
  readonly id: string;
  readonly owner: Actor;
  /** Where it is answered. */
  readonly place: Place;
  readonly time: ScheduleTime;
  readonly what:
    | { readonly kind: "question"; readonly question: string; readonly agent?: string; readonly onlyIfChanged?: true }
    | { readonly kind: "digest" };
  readonly state: "active" | "paused";
  readonly dueAtMs: number;
  /** Of the last answer, for `onlyIfChanged`. */
  readonly lastHash?: string;
  readonly createdAtMs: number;
};
