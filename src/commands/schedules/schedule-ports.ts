/** The ports of the commands for schedules, beyond those every command has. */
import type { Schedules } from "../../ports/content/schedules.ts";
import type { Actor, Attachment, Place } from "../../ports/model/place.ts";
import type { KeyValue } from "../../ports/state.ts";
import type { CommandPorts } from "../ports.ts";

/** A question with a time at its end, until its asker says what it is. */
export type PendingSchedule = {
  readonly actorId: string;
  /** As typed, with the time. */
  readonly text: string;
  readonly attachments: readonly Attachment[];
  /** As typed. */
  readonly agent?: string;
  /** Whose it would be there. Absent: it can't be a schedule. */
  readonly schedule?: {
    readonly place: Place;
    readonly question: string;
    readonly onlyIfChanged?: true;
    readonly cron: string;
    readonly timeZone: string;
    readonly text: string;
  };
};

export type SchedulePorts = CommandPorts & {
  readonly schedules: Schedules;
  /** Namespace "pending-schedules". */
  readonly pending: KeyValue<PendingSchedule>;
  /** The person's where the platform knows it, else TIME_ZONE. Never rejects. */
  readonly timeZoneOf: (actor: Actor, place: Place) => Promise<string>;
};
