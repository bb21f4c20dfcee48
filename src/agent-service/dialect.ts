/** What the client of each dialect is made from: the connection, its limits, and which server was found there. */
import { type Settings, settingsSchema } from "../config/settings.ts";
import { ParleyError } from "../core/errors.ts";
import { runLimits } from "../core/model/agent-event.ts";
import type { ServiceMessage, ServiceProfile } from "../core/ports/agent-service.ts";
import type { Clock } from "../core/ports/clock.ts";
import type { Log } from "../core/ports/log.ts";
import type { KeyValue } from "../core/ports/state.ts";
import type { ProxySettings } from "./http/request.ts";

/** What servers and models refuse, each for a day. */
export type Refusals = Pick<KeyValue<true>, "get" | "set">;

/**
 * Those of the settings, and what no variable changes. `firstChunkMs` is to the first byte of a stream; also for calls
 * that may run a model (creating an agent or a knowledge base).
 */
export type Limits = Settings["serviceLimits"] & {
  /** To establish a connection. */
  readonly connectMs: number;
  readonly requestMs: number;
  readonly statusMs: number;
  readonly maxChunkBytes: number;
};

export const defaultLimits: Limits = {
  ...settingsSchema.shape.serviceLimits.parse({}),
  connectMs: 5_000,
  requestMs: 30_000,
  statusMs: 5_000,
  maxChunkBytes: runLimits.eventBytes,
};

export function limitsOf({ limits }: { readonly limits?: Partial<Limits> }): Limits {
  return { ...defaultLimits, ...limits };
}

/** The last message. Servers repeat the previous answer, or say something unrelated, when they are asked nothing. */
export function questionOf(messages: readonly ServiceMessage[]): ServiceMessage {
  const last = messages.at(-1);
  if (last === undefined || last.question.trim() === "") throw new ParleyError("question_empty");
  return last;
}

/** What answered when the service was looked for. The dialect has a profile for each. */
export type FoundServer = {
  readonly generation: ServiceProfile["generation"];
  /** "" where the server doesn't tell. */
  readonly version: string;
};

export type DialectOptions = {
  /**
   * Where the paths of the dialect begin, without a slash at the end: at the service's own root for `mindsdb`, at
   * `…/v1` for `responses` and `chat`, at `…/api/v1` for cowork-server. May hold the path of a proxy.
   */
  readonly baseUrl: string;
  readonly token?: string;
  /** A login, for `mindsdb` only. */
  readonly user?: string;
  readonly password?: string;
  /** AGENT_MAX_RUNS. */
  readonly maxRuns?: number;
  readonly limits?: Partial<Limits>;
  readonly clock: Clock;
  readonly log: Log;
  /** Present when requests go through a proxy; read from the environment. */
  readonly proxy?: ProxySettings;
  /** Absent: what is refused is found out with each question. */
  readonly refusals?: Refusals;
  /** Called for each chunk that was skipped because it isn't JSON. */
  readonly onMalformed?: () => void;
  /** Absent where nobody looked: the dialect takes the server for an unknown one, or asks it. */
  readonly server?: FoundServer;
};
