/**
 * One attempt at an answer: choose the agent, wait for a permit, ask, follow the run. While it waits it holds nothing
 * large: thousands may wait at once. A stopped run ends at once for people but still costs the service something, so its
 * permit is held for a while, or until the stream ends.
 */

import type { Named } from "../../ports/access.ts";
import { type AgentEvent, runsKey, type ServiceMessage } from "../../ports/agent-service.ts";
import { type ErrorCode, ParleyError, toParleyError } from "../../ports/errors.ts";
import { workspaceKey } from "../../ports/model/place.ts";
import type { PlaceInLine, TurnView } from "../../ports/model/turn.ts";
import { orAborted } from "../../ports/tools/abortable.ts";
import { beginRun, chooseAgent } from "./preparation.ts";
import { markWaiting } from "./resumption.ts";
import { type Interruption, interruptionOf, type TurnDeps, type TurnWork } from "./turn-deps.ts";
import type { TurnRecord } from "./turn-record.ts";
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

export type AttemptEnd =
  | { readonly kind: "choose"; readonly agents: readonly string[] }
  | ({ readonly kind: "concluded"; readonly view: TurnView } & Asked)
  | ({ readonly kind: "interrupted"; readonly by: Interruption } & Asked);

export type Asked = {
  /** The Turn's attempt whose text was asked. */
  attempt: number;
  readonly startedAtMs: number;
  firstChunkMs?: number;
};

export async function attempt(work: TurnWork, deps: TurnDeps): Promise<AttemptEnd> {
  const { record, control, picture } = work;
  const asked: Asked = { attempt: record.turn().attempt, startedAtMs: deps.clock.now() };
  const chosen = await chooseAgent(record.turn(), deps);
  switch (chosen.kind) {
    case "choose":
      // Nobody is there to choose.
      if (record.turn().isQuiet === true) {
        return { kind: "concluded", view: failed(work, new ParleyError("agent_choice"), deps), ...asked };
      }
      return chosen;
    case "failed":
      return { kind: "concluded", view: failed(work, chosen.error, deps), ...asked };
    case "agent":
      picture.show({ ...picture.view(), agent: chosen.agent.name });
      // Forwarded by hand: one more combined signal would take more memory than all else a waiting question holds.
      record.onTaken(() => control.interrupt({ kind: "taken" }));
      return ask(work, chosen.agent, asked, deps).finally(() => record.onTaken(undefined));
    default:
      return chosen satisfies never;
  }
}

async function ask(work: TurnWork, agent: Named, asked: Asked, deps: TurnDeps): Promise<AttemptEnd> {
  const { record, control, picture } = work;
  const { circuit, clock } = deps;
  const signal = control.signal();
  const isAskedAgain = asked.attempt > 1;
  const interrupted = () => ({ kind: "interrupted", by: interruptionOf(signal), ...asked }) as const;
  const concluded = (view: TurnView) => ({ kind: "concluded", view, ...asked }) as const;

  let run: Run;
  try {
    run = await acquireRun(work, signal, deps);
  } catch (failure) {
    if (signal.aborted) return interrupted();
    const error = toParleyError(failure);
    circuit.failed(error, "look-up");
    return concluded(failed(work, error, deps));
  }

  const { placeInLine: _over, ...waited } = picture.view();
  picture.keep({ ...waited, state: "running" });
  const stopHeartbeat = picture.keepMoving(deps.settings.heartbeatMs);
  try {
    const messages = await orAborted(beginRun(work, agent, asked, signal, deps), signal);
    signal.throwIfAborted();
    picture.show(picture.view());
    // The service may have gone down while this question waited in line.
    circuit.check(isAskedAgain);
    let eventsRead = 0;
    let sawEnd = false;
    for await (const event of run.ask(agent, messages)) {
      if (eventsRead === 0) {
        circuit.reached();
        asked.firstChunkMs = clock.now() - asked.startedAtMs;
      }
      eventsRead += 1;
      // A flood of events must not block everything else: each event creates a new view.
      if (eventsRead % eventsPerTurn === 0) await clock.loopTurn("events");
      if (event.type === "ended") sawEnd = true;
      if (event.type === "failed") logFailure(record, event.error, deps);
      const before = picture.view();
      const view = reduce(before, event, clock.now());
      // The end follows the answer at once; drawing progress now would only delay it.
      if (event.type === "answer") picture.keep(view);
      else if (view !== before) picture.show(view);
    }
    let end = conclude(picture.view(), clock.now());
    const isLost = end.error?.code === "no_answer" && sawEnd && end.steps.length > 0;
    if (isLost) end = await askPlainOnce(work, agent, messages, end, deps);
    run.release();
    return signal.aborted ? interrupted() : concluded(end);
  } catch (failure) {
    if (signal.aborted) {
      run.abandon();
      return interrupted();
    }
    const error = toParleyError(failure);
    circuit.failed(error, "question");
    run.release(error);
    return concluded(failed(work, error, deps));
  } finally {
    stopHeartbeat();
  }
}

/** A permit to run, and the run it is used for. Exactly one of `release` and `abandon` ends it. */
type Run = {
  /** Rejects with the signal's reason as soon as it aborts. */
  readonly ask: (agent: Named, messages: readonly ServiceMessage[]) => AsyncIterable<AgentEvent>;
  /** The run has ended, or failed with that error. */
  readonly release: (failure?: ParleyError) => void;
  /** The signal has aborted: ends the run, and releases its permit when the service has probably finished with it. */
  readonly abandon: () => void;
};

/** Waits for the per-minute limits, then for a permit of the service. */
async function acquireRun({ record, picture }: TurnWork, signal: AbortSignal, deps: TurnDeps): Promise<Run> {
  const { service, coordinator, questionLimit, clock } = deps;
  const { actor, conversation } = record.turn();
  const onWaiting = (place: PlaceInLine) => {
    record.dropText();
    void markWaiting(record);
    const view = picture.view();
    if (isWorthShowing(view.placeInLine, place)) picture.show({ ...view, state: "queued", placeInLine: place });
  };
  await questionLimit.wait({ actor, conversation }, signal, onWaiting);
  const { maxRuns, closeStopsRun } = await service.profile();
  const permit = await coordinator.permit(runsKey, maxRuns, workspaceKey(conversation), {
    signal,
    onPosition: (position) => onWaiting({ kind: "service", position }),
  });
  const closing = new AbortController();
  let events: AsyncGenerator<AgentEvent> | undefined;
  const releaseLater = () => clock.after(stoppedPermitMs, () => void permit.release());

  return {
    ask: ({ project, name }, messages) => {
      events = counted(service.ask(project, name, messages, { signal: closing.signal }), deps);
      return untilAborted(events, signal);
    },
    release: (failure) => {
      if (failure !== undefined && mayStillRun.includes(failure.code)) releaseLater();
      else void permit.release();
    },
    abandon: () => {
      if (events === undefined) return void permit.release();
      const settled = readToEnd(events).catch(() => undefined);
      // When the process shuts down, nobody is left to read a run to its end.
      if (closeStopsRun || interruptionOf(signal).kind === "drain") {
        closing.abort();
        releaseLater();
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

async function* counted(events: AsyncIterable<AgentEvent>, { metrics }: TurnDeps): AsyncGenerator<AgentEvent> {
  metrics.streamsChanged(1);
  try {
    yield* events;
  } finally {
    metrics.streamsChanged(-1);
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

async function readToEnd(events: AsyncIterable<AgentEvent>): Promise<void> {
  for await (const _event of events);
}

/**
 * The only automatic retry: 25.x can lose an answer without any failure, and its plain endpoint does not. There a model
 * that really failed says so.
 */
async function askPlainOnce(
  { record, control }: TurnWork,
  agent: Named,
  messages: readonly ServiceMessage[],
  lost: TurnView,
  deps: TurnDeps,
): Promise<TurnView> {
  const { service, clock } = deps;
  try {
    if (!(await service.profile()).plainWorks) return lost;
    const text = await service.askPlain(agent.project, agent.name, messages, { signal: control.signal() });
    const { error: _lost, endedAtMs: _ended, ...rest } = lost;
    const answered: TurnView = { ...rest, ...keptAnswer(text) };
    return hasAnswer(answered) ? conclude(answered, clock.now()) : lost;
  } catch (failure) {
    const error = toParleyError(failure);
    if (error.code === "stopped") return lost;
    logFailure(record, error, deps);
    return failWith(lost, error, clock.now());
  }
}

function failed({ record, picture }: TurnWork, error: ParleyError, deps: TurnDeps): TurnView {
  logFailure(record, error, deps);
  return failWith(picture.view(), error, deps.clock.now());
}

/** With the service's words; the view only holds what is safe to show. */
function logFailure(record: TurnRecord, error: ParleyError, { log }: TurnDeps): void {
  const { id: turnId, ref } = record.turn();
  log.warn({ err: error, turnId, ref }, "A question could not be answered");
}

/** A distant position is shown again when it has improved by a tenth: thousands move by one whenever one leaves. */
function isWorthShowing(shown: PlaceInLine | undefined, now: PlaceInLine): boolean {
  if (shown === undefined || shown.kind !== now.kind || now.position <= nearPositions) return true;
  return now.position > shown.position || now.position <= shown.position * 0.9;
}
