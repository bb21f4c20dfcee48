/**
 * One run of the service for one Turn: a permit, the stream, the reducer. A run that a person stopped is over for them
 * at once, but goes on to cost the service something: its permit is kept for a while, or until the stream has ended.
 */

import type { AgentEvent, AgentService, ServiceMessage } from "../../ports/agent-service.ts";
import { runsKey } from "../../ports/agent-service.ts";
import type { Clock } from "../../ports/clock.ts";
import { type ErrorCode, type ParleyError, toParleyError } from "../../ports/errors.ts";
import { type Place, workspaceKey } from "../../ports/model/place.ts";
import type { PlaceInLine, TurnView } from "../../ports/model/turn.ts";
import type { Coordinator, Lease } from "../../ports/state.ts";
import type { Circuit } from "../circuit.ts";
import { conclude, failWith, hasAnswer, reduce } from "./turn-view.ts";
import { keptAnswer } from "./view-limits.ts";

/** A stopped run's place is kept this long, since the service notices a closed connection late. */
const stoppedPlaceMs = 10_000;
/** A run that closing does not stop is read on in the background, at most this long. */
const maxBackgroundMs = 5 * 60_000;

/** After these the service may still be at work on it. */
const goesOn: readonly ErrorCode[] = ["stream_silent", "stream_too_long", "service_busy", "answer_too_large"];

const eventsPerTurn = 50;
/** So near each step is told. */
const closePlaces = 10;

export type Interruption =
  | { readonly kind: "stop" }
  | { readonly kind: "restart" }
  | { readonly kind: "drain" }
  /** Somebody else has gone on with the Turn. */
  | { readonly kind: "taken" };

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
  /** A person pressed Try again, or changed the question: asked even where the circuit is open. */
  readonly isAskedAgain: boolean;
  /** Waits until so many questions a minute allow it. */
  readonly waitForPace: (signal: AbortSignal, onWait: (place: PlaceInLine) => void) => Promise<void>;
  /** Its reason is an Interruption. */
  readonly signal: AbortSignal;
  readonly onView: (view: TurnView) => void;
  /** It has to wait, for its pace or for a permit. */
  readonly onWaiting: () => void;
  /** Called when the permit is there: stores that the run begins, and reads what the service is sent. */
  readonly begin: (signal: AbortSignal) => Promise<readonly ServiceMessage[]>;
  readonly onFirstEvent: () => void;
  /** Why it failed, with what the service said: the view keeps only what is safe to show. */
  readonly onFailure: (error: ParleyError) => void;
  readonly onStream: (by: 1 | -1) => void;
};

/** Far from its turn a place is told when it is nearer by a tenth: thousands move by one whenever one leaves. */
function isNews(told: PlaceInLine | undefined, now: PlaceInLine): boolean {
  if (told === undefined || told.kind !== now.kind || now.position <= closePlaces) return true;
  return now.position > told.position || now.position <= told.position * 0.9;
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
      if (isNews(view.placeInLine, placeInLine)) show({ ...view, state: "queued", placeInLine });
    };
    await options.waitForPace(signal, waiting);
    const profile = await service.profile();
    closeStopsRun = profile.closeStopsRun;
    permit = await coordinator.permit(runsKey, profile.maxRuns, workspaceKey(options.place), {
      signal,
      onPosition: (position) => waiting({ kind: "service", position }),
    });
  } catch (failure) {
    if (signal.aborted) return { kind: "interrupted", by: signal.reason as Interruption, view };
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
    // It may have gone away while this question waited in line.
    options.circuit.check(options.isAskedAgain);
    messages = read;
    const events = service.ask(options.project, options.agent, read, { signal: closing.signal });
    for await (const event of counted(events, options.onStream)) {
      if (!isWatched) continue;
      if (isFirst) options.circuit.reached();
      if (isFirst) options.onFirstEvent();
      isFirst = false;
      sawEnd ||= event.type === "ended";
      // A service that floods must not keep everything else waiting: each event is a new picture.
      eventsRead += 1;
      if (eventsRead % eventsPerTurn === 0) await clock.loopTurn("events");
      if (event.type === "failed") options.onFailure(event.error);
      const next = reduce(view, event, clock.now());
      // The answer's end follows at once; drawing progress now would only stand in its way.
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
  const stopBeating = beat(
    clock,
    options.heartbeatMs,
    () => shownAtMs,
    () => show(view),
  );

  function leave(): RunEnd {
    isWatched = false;
    const by = signal.reason as Interruption;
    // A process that ends has nobody left to read a run to its end.
    const isClosed = closeStopsRun || by.kind === "drain";
    if (messages === undefined) void permit.release();
    else leaveRun({ reading, permit, closing, clock, isClosed });
    return { kind: "interrupted", by, view };
  }

  try {
    const winner = await Promise.race([reading, interrupted]);
    if (winner === "interrupted") return leave();
    let concluded = conclude(view, clock.now());
    const wasLost = concluded.error?.code === "no_answer" && sawEnd && view.steps.length > 0;
    if (wasLost) concluded = await askOnce(options, messages ?? [], concluded);
    void permit.release();
    if (signal.aborted) return { kind: "interrupted", by: signal.reason as Interruption, view };
    return { kind: "concluded", view: concluded };
  } catch (failure) {
    if (signal.aborted) return leave();
    const error = toParleyError(failure);
    options.circuit.failed(error, "question");
    options.onFailure(error);
    // Such a run may still be going on at the service.
    const mayGoOn = goesOn.includes(error.code);
    if (mayGoOn) clock.after(stoppedPlaceMs, () => void permit.release());
    else void permit.release();
    return { kind: "concluded", view: failWith(view, error, clock.now()) };
  } finally {
    stopBeating();
    // Node keeps a combined signal alive for as long as somebody listens to it.
    signal.removeEventListener("abort", onInterruption);
  }
}

async function* counted(events: AsyncIterable<AgentEvent>, onStream: (by: 1 | -1) => void): AsyncIterable<AgentEvent> {
  onStream(1);
  try {
    yield* events;
  } finally {
    onStream(-1);
  }
}

/** Ends a run that nobody waits for any more, and gives its permit back when the service is likely to be rid of it. */
function leaveRun(run: {
  readonly reading: Promise<void>;
  readonly permit: Lease;
  readonly closing: AbortController;
  readonly clock: Clock;
  /** Whether the connection is closed now; else the stream is read to its end in the background. */
  readonly isClosed: boolean;
}): void {
  const settled = run.reading.catch(() => undefined);
  if (run.isClosed) {
    run.closing.abort();
    run.clock.after(stoppedPlaceMs, () => void run.permit.release());
    return;
  }
  const cancel = run.clock.after(maxBackgroundMs, () => run.closing.abort());
  void settled.then(() => {
    cancel();
    return run.permit.release();
  });
}

/**
 * The one retry that happens by itself: 25.x can lose an answer without any failure, and its plain endpoint does not.
 * A model that really failed says so there.
 */
async function askOnce(
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

/** Beats when so long has passed since the last time, and since the last beat: beside an event it would be one write more. */
function beat(clock: Clock, everyMs: number, lastMs: () => number, onBeat: () => void): () => void {
  let cancel = clock.after(everyMs, look);
  function look() {
    const leftMs = lastMs() + everyMs - clock.now();
    if (leftMs <= 0) onBeat();
    cancel = clock.after(leftMs <= 0 ? everyMs : leftMs, look);
  }
  return () => cancel();
}
