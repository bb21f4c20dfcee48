/**
 * Runs one question on the agent service: permit, stream, release. A stopped run ends at once for people but still costs
 * the service something, so its permit is held for a while, or until the stream ends.
 */

import { type AgentEvent, type AgentService, runsKey, type ServiceMessage } from "../../ports/agent-service.ts";
import type { Clock } from "../../ports/clock.ts";
import type { ErrorCode, ParleyError } from "../../ports/errors.ts";
import type { BridgeMetrics } from "../../ports/metrics.ts";
import { workspaceKey } from "../../ports/model/place.ts";
import type { PlaceInLine, Turn } from "../../ports/model/turn.ts";
import type { Coordinator } from "../../ports/state.ts";
import { orAborted } from "../../ports/tools/abortable.ts";
import type { QuestionLimit } from "../question-limit.ts";
import { interruptionOf } from "./turn-deps.ts";

/** How long the permit of a stopped run is held: the service notices a closed connection late. */
const stoppedPermitMs = 10_000;
/** How long a run that closing does not stop is read in the background. */
const maxBackgroundMs = 5 * 60_000;

/** After these errors the service may still be working. */
const mayStillRun: readonly ErrorCode[] = ["stream_silent", "stream_too_long", "service_busy", "answer_too_large"];

export type RunDeps = {
  readonly service: AgentService;
  readonly coordinator: Pick<Coordinator, "permit">;
  readonly questionLimit: QuestionLimit;
  readonly metrics: Pick<BridgeMetrics, "streamsChanged">;
  readonly clock: Clock;
};

/** A permit to run, and the run it is used for. Exactly one of `release` and `abandon` ends it. */
export type Run = {
  /** The stream of that question. Rejects with the signal's reason as soon as it aborts. */
  readonly ask: (project: string, agent: string, messages: readonly ServiceMessage[]) => AsyncIterable<AgentEvent>;
  /** The run has ended, or failed with that error. */
  readonly release: (failure?: ParleyError) => void;
  /** The signal has aborted: ends the run, and releases its permit when the service has probably finished with it. */
  readonly abandon: () => void;
};

/** Waits for the per-minute limits, then for a permit of the service. `signal`: its reason is an Interruption. */
export async function acquireRun(
  asked: Pick<Turn, "actor" | "conversation">,
  signal: AbortSignal,
  onWaiting: (place: PlaceInLine) => void,
  deps: RunDeps,
): Promise<Run> {
  const { service, coordinator, questionLimit, metrics, clock } = deps;
  await questionLimit.wait(asked, signal, onWaiting);
  const { maxRuns, closeStopsRun } = await service.profile();
  const permit = await coordinator.permit(runsKey, maxRuns, workspaceKey(asked.conversation), {
    signal,
    onPosition: (position) => onWaiting({ kind: "service", position }),
  });
  const closing = new AbortController();
  let events: AsyncGenerator<AgentEvent> | undefined;

  return {
    ask: (project, agent, messages) => {
      const asking = service.ask(project, agent, messages, { signal: closing.signal });
      events = counted(asking, metrics);
      return untilAborted(events, signal);
    },
    release: (failure) => {
      if (failure === undefined || !mayStillRun.includes(failure.code)) void permit.release();
      else clock.after(stoppedPermitMs, () => void permit.release());
    },
    abandon: () => {
      if (events === undefined) return void permit.release();
      const settled = readToEnd(events);
      // When the process shuts down, nobody is left to read a run to its end.
      if (closeStopsRun || interruptionOf(signal).kind === "drain") {
        closing.abort();
        clock.after(stoppedPermitMs, () => void permit.release());
        return;
      }
      const cancel = clock.after(maxBackgroundMs, () => closing.abort());
      void settled.then(() => {
        cancel();
        return permit.release();
      });
    },
  };
}

async function* counted(
  events: AsyncIterable<AgentEvent>,
  { streamsChanged }: RunDeps["metrics"],
): AsyncGenerator<AgentEvent> {
  streamsChanged(1);
  try {
    yield* events;
  } finally {
    streamsChanged(-1);
  }
}

/** Leaves the events open when the signal aborts, so that they can still be read to their end. */
async function* untilAborted(events: AsyncGenerator<AgentEvent>, signal: AbortSignal): AsyncGenerator<AgentEvent> {
  try {
    for (;;) {
      const next = await orAborted(events.next(), signal);
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    if (!signal.aborted) await events.return(undefined);
  }
}

/** Never rejects. */
async function readToEnd(events: AsyncIterable<AgentEvent>): Promise<void> {
  try {
    for await (const _event of events);
  } catch {
    // Nobody waits for this run any longer.
  }
}
