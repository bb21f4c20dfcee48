/** What every part of the Discord adapter works with. */
import type { Clock } from "../../src/core/ports/clock.ts";
import type { Log } from "../../src/core/ports/log.ts";
import type { KeyValue } from "../../src/core/ports/state.ts";
import type { Rest } from "./connection/clients.ts";

export type DiscordParts = {
  readonly rest: Rest;
  readonly keyValue: KeyValue<string>;
  readonly clock: Clock;
  readonly log: Log;
};
