/**
 * A permit to run at the agent service, and the run it is used for. A stopped run ends at once for people but still
 * costs the service something, so its permit is held until the service has finished with it, or probably has.
 */

import type { Named } from "../../core/access.ts";
import type { ErrorCode, ParleyError } from "../../core/errors.ts";
import type { AgentEvent, RunHandle } from "../../core/model/agent-event.ts";
import { workspaceKey } from "../../core/model/place.ts";
import type { PlaceInLine } from "../../core/model/turn.ts";
import { type AskOptions, runsKey, type ServiceMessage } from "../../core/ports/agent-service.ts";
import type { BridgeApp } from "../app.ts";
import { markWaiting } from "../turn/resumption.ts";
import { interruptionOf, type TurnWork } from "../turn/turn-work.ts";
import { cancelRun } from "./run-handle.ts";

/** How long the permit of a stopped run is held: the service notices a closed connection late. */
const stoppedPermitMs = 10_000;
/** How long a run that closing does not stop is read in the background. */
const maxBackgroundMs = 5 * 60_000;
const lostSight: readonly ErrorCode[] = ["stream_silent", "stream_too_long", "service_busy", "answer_too_large"];
/** Positions up to this one are always shown. */
const nearPositions = 10;

/** Whether the service may still be working after this. One that says until when it is busy has refused: nothing runs. */
export function mayStillRun({ code, retryAfterMs }: ParleyError): boolean {
  return lostSight.includes(code) && !(code === "service_busy" && retryAfterMs !== undefined);
}

/** Exactly one of `release` and `abandon` ends it. */
export type Run = {
  /** Rejects with the signal's reason as soon as it aborts. */
  readonly ask: (
    agent: Named,
    messages: readonly ServiceMessage[],
    options: Omit<AskOptions, "signal">,
  ) => AsyncIterable<AgentEvent>;
  /** The run has ended, or failed with that error. */
  readonly release: (failure?: ParleyError) => void;
  /** The signal has aborted: ends the run, and releases its permit when the service has probably finished with it. */
  readonly abandon: () => void;
};

/**
 * Waits for the per-minute limits, then for a permit of the service. `isContinued`: a person has decided about a tool
 * call of a question that has passed the limits.
 */
export async function acquireRun(
  { record, picture }: TurnWork,
  { signal, isContinued }: { readonly signal: AbortSignal; readonly isContinued: boolean },
  app: BridgeApp,
): Promise<Run> {
  const { service, questionLimit, clock } = app;
  const { coordinator } = app.state;
  const { actor, conversation } = record.turn();
  const onWaiting = (place: PlaceInLine) => {
    void markWaiting(record);
    const view = picture.view();
    if (isWorthShowing(view.placeInLine, place)) picture.show({ ...view, state: "queued", placeInLine: place });
  };
  if (!isContinued) await questionLimit.wait({ actor, conversation }, signal, onWaiting);
  const { maxRuns, closeStopsRun } = await service.profile();
  const permit = await coordinator.permit(runsKey, maxRuns, workspaceKey(conversation), {
    signal,
    onPosition: (position) => onWaiting({ kind: "service", position }),
  });
  const closing = new AbortController();
  let events: AsyncGenerator<AgentEvent> | undefined;
  /** The newest one, and who wants to know of a newer one. */
  let handle: RunHandle | undefined;
  let onHandle: (known: RunHandle) => void = () => {};
  /** The service is busy and hasn't been asked again: there is no run. */
  let isWaiting = false;
  const releaseLater = () => clock.after(stoppedPermitMs, () => void permit.release());

  /** Closes the connection, or reads on where that doesn't stop the run. */
  function leave(settled: Promise<void>): void {
    if (closeStopsRun) {
      closing.abort();
      releaseLater();
      return;
    }
    const cancel = clock.after(maxBackgroundMs, () => closing.abort());
    void settled.then(() => {
      cancel();
      return permit.release();
    });
  }

  /** The service cancels it, if it can: then it is over at once. */
  async function cancelled(known: RunHandle, settled: Promise<void>): Promise<boolean> {
    const isOver = await Promise.race([cancelRun(known, app), settled.then(() => true)]);
    if (isOver) {
      closing.abort();
      void permit.release();
    }
    return isOver;
  }

  return {
    ask: ({ project, name }, messages, options) => {
      handle = options.resume;
      const asked = service.ask(project, name, messages, { ...options, signal: closing.signal });
      events = noted(counted(asked, app), (event) => {
        isWaiting = event.type === "waiting" && event.forMs !== undefined;
        if (event.type !== "run") return;
        handle = event.run;
        onHandle(event.run);
      });
      return untilAborted(events, signal);
    },
    release: (failure) => {
      if (failure !== undefined && mayStillRun(failure)) releaseLater();
      else void permit.release();
    },
    abandon: () => {
      if (events === undefined) return void permit.release();
      if (isWaiting) closing.abort();
      const settled = readToEnd(events).catch(() => undefined);
      if (isWaiting) return void permit.release();
      const { kind } = interruptionOf(signal);
      // When the process shuts down, nobody is left to read a run to its end; the next one may read it on.
      if (kind === "drain") {
        closing.abort();
        releaseLater();
        return;
      }
      // Another instance reads it on.
      if (kind === "taken") return leave(settled);
      let isLeft = false;
      const orLeave = (isOver: boolean) => {
        if (!isOver && !isLeft) leave(settled);
        isLeft = true;
      };
      if (handle !== undefined) return void cancelled(handle, settled).then(orLeave);
      // It was stopped before the service named it.
      onHandle = (known) => void cancelRun(known, app).then((isOver) => isOver && closing.abort());
      orLeave(false);
    },
  };
}

async function* counted(events: AsyncIterable<AgentEvent>, { metrics }: BridgeApp): AsyncGenerator<AgentEvent> {
  metrics.streamsChanged(1);
  try {
    yield* events;
  } finally {
    metrics.streamsChanged(-1);
  }
}

async function* noted(
  events: AsyncGenerator<AgentEvent>,
  note: (event: AgentEvent) => void,
): AsyncGenerator<AgentEvent> {
  for await (const event of events) {
    note(event);
    yield event;
  }
}

/**
 * Leaves the events open when the signal aborts, so that they can still be read to their end. It listens once: a listener
 * for each event of a hundred answers that grow took an eighth of the time of reading them.
 */
async function* untilAborted(events: AsyncGenerator<AgentEvent>, signal: AbortSignal): AsyncGenerator<AgentEvent> {
  let stopWaiting = (_reason: unknown): void => {};
  const onAbort = () => stopWaiting(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  const following = () =>
    new Promise<IteratorResult<AgentEvent>>((resolve, reject) => {
      stopWaiting = reject;
      events.next().then(resolve, reject);
      if (signal.aborted) reject(signal.reason);
    });
  try {
    for (;;) {
      const next = await following();
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    signal.removeEventListener("abort", onAbort);
    if (!signal.aborted) await events.return(undefined);
  }
}

async function readToEnd(events: AsyncIterable<AgentEvent>): Promise<void> {
  for await (const _event of events);
}

/** A distant position is shown again when it has improved by a tenth: thousands move by one whenever one leaves. */
function isWorthShowing(shown: PlaceInLine | undefined, now: PlaceInLine): boolean {
  if (shown === undefined || shown.kind !== now.kind || now.position <= nearPositions) return true;
  return now.position > shown.position || now.position <= shown.position * 0.9;
}
