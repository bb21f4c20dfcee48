/** The record of a schedule: something that Parley does at fixed times, once over all instances. */
import type { Named } from "../access.ts";
import type { Collection, CollectionDefinition, CollectionFactory } from "../ports/collection.ts";
import { type Actor, channelKey, type Place, personKey } from "./place.ts";

/** When it runs: a cron expression in a time zone ("0 9 * * 1", "Europe/Berlin"), and in words for people. */
export type ScheduleTime = { readonly cron: string; readonly timeZone: string; readonly text: string };

/** Only the person who set it up may do it, with their rights at that time. */
export type ScheduledQuestion = {
  readonly kind: "question";
  readonly question: string;
  /** Absent: the channel's. */
  readonly agent?: Named;
  readonly onlyIfChanged?: true;
};

/** Reads the pages of a knowledge base again, each with its owner's rights at that time. */
export type ScheduledReading = { readonly kind: "knowledge"; readonly base: Named };

export type Schedule = {
  readonly version: 1;
  readonly id: string;
  readonly owner: Actor;
  /** Where it is answered. */
  readonly place: Place;
  readonly time: ScheduleTime;
  readonly what: ScheduledQuestion | ScheduledReading | { readonly kind: "digest" };
  readonly state: "active" | "paused";
  readonly dueAtMs: number;
  /** Absent: not yet. */
  readonly lastRunAtMs?: number;
  /** Of the last answer that was shown, for `onlyIfChanged`, and its Turn. */
  readonly lastHash?: string;
  readonly lastTurnId?: string;
  readonly createdAtMs: number;
};

export type ScheduleField = "createdAtMs" | "owner" | "channel";
type StoredSchedules = Collection<Schedule, ScheduleField>;

export const scheduleCollection: CollectionDefinition<Schedule, ScheduleField> = {
  holds: "Questions, digests and the reading of knowledge bases at fixed times",
  person: { kind: "schedules", erase: "delete" },
  retain: "until it is removed",
  fields: {
    createdAtMs: ({ createdAtMs }) => createdAtMs,
    owner: ({ place, owner }) => personKey(place, owner),
    channel: ({ place }) => channelKey(place),
  },
  indexes: [
    { by: ["owner"], order: "createdAtMs" },
    { by: ["channel"], order: "createdAtMs" },
  ],
};

/** By workspace and id. */
export const schedulesIn = ({ collection }: { readonly collection: CollectionFactory }): StoredSchedules =>
  collection("schedules", scheduleCollection);
