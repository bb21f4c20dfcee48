/**
 * What becomes of a run at the agent service that nobody follows, and what a Turn stores of its run. A stopped run ends
 * at once for people but still costs the service something, so its permit is held until the service has finished with
 * it, or probably has. After a crash the run is read on instead of being asked again; an edited or stopped one is
 * cancelled.
 */

import type { App } from "../../app.ts";
import type { Conversation } from "../../core/conversations.ts";
import type { ErrorCode, ParleyError } from "../../core/errors.ts";
import type { AgentEvent, RunHandle, ServiceThread } from "../../core/model/agent-event.ts";
import type { Turn } from "../../core/model/turn.ts";
import type { AskOptions } from "../../core/ports/agent-service.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { Lease } from "../../core/ports/state.ts";
import { orAborted } from "../../core/tools/abortable.ts";
import { threadFor } from "../conversation/service-threads.ts";
import type { Interruption, TurnRecord } from "./record.ts";

/** How long the permit of a stopped run is held: the service notices a closed connection late. */
const stoppedPermitMs = 10_000;
/** How long a run that closing does not stop is read in the background. */
const maxBackgroundMs = 5 * 60_000;
const lostSight: readonly ErrorCode[] = ["stream_silent", "stream_too_long", "service_busy", "answer_too_large"];
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

/** A permit to run, and the run it is used for. Exactly one of `releaseRun` and `abandonRun` ends it. */
export type Run = {
  readonly permit: Lease;
  /** Closing the connection stops it at the service. */
  readonly closeStopsRun: boolean;
  /** Closes the connection. */
  readonly closing: AbortController;
  /** Absent before the service is asked. */
  events?: AsyncGenerator<AgentEvent>;
  /** As the service has named it last. */
  handle?: RunHandle | undefined;
  onHandle?: (known: RunHandle) => void;
  /** The service is busy and hasn't been asked again: there is no run. */
  isWaiting: boolean;
};

/** The run has ended, or failed with that error. */
export function releaseRun({ permit }: Run, { clock }: App, failure?: ParleyError): void {
  if (failure !== undefined && mayStillRun(failure)) releaseLater(permit, clock);
  else void permit.release();
}

function releaseLater(permit: Lease, clock: Clock): void {
  clock.after(stoppedPermitMs, () => void permit.release());
}

/** Nobody follows it any longer: ends it, and releases its permit when the service has probably finished with it. */
export function abandonRun(run: Run, kind: Interruption["kind"], app: App): void {
  const { events, permit, closing, handle } = run;
  if (events === undefined) return void permit.release();
  if (run.isWaiting) closing.abort();
  const settled = readToEnd(events).catch(() => undefined);
  if (run.isWaiting) return void permit.release();
  // When the process shuts down, nobody is left to read a run to its end; the next one may read it on.
  if (kind === "drain") {
    closing.abort();
    releaseLater(permit, app.clock);
    return;
  }
  // Another instance reads it on.
  if (kind === "left") {
    closeOrReadOn(run, settled, app);
    return;
  }
  if (handle !== undefined) {
    void cancelled(run, handle, settled, app).then((isOver) => isOver || closeOrReadOn(run, settled, app));
    return;
  }
  // It was stopped before the service named it.
  run.onHandle = (known) => void cancelRun(known, app).then((isOver) => isOver && closing.abort());
  closeOrReadOn(run, settled, app);
}

/** Closes the connection, or reads on where that doesn't stop the run. */
function closeOrReadOn({ closeStopsRun, closing, permit }: Run, settled: Promise<void>, { clock }: App): void {
  if (closeStopsRun) {
    closing.abort();
    releaseLater(permit, clock);
    return;
  }
  const cancel = clock.after(maxBackgroundMs, () => closing.abort());
  void settled.then(() => {
    cancel();
    return permit.release();
  });
}

/** The service cancels it, if it can: then it is over at once. */
async function cancelled(
  { closing, permit }: Run,
  known: RunHandle,
  settled: Promise<void>,
  app: App,
): Promise<boolean> {
  const isOver = await Promise.race([cancelRun(known, app), settled.then(() => true)]);
  if (isOver) {
    closing.abort();
    void permit.release();
  }
  return isOver;
}

async function readToEnd(events: AsyncIterable<AgentEvent>): Promise<void> {
  for await (const _event of events);
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
