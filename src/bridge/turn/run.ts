/**
 * A permit to run at the agent service, the run it is used for, and what a Turn stores of that run. A stopped run ends at
 * once for people but still costs the service something, so its permit is held until the service has finished with it,
 * or probably has. After a crash the run is read on instead of being asked again; an edited or stopped one is cancelled.
 */

import type { App } from "../../app.ts";
import type { Named } from "../../core/access.ts";
import type { Conversation } from "../../core/conversations.ts";
import type { ErrorCode, ParleyError } from "../../core/errors.ts";
import type { AgentEvent, RunHandle, ServiceThread } from "../../core/model/agent-event.ts";
import { workspaceKey } from "../../core/model/place.ts";
import type { PlaceInLine, Turn } from "../../core/model/turn.ts";
import { type AskOptions, runsKey, type ServiceMessage } from "../../core/ports/agent-service.ts";
import { orAborted } from "../../core/tools/abortable.ts";
import type { BridgeApp } from "../app.ts";
import { threadFor } from "../conversation/service-threads.ts";
import { interruptionOf, markWaiting, type TurnRecord } from "./record.ts";
import type { TurnWork } from "./reply.ts";

/** How long the permit of a stopped run is held: the service notices a closed connection late. */
const stoppedPermitMs = 10_000;
/** How long a run that closing does not stop is read in the background. */
const maxBackgroundMs = 5 * 60_000;
const lostSight: readonly ErrorCode[] = ["stream_silent", "stream_too_long", "service_busy", "answer_too_large"];
/** Positions up to this one are always shown. */
const nearPositions = 10;
/** A service that doesn't answer by then has not cancelled it. */
const cancelWithinMs = 10_000;
/** A longer outage of storage only means that the question would be asked again after a crash. */
const handlePatienceMs = 1_500;
/** Of a service's ids, as JSON. Longer ones are no ids. */
const maxHandleChars = 8_192;

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
      if (kind === "left") return leave(settled);
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

/** Whether the run is over by then. Never rejects. */
async function cancelRun(run: RunHandle, { service, clock, log }: App): Promise<boolean> {
  if (service.cancel === undefined) return false;
  const giving = new AbortController();
  const stopWaiting = clock.after(cancelWithinMs, () => giving.abort());
  try {
    return (await orAborted(service.cancel(run, giving.signal), giving.signal)) !== "unknown";
  } catch (err) {
    log.info({ err }, "A run could not be cancelled at the agent service");
    return false;
  } finally {
    stopWaiting();
  }
}

/**
 * Before the next event is read: what follows may have begun only because of this one. With the thread that the service
 * has named by then: a run that is read on doesn't name it again.
 */
export async function keepRun(
  record: TurnRecord,
  event: Extract<AgentEvent, { type: "run" }>,
  { attempt, thread }: { readonly attempt: number; readonly thread?: ServiceThread },
): Promise<void> {
  const { state, run } = record.turn();
  const told = JSON.stringify(event.run);
  const isKnown = run?.attempt === attempt && JSON.stringify(run.handle) === told;
  if (!isKnown && told.length <= maxHandleChars) {
    const serviceThread = thread === undefined ? {} : { serviceThread: thread };
    await record.move(state, { run: { handle: event.run, attempt }, ...serviceThread }, handlePatienceMs);
  }
}

/** The thread that an event names, if it can be stored. */
export function threadOf(event: AgentEvent): ServiceThread | undefined {
  if (event.type !== "thread" || JSON.stringify(event.thread).length > maxHandleChars) return undefined;
  return event.thread;
}

/**
 * How a run continues what the service knows. A question that is asked again begins anew there: the service's own
 * conversation may hold what it was before, or still be busy with it.
 */
export async function continuing(
  turn: Turn,
  conversation: Conversation,
  agent: NonNullable<Turn["agent"]>,
  app: App,
): Promise<Pick<AskOptions, "resume" | "thread">> {
  const { run, attempt } = turn;
  const mayResume = run?.attempt === attempt && (await app.service.profile()).resumes;
  const resume = mayResume ? run.handle : undefined;
  if (resume === undefined) cancelLeftRun(turn, app);
  return { resume, thread: threadFor(conversation, turn, agent) };
}

/** A run that nobody reads on: of the text before an edit, or of a question that was stopped while its process died. */
export function cancelLeftRun({ run }: Turn, app: App): void {
  if (run !== undefined) void cancelRun(run.handle, app);
}
