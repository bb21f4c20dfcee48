/** The port to all schedules: what is asked at which times, and where. */
import type { Place } from "../model/place.ts";
import type { PlaceName } from "./places.ts";

export type ScheduleLine = {
  readonly id: string;
  readonly place: Place;
  readonly name: PlaceName;
  /** Its owner alone can change it: it is in their direct messages. */
  readonly isDirect: boolean;
  /** Parley is no longer connected to the platform: it runs nothing there. */
  readonly isOff?: true;
  readonly kind: "question" | "digest";
  /** Absent where only others may read it. */
  readonly question?: string;
  readonly agent?: string;
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

export type SchedulesReader = {
  /** By the next time, earliest first; paused ones last. */
  readonly page: (cursor: string | undefined) => Promise<SchedulePage>;
};
