/**
 * One attempt at an answer: choose the agent, wait, ask, follow the run. While it waits it holds nothing large:
 * thousands may wait at once.
 */

import type { ServiceMessage } from "../../ports/agent-service.ts";
import { ParleyError, toParleyError } from "../../ports/errors.ts";
import type { PlaceInLine, Turn, TurnView } from "../../ports/model/turn.ts";
import { orAborted } from "../../ports/tools/abortable.ts";
import { refusalNow } from "../access/turn-access.ts";
import { type Chosen, chooseAgent, markContextSent, readQuestion } from "./preparation.ts";
import { markUnderWay, markWaiting } from "./resumption.ts";
import { acquireRun, type Run } from "./run.ts";
import { type Interruption, interruptionOf, type TurnDeps, type TurnWork } from "./turn-deps.ts";
import type { TurnRecord } from "./turn-record.ts";
import { conclude, failWith, hasAnswer, reduce } from "./turn-view.ts";
import { keptAnswer } from "./view-limits.ts";

/** A decision this recent is not repeated. After a longer wait the asker may have lost access. */
const decidedMs = 1_000;
const eventsPerTurn = 50;
/** Positions up to this one are always shown. */
const nearPositions = 10;

export type AttemptEnd =
  | Extract<Chosen, { kind: "choose" }>
  | ({ readonly kind: "concluded"; readonly view: TurnView } & Asked)
  | ({ readonly kind: "interrupted"; readonly by: Interruption } & Asked);

type Asked = {
  /** The Turn's attempt whose text was asked. */
  attempt: number;
  firstChunkMs?: number;
};

type Agent = Extract<Chosen, { kind: "agent" }>;

export async function attempt(work: TurnWork, deps: TurnDeps): Promise<AttemptEnd> {
  const { record, control, picture } = work;
  const startedAtMs = deps.clock.now();
  const chosen = await chooseUnlessDown(record.turn(), deps);
  switch (chosen.kind) {
    case "choose":
      return chosen;
    case "failed": {
      const view = failed(work, chosen.error, deps);
      return { kind: "concluded", view, attempt: record.turn().attempt };
    }
    case "agent":
      picture.show({ ...picture.view(), agent: chosen.agent });
      // Forwarded by hand: one more combined signal would take more memory than all else a waiting question holds.
      record.onTaken(() => control.interrupt({ kind: "taken" }));
      return ask(work, chosen, startedAtMs, deps).finally(() => record.onTaken(undefined));
    default:
      return chosen satisfies never;
  }
}

async function ask(work: TurnWork, agent: Agent, startedAtMs: number, deps: TurnDeps): Promise<AttemptEnd> {
  const { record, control, picture } = work;
  const { circuit, clock } = deps;
  const { actor, conversation, attempt: number } = record.turn();
  const signal = control.signal();
  const asked: Asked = { attempt: number };
  const interrupted = () => ({ kind: "interrupted", by: interruptionOf(signal), ...asked }) as const;
  const concluded = (view: TurnView) => ({ kind: "concluded", view, ...asked }) as const;

  const onWaiting = (place: PlaceInLine) => {
    record.dropText();
    void markWaiting(record);
    const view = picture.view();
    if (isWorthShowing(view.placeInLine, place)) picture.show({ ...view, state: "queued", placeInLine: place });
  };
  let run: Run;
  try {
    run = await acquireRun({ actor, conversation }, signal, onWaiting, deps);
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
    const messages = await orAborted(begin(work, agent, { asked, startedAtMs, signal }, deps), signal);
    signal.throwIfAborted();
    // The service may have gone down while this question waited in line.
    circuit.check(number > 1);
    let eventsRead = 0;
    let sawEnd = false;
    for await (const event of run.ask(agent.project, agent.agent, messages)) {
      if (eventsRead === 0) {
        circuit.reached();
        asked.firstChunkMs = clock.now() - startedAtMs;
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

/** Stores that the run begins, and builds the messages for it. */
async function begin(
  { record, picture, site }: TurnWork,
  { project, agent }: Agent,
  { asked, startedAtMs, signal }: { asked: Asked; readonly startedAtMs: number; readonly signal: AbortSignal },
  deps: TurnDeps,
): Promise<readonly ServiceMessage[]> {
  const { clock, log } = deps;
  await markUnderWay(record);
  const turn = record.isTextDropped() ? await record.refresh() : record.turn();
  if (turn === undefined) {
    // It has ended elsewhere.
    record.leave();
    throw new ParleyError("stopped", { cause: { kind: "taken" } satisfies Interruption });
  }
  asked.attempt = turn.attempt;
  const isLong = clock.now() - startedAtMs > decidedMs;
  const refusal = isLong ? await refusalNow(turn, { project, name: agent }, deps) : undefined;
  if (refusal !== undefined) throw refusal;
  const { context, messages } = await readQuestion(turn, site.platform, signal, deps);
  const begun = await record.move("running", {
    agent: { project, name: agent },
    context,
    startedAtMs,
    isUnderWay: true,
  });
  if (begun === "stored") {
    await markContextSent(turn, deps.conversations).catch((err: unknown) =>
      log.warn(
        { err, turnId: turn.id, ref: turn.ref },
        "The thread's messages could not be marked as sent: the next question may send them again",
      ),
    );
  }
  picture.show({ ...picture.view(), state: "running" });
  return messages;
}

/** While the service is down, don't even list its agents. */
async function chooseUnlessDown(turn: Turn, deps: TurnDeps): Promise<Chosen> {
  try {
    deps.circuit.check(turn.attempt > 1);
  } catch (failure) {
    return { kind: "failed", error: toParleyError(failure) };
  }
  const chosen = await chooseAgent(turn, deps);
  if (chosen.kind === "failed") deps.circuit.failed(chosen.error, "look-up");
  return chosen;
}

/**
 * The only automatic retry: 25.x can lose an answer without any failure, and its plain endpoint does not. There a model
 * that really failed says so.
 */
async function askPlainOnce(
  { record, control }: TurnWork,
  { project, agent }: Agent,
  messages: readonly ServiceMessage[],
  lost: TurnView,
  deps: TurnDeps,
): Promise<TurnView> {
  const { service, clock } = deps;
  try {
    if (!(await service.profile()).plainWorks) return lost;
    const text = await service.askPlain(project, agent, messages, { signal: control.signal() });
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
