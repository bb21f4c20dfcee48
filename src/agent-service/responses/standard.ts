/**
 * A server that keeps nothing between runs, or may forget it silently: every run brings its history, and leaving the
 * stream stops it. Only what an approval continues is the server's to remember.
 */

import { ParleyError } from "../../core/errors.ts";
import type { AgentEvent } from "../../core/model/agent-event.ts";
import type { AgentService, AskOptions, ServiceMessage, ServiceProfile } from "../../core/ports/agent-service.ts";
import type { HttpRequest } from "../http/http-request.ts";
import { createModels, modelsRequest } from "../openai/models.ts";
import type { Connection } from "./connection.ts";
import { approvalBody, inputItems, questionOf, readWholeResponse } from "./requests.ts";

/** The server has forgotten the response that asked for approval, or never kept it. */
const forgottenCodes = new Set(["resource_not_found", "agent_not_found", "service_request_refused"]);

export function createStandardService(connection: Connection, profile: ServiceProfile): AgentService {
  const { http, limits, secrets, decoder, stream } = connection;

  async function status(signal?: AbortSignal): Promise<ServiceProfile> {
    try {
      await http.json({ ...modelsRequest(), limitMs: limits.statusMs, signal });
    } catch (thrown) {
      // A server without a list of models has answered anyway.
      if (!(thrown instanceof ParleyError) || thrown.code !== "resource_not_found") throw thrown;
    }
    return profile;
  }

  async function* ask(
    agent: string,
    messages: readonly ServiceMessage[],
    asked: AskOptions = {},
  ): AsyncGenerator<AgentEvent, void, undefined> {
    const { signal, resume, approvals = [] } = asked;
    questionOf(messages);
    const response = approvals.length === 0 ? undefined : resume?.["response"];
    const json =
      response === undefined
        ? { model: agent, input: inputItems(messages), stream: true }
        : approvalBody(agent, response, approvals);
    const request: HttpRequest = { method: "POST", path: "/responses", subject: "agent", json, signal };
    const reader = decoder((id) => [{ type: "run", run: { response: id } }]);
    try {
      yield* stream(request, reader);
    } catch (thrown) {
      if (response !== undefined && isForgotten(thrown)) throw forgottenRun(thrown);
      // What the server said before the connection broke says more than that.
      if (!reader.hasFailed() || !(thrown instanceof ParleyError) || thrown.code !== "stream_cut") throw thrown;
      yield { type: "ended" };
      return;
    }
    if (!reader.hasEnded()) {
      throw new ParleyError("stream_cut", { cause: new Error("The stream closed without a terminal event.") });
    }
  }

  async function askPlain(agent: string, messages: readonly ServiceMessage[], asked: AskOptions = {}): Promise<string> {
    questionOf(messages);
    const { signal } = asked;
    const json = { model: agent, input: inputItems(messages), stream: false };
    const request: HttpRequest = { method: "POST", path: "/responses", subject: "agent", json, signal };
    return readWholeResponse(
      await http.json({ ...request, limitMs: limits.runMs, onLimit: "stream_too_long" }),
      secrets,
    );
  }

  return {
    ...createModels(http.json),
    profile: async () => profile,
    status,
    ask: (_project, agent, messages, asked) => ask(agent, messages, asked),
    askPlain: (_project, agent, messages, asked) => askPlain(agent, messages, asked),
    close: http.close,
  };
}

function isForgotten(thrown: unknown): thrown is ParleyError {
  return thrown instanceof ParleyError && forgottenCodes.has(thrown.code);
}

function forgottenRun(thrown: ParleyError): ParleyError {
  return new ParleyError("run_failed", {
    what: "The agent service no longer knows the run that asked for approval.",
    hint: "Ask the question again.",
    cause: thrown.cause,
  });
}
