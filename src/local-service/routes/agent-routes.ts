/** `/api/projects/{project}/agents`: agents, and questions to them, streamed or plain. */
import { type Context, Hono } from "hono";
import { stream } from "hono/streaming";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import { present } from "../../ports/tools/present.ts";
import { runChunks } from "../answering/run.ts";
import { type LanguageModel, ModelFailure } from "../model/language-model.ts";
import { type Find, modelChunks } from "../model/model-run.ts";
import {
  agentFields,
  agentModel,
  agentName,
  agentRecord,
  boundBases,
  envelope,
  mergedFields,
  messagesOf,
} from "../storage/records.ts";
import type { Stored } from "../storage/resource-store.ts";
import type { Store } from "../storage/store.ts";
import { problems } from "./problem.ts";
import { readJson } from "./request-body.ts";

/** `closing` ends every run. */
export function agentRoutes(options: {
  readonly store: Store;
  readonly find: Find;
  /** Writes the answers; absent: they are quoted. */
  readonly model?: LanguageModel;
  readonly clock: Clock;
  readonly log: Log;
  readonly stepDelayMs: number;
  readonly closing: AbortSignal;
}): Hono {
  const { store, find, model, clock, log, stepDelayMs, closing } = options;
  const app = new Hono();

  function agentOf(context: Context): Stored {
    const name = context.req.param("agent") ?? "";
    const agent = store.agents.get(name);
    if (agent === undefined) throw problems.noAgent(name);
    return agent;
  }

  async function chunksFor(context: Context, signal: AbortSignal): Promise<AsyncGenerator<unknown>> {
    const agent = agentOf(context);
    const messages = messagesOf(await readJson(context));
    const { bases, missing } = boundBases(agent, store.bases.list());
    const given = { messages, bases, missing, passages: store.passages, clock, signal };
    const hasQuestion = messages.at(-1)?.question.trim() !== "";
    if (model === undefined || !hasQuestion) return runChunks({ ...given, stepDelayMs });
    return modelChunks({ ...given, model, agent: agentModel(agent), find, log });
  }

  app.get("/", (context) => context.json(store.agents.list().map(agentRecord)));
  app.post("/", async (context) => {
    const given = envelope(await readJson(context), "agent", "POST");
    const name = agentName(given);
    const agent = store.agents.create(name, agentFields(given));
    if (agent === undefined) throw problems.agentExists(name);
    return context.json(agentRecord(agent), 201);
  });
  app.get("/:agent", (context) => context.json(agentRecord(agentOf(context))));
  app.put("/:agent", async (context) => {
    const given = envelope(await readJson(context), "agent", "PUT");
    const agent = store.agents.get(context.req.param("agent"));
    if (agent === undefined) throw problems.noAgentToChange();
    const name = given["name"] === undefined ? agent.name : agentName(given);
    const changed = store.agents.update(agent.id, name, mergedFields(agent.fields, agentFields(given)));
    if (changed === undefined) throw problems.agentExists(name);
    return context.json(agentRecord(changed));
  });
  app.delete("/:agent", (context) => {
    store.agents.remove(agentOf(context).id);
    return context.body(null, 204);
  });

  app.post("/:agent/completions", async (context) => {
    const signal = AbortSignal.any([closing, context.req.raw.signal]);
    let content = "";
    try {
      for await (const chunk of await chunksFor(context, signal)) {
        if (typeof chunk === "object" && chunk !== null && "output" in chunk) content = String(chunk.output);
      }
    } catch (thrown) {
      throw thrown instanceof ModelFailure ? problems.modelFailed(modelFault(model, thrown)) : thrown;
    }
    return context.json({ message: { content, role: "assistant", trace_id: "" } });
  });
  app.post("/:agent/completions/stream", async (context) => {
    // Closing the connection ends the run, as this service's profile promises.
    const left = new AbortController();
    const chunks = await chunksFor(context, AbortSignal.any([closing, left.signal]));
    context.header("content-type", "text/event-stream; charset=utf-8");
    return stream(context, async (out) => {
      out.onAbort(() => left.abort(new Error("The client left.")));
      try {
        for await (const chunk of chunks) await out.write(`data: ${JSON.stringify(chunk)}\n\n`);
      } catch (thrown) {
        if (closing.aborted || left.signal.aborted) return;
        if (thrown instanceof ModelFailure) {
          const { retryAfterMs } = thrown;
          const fault = present({ error: modelFault(model, thrown), retry_after_ms: retryAfterMs });
          await out.write(`data: ${JSON.stringify(fault)}\n\ndata: {"type": "end"}\n\n`);
          return;
        }
        // The status has been sent, so only a chunk can report the failure.
        await out.write('data: {"error": "error in completion event generator"}\n\ndata: {"type": "end"}\n\n');
        log.error({ err: thrown, path: context.req.path }, "A run of the built-in service failed");
      }
    });
  });
  return app;
}

/** As the API's other servers report it: clients tell a model's fault by its name in front. */
function modelFault(model: LanguageModel | undefined, { reason }: ModelFailure): string {
  return `model_name: ${model?.name ?? ""}: ${reason}`;
}
