/** What every part of the Slack adapter works with. */
import type { Clock } from "../../src/core/ports/clock.ts";
import type { Log } from "../../src/core/ports/log.ts";
import type { KeyValue } from "../../src/core/ports/state.ts";

export type SlackParts = {
  readonly keyValue: KeyValue<string>;
  readonly clock: Clock;
  readonly log: Log;
};
