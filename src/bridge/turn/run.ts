/**
 * Runs one question on the agent service: waits for a permit, then reads the stream. A stopped run ends at once for
 * people but still costs the service something, so its permit is held for a while, or until the stream ends.
 */

import type { AgentEvent, AgentService, ServiceMessage } from "../../ports/agent-service.ts";
import { runsKey } from "../../ports/agent-service.ts";
import type { Clock } from "../../ports/clock.ts";
import { type ErrorCode, type ParleyError, toParleyError } from "../../ports/errors.ts";
import { type Place, workspaceKey } from "../../ports/model/place.ts";
import type { PlaceInLine, TurnView } from "../../ports/model/turn.ts";
import type { Coordinator, Lease } from "../../ports/state.ts";
import type { Circuit } from "../circuit.ts";
import { type Interruption, interruptionOf } from "../interruption.ts";
import { conclude, failWith, hasAnswer, reduce } from "./turn-view.ts";
import { keptAnswer } from "./view-limits.ts";

/** How long the permit of a stopped run is held: the service notices a closed connection late. */
const stoppedPermitMs = 10_000;
/** How long a run that closing does not stop is read in the background. */
const maxBackgroundMs = 5 * 60_000;

/** After these errors the service may still be working. */
const mayStillRun: readonly ErrorCode[] = ["stream_silent", "stream_too_long", "service_busy", "answer_too_large"];

const eventsPerTurn = 50;
/** Positions up to this one are always shown. */
const nearPositions = 10;

export type RunEnd =
  | { readonly kind: "concluded"; readonly view: TurnView }
  | { readonly kind: "interrupted"; readonly by: Interruption; readonly view: TurnView };

export type RunOptions = {
  readonly service: AgentService;
  readonly coordinator: Coordinator;
  readonly clock: Clock;
  readonly place: Place;
  readonly project: string;
  readonly agent: string;
  readonly view: TurnView;
  readonly heartbeatMs: number;
  readonly circuit: Pick<Circuit, "check" | "reached" | "failed">;
  /** A person pressed Try again or edited the question: ask even if the circuit is open. */
  readonly isAskedAgain: boolean;
  /** Waits until the per-minute limits allow it. */
  readonly waitForLimit: (signal: AbortSignal, onWait: (place: PlaceInLine) => void) => Promise<void>;
  /** Its reason is an Interruption. */
  readonly signal: AbortSignal;
  readonly onView: (view: TurnView) => void;
  /** The run has to wait, for a limit or for a permit. */
  readonly onWaiting: () => void;
  /** Called once the permit is held: stores that the run begins, and builds the messages. */
  readonly begin: (signal: AbortSignal) => Promise<readonly ServiceMessage[]>;
  readonly onFirstEvent: () => void;
  /** The reason of a failure, with the service's words. The view only holds what is safe to show. */
  readonly onFailure: (error: ParleyError) => void;
  readonly onStream: (by: 1 | -1) => void;
};

/** A distant position is shown again when it has improved by a tenth: thousands move by one whenever one leaves. */
function isWorthShowing(shown: PlaceInLine | undefined, now: PlaceInLine): boolean {
  if (shown === undefined || shown.kind !== now.kind || now.position <= nearPositions) return true;
  return now.position > shown.position || now.position <= shown.position * 0.9;
}

export async function run(options: RunOptions): Promise<RunEnd> {
  const { service, coordinator, clock, signal } = options;
  let view = options.view;
  let shownAtMs = clock.now();
  const show = (next: TurnView) => {
    view = next;
    shownAtMs = clock.now();
    options.onView(view);
  };

  let permit: Lease;
  let closeStopsRun: boolean;
  try {
    const waiting = (placeInLine: PlaceInLine) => {
      options.onWaiting();
      if (isWorthShowing(view.placeInLine, placeInLine)) show({ ...view, state: "queued", placeInLine });
    };
    await options.waitForLimit(signal, waiting);
    const profile = await service.profile();
    closeStopsRun = profile.closeStopsRun;
    permit = await coordinator.permit(runsKey, profile.maxRuns, workspaceKey(options.place), {
      signal,
      onPosition: (position) => waiting({ kind: "service", position }),
    });
  } catch (failure) {
    if (signal.aborted) return { kind: "interrupted", by: interruptionOf(signal), view };
    const error = toParleyError(failure);
    options.circuit.failed(error, "look-up");
    options.onFailure(error);
    return { kind: "concluded", view: failWith(view, error, clock.now()) };
  }

  const closing = new AbortController();
  let isWatched = true;
  let sawEnd = false;
  let isFirst = true;
  let eventsRead = 0;
  let messages: readonly ServiceMessage[] | undefined;

  const reading = (async () => {
    const { placeInLine: _over, ...rest } = view;
    view = { ...rest, state: "running" };
    const read = await options.begin(signal);
    if (signal.aborted) return;
    // The service may have gone down while this question waited in line.
    options.circuit.check(options.isAskedAgain);
    messages = read;
    const events = service.ask(options.project, options.agent, read, { signal: closing.signal });
    for await (const event of countStream(events, options.onStream)) {
      if (!isWatched) continue;
      if (isFirst) options.circuit.reached();
      if (isFirst) options.onFirstEvent();
      isFirst = false;
      sawEnd ||= event.type === "ended";
      // A flood of events must not block everything else: each event creates a new view.
      eventsRead += 1;
      if (eventsRead % eventsPerTurn === 0) await clock.loopTurn("events");
      if (event.type === "failed") options.onFailure(event.error);
      const next = reduce(view, event, clock.now());
      // The end follows the answer at once; drawing progress now would only delay it.
      if (event.type === "answer") view = next;
      else if (next !== view) show(next);
    }
  })();

  let onInterruption = () => {};
  const interrupted = new Promise<"interrupted">((resolve) => {
    onInterruption = () => resolve("interrupted");
    if (signal.aborted) onInterruption();
    else signal.addEventListener("abort", onInterruption, { once: true });
  });
  const stopHeartbeat = startHeartbeat(
    clock,
    options.heartbeatMs,
    () => shownAtMs,
    () => show(view),
  );

  function abandon(): RunEnd {
    isWatched = false;
    const by = interruptionOf(signal);
    // When the process shuts down, nobody is left to read a run to its end.
    const isClosed = closeStopsRun || by.kind === "drain";
    if (messages === undefined) void permit.release();
    else abandonRun({ reading, permit, closing, clock, isClosed });
    return { kind: "interrupted", by, view };
  }

  try {
    const winner = await Promise.race([reading, interrupted]);
    if (winner === "interrupted") return abandon();
    let concluded = conclude(view, clock.now());
    const wasLost = concluded.error?.code === "no_answer" && sawEnd && view.steps.length > 0;
    if (wasLost) concluded = await askPlainOnce(options, messages ?? [], concluded);
    void permit.release();
    if (signal.aborted) return { kind: "interrupted", by: interruptionOf(signal), view };
    return { kind: "concluded", view: concluded };
  } catch (failure) {
    if (signal.aborted) return abandon();
    const error = toParleyError(failure);
    options.circuit.failed(error, "question");
    options.onFailure(error);
    // The service may still be working on this run.
    const isPermitKept = mayStillRun.includes(error.code);
    if (isPermitKept) clock.after(stoppedPermitMs, () => void permit.release());
    else void permit.release();
    return { kind: "concluded", view: failWith(view, error, clock.now()) };
  } finally {
    stopHeartbeat();
    // Node keeps a combined signal alive while it has listeners.
    signal.removeEventListener("abort", onInterruption);
  }
}

async function* countStream(
  events: AsyncIterable<AgentEvent>,
  onStream: (by: 1 | -1) => void,
): AsyncIterable<AgentEvent> {
  onStream(1);
  try {
    yield* events;
  } finally {
    onStream(-1);
  }
}

/** Ends an abandoned run, and releases its permit when the service has probably finished with it. */
function abandonRun(run: {
  readonly reading: Promise<void>;
  readonly permit: Lease;
  readonly closing: AbortController;
  readonly clock: Clock;
  /** Closes the connection now; else the stream is read to its end in the background. */
  readonly isClosed: boolean;
}): void {
  const settled = run.reading.catch(() => undefined);
  if (run.isClosed) {
    run.closing.abort();
    run.clock.after(stoppedPermitMs, () => void run.permit.release());
    return;
  }
  const cancel = run.clock.after(maxBackgroundMs, () => run.closing.abort());
  void settled.then(() => {
    cancel();
    return run.permit.release();
  });
}

/**
 * The only automatic retry: 25.x can lose an answer without any failure, and its plain endpoint does not. There a model
 * that really failed says so.
 */
async function askPlainOnce(
  options: RunOptions,
  messages: readonly ServiceMessage[],
  concluded: TurnView,
): Promise<TurnView> {
  const { service, clock, signal } = options;
  try {
    if (!(await service.profile()).plainWorks) return concluded;
    const text = await service.askPlain(options.project, options.agent, messages, { signal });
    const { error: _lost, endedAtMs: _ended, ...rest } = concluded;
    const answered: TurnView = { ...rest, ...keptAnswer(text) };
    return hasAnswer(answered) ? conclude(answered, clock.now()) : concluded;
  } catch (failure) {
    const error = toParleyError(failure);
    if (error.code === "stopped") return concluded;
    options.onFailure(error);
    return failWith({ ...concluded }, error, clock.now());
  }
}

/**
 * Calls back after `everyMs` without an event and since the last call: beside an event it would cost one more write.
 */
function startHeartbeat(clock: Clock, everyMs: number, lastMs: () => number, onHeartbeat: () => void): () => void {
  let cancel = clock.after(everyMs, look);
  function look() {
    const leftMs = lastMs() + everyMs - clock.now();
    if (leftMs <= 0) onHeartbeat();
    cancel = clock.after(leftMs <= 0 ? everyMs : leftMs, look);
  }
  return () => cancel();
}
