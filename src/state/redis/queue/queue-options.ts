/**
 * What a queue on Redis needs from its coordinator.
 */
import type { Clock } from "../../../core/ports/clock.ts";
import type { QueueLimits } from "./script.ts";
import type { LaneEntry } from "./unsent-changes.ts";

/** What a caller waits for: one permit for its group, in lanes at the place of its entry. */
export type Wish = LaneEntry & { readonly group: string };

export type QueueTimes = QueueLimits & {
  readonly renewEveryMs: number;
  /** Delay before a retry after a failure. */
  readonly retryMs: number;
};

/** Options shared by all queues of a kind; `queue` is a queue's key. */
export type QueueOptions = {
  /** Id of this instance. */
  readonly owner: string;
  /** A new ticket id, unique over all queues. */
  readonly nextId: () => string;
  /** Entries are sorted by order, as in a lane; otherwise first come, first served. */
  readonly keepsPlace: boolean;
  /** Held permits count until they are released, even above the number of permits, and are never lost. */
  readonly isCounted: boolean;
  readonly times: QueueTimes;
  readonly clock: Clock;
  /** Runs the script on that queue. */
  readonly evaluate: (queue: string, request: string) => Promise<unknown>;
  /** Renews only that lease. Resolves with the time of sending, or undefined if the queue needs a full request. */
  readonly renew: (queue: string, id: string) => Promise<number | undefined>;
  /** Called when this instance neither holds nor awaits anything on the queue. */
  readonly onIdle: (queue: string) => void;
};
