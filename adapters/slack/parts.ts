/** What every part of the Slack adapter works with. */
import type { Clock } from "../../src/ports/clock.ts";
import type { Log } from "../../src/ports/log.ts";
import type { KeyValue } from "../../src/ports/state.ts";

export type SlackParts = {
  readonly keyValue: KeyValue<string>;
  readonly clock: Clock;
  readonly log: Log;
};
