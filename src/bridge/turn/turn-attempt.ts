/**
 * One attempt at an answer: choose the agent, wait for a permit, ask, follow the run. While it waits it holds nothing
 * large: thousands may wait at once.
 */

import { setImmediate as nextTurn } from "node:timers/promises";
import type { Named } from "../../core/access.ts";
import { ParleyError, toParleyError } from "../../core/errors.ts";
import type { AgentEvent, ServiceThread } from "../../core/model/agent-event.ts";
import type { Approval } from "../../core/model/approval.ts";
import type { TurnView } from "../../core/model/turn.ts";
import type { ServiceMessage } from "../../core/ports/agent-service.ts";
import { orAborted } from "../../core/tools/abortable.ts";
import type { BridgeApp } from "../app.ts";
import { currentApproval } from "../approval/approval-view.ts";
import { type Asks, createAsks } from "../approval/asks.ts";
import { sameAgent, sendOnce } from "../approval/continue.ts";
import { hasKnowledge } from "../graded.ts";
import { keepRun, threadOf } from "../runs/run-handle.ts";
import { acquireRun, type Run } from "../runs/service-run.ts";
import { hasOthers } from "./other-agents.ts";
import { beginRun, chooseAgent } from "./preparation.ts";
import type { TurnRecord } from "./turn-record.ts";
import { type Interruption, interruptionOf, type TurnWork } from "./turn-work.ts";
import { conclude, failWith, hasAnswer, keptAnswer, reduce } from "./view.ts";

const eventsPerTurn = 50;

export type AttemptEnd =
  | { readonly kind: "choose"; readonly agents: readonly string[] }
  /** People are to decide first. */
  | ({ readonly kind: "asks" } & Asks & Asked)
  | ({ readonly kind: "concluded"; readonly view: TurnView } & Asked)
  | ({ readonly kind: "interrupted"; readonly by: Interruption } & Asked);

export type Asked = {
  /** The Turn's attempt whose text was asked. */
  attempt: number;
  readonly startedAtMs: number;
  firstChunkMs?: number;
  /** The conversation that the run is in at the service, as far as it has named one. */
  thread?: ServiceThread;
  /** Whether other agents could be asked as well. */
  hasOthers?: Promise<boolean>;
  /** Whether the agent can look something up. */
  hasKnowledge?: Promise<boolean | undefined>;
};

export async function attempt(work: TurnWork, app: BridgeApp): Promise<AttemptEnd> {
  const { record, control, picture } = work;
  const asked: Asked = { attempt: record.turn().attempt, startedAtMs: app.clock.now() };
  const approval = currentApproval(record.turn());
  if (approval?.thread !== undefined) asked.thread = approval.thread;
  const chosen = approval === undefined ? await chooseAgent(record.turn(), app) : await sameAgent(record.turn(), app);
  switch (chosen.kind) {
    case "choose":
      // Nobody is there to choose.
      if (record.turn().isQuiet === true) {
        return { kind: "concluded", view: failed(work, new ParleyError("agent_choice"), app), ...asked };
      }
      return chosen;
    case "failed":
      return { kind: "concluded", view: failed(work, chosen.error, app), ...asked };
    case "agent":
      picture.show({ ...picture.view(), agent: chosen.agent.name });
      // Forwarded by hand: one more combined signal would take more memory than all else a waiting question holds.
      record.onTaken(() => control.interrupt({ kind: "taken" }));
      return ask(work, chosen.agent, { asked, approval }, app).finally(() => record.onTaken(undefined));
    default:
      return chosen satisfies never;
  }
}

/** `approval`: what was decided, if this run continues one that asked people. */
async function ask(
  work: TurnWork,
  agent: Named,
  { asked, approval }: { readonly asked: Asked; readonly approval: Approval | undefined },
  app: BridgeApp,
): Promise<AttemptEnd> {
  const { record, control, picture } = work;
  const { circuit, clock } = app;
  const signal = control.signal();
  const isAskedAgain = asked.attempt > 1;
  const interrupted = () => ({ kind: "interrupted", by: interruptionOf(signal), ...asked }) as const;
  const concluded = (view: TurnView) => ({ kind: "concluded", view, ...asked }) as const;

  let run: Run;
  try {
    const isContinued = approval?.requests.some(({ decision }) => decision?.how === "person") === true;
    run = await acquireRun(work, { signal, isContinued }, app);
  } catch (failure) {
    if (signal.aborted) return interrupted();
    const error = toParleyError(failure);
    circuit.failed(error, "look-up");
    return concluded(failed(work, error, app));
  }

  const { placeInLine: _over, ...waited } = picture.view();
  picture.keep({ ...waited, state: "running" });
  const stopHeartbeat = picture.keepMoving(app.settings.heartbeatMs);
  try {
    const { messages, options: begun } = await orAborted(beginRun(work, agent, asked, signal, app), signal);
    signal.throwIfAborted();
    picture.show(picture.view());
    // The service may have gone down while this question waited in line.
    circuit.check(isAskedAgain);
    const options = approval === undefined ? begun : await sendOnce(record, approval, begun, app);
    const asks = createAsks();
    let eventsRead = 0;
    let sawEnd = false;
    for await (const event of run.ask(agent, messages, options)) {
      if (eventsRead === 0) {
        circuit.reached();
        // While the agent still works, so that the end doesn't wait for these look-ups.
        asked.hasOthers = hasOthers(record.turn(), app);
        asked.hasKnowledge = hasKnowledge(agent, app).catch(() => undefined);
      }
      eventsRead += 1;
      // A flood of events must not block everything else: each event creates a new view.
      if (eventsRead % eventsPerTurn === 0) await nextTurn();
      if (event.type === "waiting") noteWait(record, event, app);
      else asked.firstChunkMs ??= clock.now() - asked.startedAtMs;
      if (event.type === "ended") sawEnd = true;
      asks.note(event);
      if (event.type === "failed") logFailure(record, event.error, app);
      if (event.type === "run") await orAborted(keepRun(record, event, asked), signal);
      const thread = threadOf(event);
      if (thread !== undefined) asked.thread = thread;
      const before = picture.view();
      const view = reduce(before, event, clock.now());
      // The end follows the answer at once; drawing progress now would only delay it.
      if (event.type === "answer") picture.keep(view);
      else if (view !== before) picture.show(view);
    }
    if (asks.isAny() && picture.view().error === undefined && !signal.aborted) {
      run.release();
      return { kind: "asks", ...asks.found(), ...asked };
    }
    let end = conclude(picture.view(), clock.now());
    const isLost = end.error?.code === "no_answer" && sawEnd && end.steps.length > 0 && approval === undefined;
    if (isLost) end = await askPlainOnce(work, agent, messages, end, app);
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
    return concluded(failed(work, error, app));
  } finally {
    stopHeartbeat();
  }
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
  app: BridgeApp,
): Promise<TurnView> {
  const { service, clock } = app;
  try {
    if (!(await service.profile()).plainWorks) return lost;
    const text = await service.askPlain(agent.project, agent.name, messages, { signal: control.signal() });
    const { error: _lost, endedAtMs: _ended, ...rest } = lost;
    const answered: TurnView = { ...rest, ...keptAnswer(text) };
    return hasAnswer(answered) ? conclude(answered, clock.now()) : lost;
  } catch (failure) {
    const error = toParleyError(failure);
    if (error.code === "stopped") return lost;
    logFailure(record, error, app);
    return failWith(lost, error, clock.now());
  }
}

function failed({ record, picture }: TurnWork, error: ParleyError, app: BridgeApp): TurnView {
  logFailure(record, error, app);
  return failWith(picture.view(), error, app.clock.now());
}

function noteWait(record: TurnRecord, { forMs }: Extract<AgentEvent, { type: "waiting" }>, app: BridgeApp): void {
  if (forMs === undefined) return;
  const { id: turnId, ref } = record.turn();
  app.log.info({ turnId, ref, forMs }, "The agent service is busy and asked Parley to come back; the question waits");
}

/** With the service's words; the view only holds what is safe to show. */
function logFailure(record: TurnRecord, error: ParleyError, { log }: BridgeApp): void {
  const { id: turnId, ref } = record.turn();
  log.warn({ err: error, turnId, ref }, "A question could not be answered");
}
