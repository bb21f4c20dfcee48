/** Asks an agent once for a proof or a check: the same run and the same view as for a Turn, but nothing is stored. */

import { setImmediate as nextTurn } from "node:timers/promises";
import type { Circuit } from "../agent-service/circuit.ts";
import type { App } from "../app.ts";
import type { Named } from "../core/access.ts";
import { ParleyError, toParleyError } from "../core/errors.ts";
import { workspaceKey } from "../core/model/place.ts";
import type { Source, TurnView } from "../core/model/turn.ts";
import { runsKey } from "../core/ports/agent-service.ts";
import type { Coordinator } from "../core/ports/state.ts";
import { orAborted } from "../core/tools/abortable.ts";
import { newId } from "../core/tools/ids.ts";
import type { RunOnce } from "../insight/app.ts";
import { addTokens, tokenRefusal } from "../insight/counts/token-days.ts";
import { graded } from "./graded.ts";
import { mayStillRun } from "./turn/run.ts";
import { conclude, failWith, hasAnswer, initialView, reduce } from "./turn/view.ts";
import { keptAnswer } from "./turn/view-limits.ts";

/** How long the permit of a run is held that may still continue. */
const freedAfterMs = 10_000;
const eventsPerTurn = 50;

type Share = Parameters<RunOnce>[3];

export function createRunOnce(
  app: App,
  parts: {
    readonly circuit: Circuit;
    readonly dateSources?: (agent: Named, sources: readonly Source[]) => Promise<readonly Source[]>;
  },
): RunOnce {
  const { service, clock } = app;
  const { coordinator } = app.state;
  const { circuit, dateSources } = parts;

  /** Rejects with a ParleyError, or with the signal's reason. `keep`: what is known so far, should it fail. */
  async function follow(
    agent: Named,
    question: string,
    signal: AbortSignal,
    begin: TurnView,
    keep: (view: TurnView) => void,
  ): Promise<TurnView> {
    const messages = [{ question, answer: "" }];
    let view = begin;
    let read = 0;
    let sawEnd = false;
    for await (const event of service.ask(agent.project, agent.name, messages, { signal })) {
      if (read === 0) circuit.reached();
      if (event.type === "usage") await addTokens(agent, event.tokens, app);
      read += 1;
      // Nobody reads along who could decide.
      if (event.type === "approval-requested") throw new ParleyError("approval_needed");
      if (read % eventsPerTurn === 0) await nextTurn();
      if (event.type === "ended") sawEnd = true;
      view = reduce(view, event, clock.now());
      keep(view);
    }
    const end = conclude(view, clock.now());
    const isLost = end.error?.code === "no_answer" && sawEnd && end.steps.length > 0;
    if (!isLost || !(await service.profile()).plainWorks) return end;
    // 25.x can lose an answer without any failure, and its plain endpoint does not.
    const text = await service.askPlain(agent.project, agent.name, messages, { signal });
    const answered: TurnView = { ...view, ...keptAnswer(text) };
    return hasAnswer(answered) ? conclude(answered, clock.now()) : end;
  }

  async function run(agent: Named, question: string, signal: AbortSignal, share: Share | undefined): Promise<TurnView> {
    const id = newId(clock.now());
    let view = initialView({ id, ref: id, question, agent: agent.name });
    const failed = (failure: unknown, asked: "question" | "look-up"): TurnView => {
      if (signal.aborted) throw signal.reason;
      const error = toParleyError(failure);
      circuit.failed(error, asked);
      return failWith(view, error, clock.now());
    };
    let permit: Awaited<ReturnType<Coordinator["permit"]>>;
    try {
      circuit.check(false);
      const { maxRuns } = await orAborted(service.profile(), signal);
      const group = share === undefined ? "" : workspaceKey(share);
      permit = await coordinator.permit(runsKey, maxRuns, group, { signal, isSpare: share?.isSpare });
    } catch (failure) {
      return failed(failure, "look-up");
    }
    let isLeft = false;
    try {
      // The service may have gone down meanwhile.
      circuit.check(false);
      const refusal = await tokenRefusal(agent, undefined, app);
      if (refusal !== undefined) throw refusal;
      return await follow(agent, question, signal, view, (newest) => {
        view = newest;
      });
    } catch (failure) {
      isLeft = signal.aborted || mayStillRun(toParleyError(failure));
      return failed(failure, "question");
    } finally {
      if (isLeft) clock.after(freedAfterMs, () => void permit.release());
      else await permit.release();
    }
  }

  return async (agent, question, signal, share) => {
    const view = await graded(await run(agent, question, signal, share), agent, { ...app, ...parts });
    if (dateSources === undefined || view.sources.length === 0) return view;
    return { ...view, sources: await dateSources(agent, view.sources) };
  };
}
