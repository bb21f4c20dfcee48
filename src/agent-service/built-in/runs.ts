/** Runs agents: with a language model in its words, without one in quotations. */

import { ParleyError } from "../../core/errors.ts";
import type { AgentEvent } from "../../core/model/agent-event.ts";
import type { AgentService, AskOptions, ServiceMessage } from "../../core/ports/agent-service.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { Log } from "../../core/ports/log.ts";
import { orAborted } from "../../core/tools/abortable.ts";
import { quote } from "./answering/run.ts";
import { type LanguageModel, ModelFailure } from "./model/language-model.ts";
import type { ModelHealth } from "./model/model-health.ts";
import { type Find, writeAnswer } from "./model/model-run.ts";
import { createWordings } from "./model/wordings.ts";
import { agentModel, boundBases } from "./storage/records.ts";
import type { Store } from "./storage/store.ts";

const defaultStepDelayMs = 350;

type RunsOptions = {
  readonly project: string;
  readonly store: Pick<Store, "agents" | "bases" | "passages">;
  readonly find: Find;
  readonly model?: LanguageModel;
  readonly health: ModelHealth;
  readonly clock: Clock;
  readonly log: Log;
  readonly stepDelayMs?: number;
  /** Ends every run. */
  readonly closing: AbortSignal;
};

export function createRuns(options: RunsOptions): Pick<AgentService, "ask" | "askPlain"> {
  const { project, store, find, model, health, clock, log, stepDelayMs = defaultStepDelayMs, closing } = options;

  const reword = model && createWordings(model, clock, log);

  /** Throws what keeps it from beginning. */
  function begin(
    inProject: string,
    name: string,
    messages: readonly ServiceMessage[],
    { signal, pictures = [] }: AskOptions & { readonly signal: AbortSignal },
  ) {
    if ((messages.at(-1)?.question ?? "").trim() === "") throw new ParleyError("question_empty");
    if (inProject !== project) throw new ParleyError("project_not_found");
    const agent = store.agents.get(name);
    if (agent === undefined) throw new ParleyError("agent_not_found");
    const { bases, missing } = boundBases(agent, store.bases.list());
    const given = { messages, bases, missing, passages: store.passages, clock, signal };
    return model === undefined || reword === undefined
      ? quote({ ...given, stepDelayMs })
      : writeAnswer({ ...given, pictures, model, agent: agentModel(agent), find, reword, health, log });
  }

  function failureOf(thrown: unknown): ParleyError {
    if (!(thrown instanceof ModelFailure)) {
      log.error({ err: thrown }, "A run of the built-in service failed");
      return new ParleyError("run_failed", { cause: thrown });
    }
    const { retryAfterMs } = thrown;
    const code = retryAfterMs === undefined ? "model_unavailable" : "service_busy";
    return new ParleyError(code, { cause: thrown, retryAfterMs });
  }

  async function* ask(
    inProject: string,
    name: string,
    messages: readonly ServiceMessage[],
    asked: AskOptions = {},
  ): AsyncGenerator<AgentEvent, void, undefined> {
    if (closing.aborted) throw new ParleyError("service_unreachable");
    const signal = asked.signal === undefined ? closing : AbortSignal.any([closing, asked.signal]);
    try {
      const events = begin(inProject, name, messages, { ...asked, signal });
      yield { type: "started" };
      yield* untilAborted(events, signal);
    } catch (thrown) {
      if (asked.signal?.aborted === true) throw new ParleyError("stopped");
      if (closing.aborted) throw new ParleyError("stream_cut");
      if (thrown instanceof ParleyError) throw thrown;
      yield { type: "failed", error: failureOf(thrown) };
    }
    yield { type: "ended" };
  }

  async function askPlain(...asked: Parameters<AgentService["ask"]>): Promise<string> {
    let text = "";
    for await (const event of ask(...asked)) {
      if (event.type === "failed") throw event.error;
      if (event.type === "answer") text = event.text;
    }
    return text;
  }

  return { ask, askPlain };
}

/** Throws the signal's reason as soon as it aborts, whatever the work waits for. */
async function* untilAborted<T>(
  events: AsyncGenerator<T, void, undefined>,
  signal: AbortSignal,
): AsyncGenerator<T, void, undefined> {
  try {
    for (;;) {
      const next = await orAborted(events.next(), signal);
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    // It may still wait for something that nobody needs.
    events.return().catch(() => undefined);
  }
}
