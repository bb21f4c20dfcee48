/** What a Turn depends on, and how the process controls it. */

import type { AgentService } from "../../ports/agent-service.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Site } from "../../ports/delivery.ts";
import type { Log } from "../../ports/log.ts";
import type { BridgeMetrics } from "../../ports/metrics.ts";
import type { Coordinator, TurnStore } from "../../ports/state.ts";
import type { Circuit } from "../circuit.ts";
import type { Interruption } from "../interruption.ts";
import type { QuestionLimit } from "../question-limit.ts";
import type { PreparationDeps } from "./preparation.ts";

export type TurnDeps = PreparationDeps & {
  readonly service: AgentService;
  readonly turns: TurnStore;
  readonly coordinator: Coordinator;
  readonly sites: ReadonlyMap<string, Site>;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: BridgeMetrics;
  readonly circuit: Circuit;
  readonly questionLimit: QuestionLimit;
};

/** How the process controls a living Turn. `signal` is a new one after each restart. */
export type TurnControl = {
  readonly signal: () => AbortSignal;
  /** `isForEnd`: showing an end can use the grace period of a shutdown. */
  readonly renew: (isForEnd?: boolean) => void;
  /** Called when the Turn holds its lane, for counting and for draining. */
  readonly onRunning: () => void;
  /** Aborts `signal` from within. */
  readonly interrupt: (by: Interruption) => void;
};
