/** The port to schedules: what commands and the bridge do with them. */
import type { Actor, Place } from "../model/place.ts";
import type { Schedule } from "../model/schedule.ts";
import type { Turn, TurnView } from "../model/turn.ts";

export type NewSchedule = Pick<Schedule, "id" | "owner" | "place" | "what"> & {
  readonly time: Schedule["time"];
};

/** "refused": its owner may not ask that now, or nobody can tell. */
export type ScheduleChange = "done" | "gone" | "refused";

export type Schedules = {
  /** Durable when it resolves. "known": it was created by an earlier press. "too-many": that person has enough. */
  readonly create: (schedule: NewSchedule) => Promise<Schedule | "known" | "too-many">;
  /** Creates it, or changes the one with its id: its time and its owner. Durable when it resolves. */
  readonly setUp: (schedule: NewSchedule) => Promise<Schedule | "too-many">;
  readonly get: (place: Pick<Place, "platform" | "workspace">, id: string) => Promise<Schedule | undefined>;
  /** That person's, newest first. */
  readonly ofPerson: (
    place: Pick<Place, "platform" | "workspace">,
    actor: Pick<Actor, "id">,
  ) => Promise<readonly Schedule[]>;
  /** Everyone's in that channel, newest first. */
  readonly inChannel: (place: Place) => Promise<readonly Schedule[]>;
  readonly pause: (schedule: Schedule) => Promise<ScheduleChange>;
  /** What was missed since it was paused is done once, at once. */
  readonly resume: (schedule: Schedule) => Promise<ScheduleChange>;
  readonly delete: (schedule: Schedule) => Promise<ScheduleChange>;
  /** Once, besides its times. `eventKey` makes it one run. Throws too_many_questions. */
  readonly runNow: (schedule: Schedule, eventKey: string) => Promise<ScheduleChange>;
  /** Whether that end of a scheduled question differs from the last one that was shown. */
  readonly isNews: (turn: Turn, view: TurnView) => Promise<boolean>;
};
