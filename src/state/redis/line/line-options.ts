/**
 * What a line on Redis needs from its coordinator.
 */
import type { Clock } from "../../../ports/clock.ts";
import type { LineLimits } from "./script.ts";
import type { LaneEntry } from "./unsent-changes.ts";

/** What a caller waits for: one permit for its group, in lanes at the place of its entry. */
export type Wish = LaneEntry & { readonly group: string };

export type LineTimes = LineLimits & {
  readonly renewEveryMs: number;
  /** Delay before a retry after a failure. */
  readonly retryMs: number;
};

/** Options shared by all lines of a kind; `line` is a line's key. */
export type LineOptions = {
  /** Id of this instance. */
  readonly owner: string;
  /** A new ticket id, unique over all lines. */
  readonly nextId: () => string;
  /** Entries are sorted by order, as in a lane; otherwise first come, first served. */
  readonly keepsPlace: boolean;
  /** Held permits count until they are released, even above the number of permits, and are never lost. */
  readonly isCounted: boolean;
  readonly times: LineTimes;
  readonly clock: Clock;
  /** Runs the script on that line. */
  readonly evaluate: (line: string, request: string) => Promise<unknown>;
  /** Renews only that lease. Resolves with the time of sending, or undefined if the line needs a full request. */
  readonly renew: (line: string, id: string) => Promise<number | undefined>;
  /** Called when this instance neither holds nor awaits anything on the line. */
  readonly onIdle: (line: string) => void;
};
