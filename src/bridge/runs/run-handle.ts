/**
 * What a Turn stores of its run at the service. After a crash the run is read on instead of being asked again; an edited
 * or stopped one is cancelled.
 */

import type { App } from "../../app.ts";
import type { Conversation } from "../../core/conversations.ts";
import type { AgentEvent, RunHandle, ServiceThread } from "../../core/model/agent-event.ts";
import type { Turn } from "../../core/model/turn.ts";
import type { AskOptions } from "../../core/ports/agent-service.ts";
import { orAborted } from "../../core/tools/abortable.ts";
import { threadFor } from "../conversation/service-threads.ts";
import type { TurnRecord } from "../turn/turn-record.ts";

/** A service that doesn't answer by then has not cancelled it. */
const cancelWithinMs = 10_000;
/** A longer outage of storage only means that the question would be asked again after a crash. */
const patienceMs = 1_500;
/** Of a service's ids, as JSON. Longer ones are no ids. */
const maxHandleChars = 8_192;

/** Whether the run is over by then. Never rejects. */
export async function cancelRun(run: RunHandle, { service, clock, log }: App): Promise<boolean> {
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
    await record.move(state, { run: { handle: event.run, attempt }, ...serviceThread }, patienceMs);
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
