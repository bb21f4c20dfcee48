/**
 * Client for servers of the Responses API: OpenAI, LiteLLM and others. They keep nothing between runs, or may forget it
 * silently: every run brings its history, and leaving the stream stops it. Only what an approval continues is the
 * server's to remember. cowork-server, which keeps conversations, has a client of its own.
 */

import { ParleyError } from "../../core/errors.ts";
import type { ApprovalResponse } from "../../core/model/approval.ts";
import type { AgentService, AskOptions, Picture, ServiceMessage } from "../../core/ports/agent-service.ts";
import { isObject } from "../../core/tools/parse-json.ts";
import { type DialectOptions, questionOf } from "../dialect.ts";
import type { HttpRequest } from "../http/request.ts";
import { openAiFailure } from "../openai/errors.ts";
import { picturePart, textPart, withNote, withPictures } from "../openai/pictures.ts";
import { rolesOf, statelessService } from "../openai/server.ts";
import { withoutThoughts } from "../thoughts/thoughts.ts";
import { createCoworkService } from "./cowork/request.ts";
import { partText } from "./messages.ts";
import { createResponsesDecoder } from "./stream.ts";

/** The server has forgotten the response that asked for approval, or never kept it. */
const forgottenCodes = new Set(["resource_not_found", "agent_not_found", "service_request_refused"]);

export function createResponsesService(options: DialectOptions): AgentService {
  return options.server?.generation === "cowork" ? createCoworkService(options) : createStandardService(options);
}

function createStandardService(options: DialectOptions): AgentService {
  const { calls, secrets, decoding, stream, whole } = statelessService("responses", options);

  async function* runOf(agent: string, messages: readonly ServiceMessage[], asked: AskOptions) {
    const decoder = createResponsesDecoder({ ...decoding, tellsRun: true });
    try {
      yield* stream(runRequest(agent, messages, true, asked), decoder);
    } catch (thrown) {
      if (!(thrown instanceof ParleyError)) throw thrown;
      if (continued(asked) !== undefined && forgottenCodes.has(thrown.code)) throw forgottenRun(thrown);
      // What the server said before the connection broke says more than that.
      if (decoder.state().phase !== "failed" || thrown.code !== "stream_cut") throw thrown;
      yield { type: "ended" } as const;
      return;
    }
    if (!decoder.hasEnded()) {
      throw new ParleyError("stream_cut", { cause: new Error("The stream closed without a terminal event.") });
    }
  }

  return {
    ...calls,
    ask: (_project, agent, messages, asked = {}) => {
      const { pictures, ...others } = asked;
      // What an approval continues has its pictures already.
      const shown = continued(asked) === undefined ? pictures : [];
      return withPictures(agent, { pictures: shown }, options, (sent) =>
        runOf(agent, withNote(messages, sent.note), { ...others, pictures: sent.pictures }),
      );
    },
    askPlain: async (_project, agent, messages, asked = {}) =>
      readWholeResponse(await whole(runRequest(agent, messages, false, { signal: asked.signal })), secrets),
  };
}

function runRequest(
  agent: string,
  messages: readonly ServiceMessage[],
  stream: boolean,
  asked: AskOptions,
): HttpRequest {
  questionOf(messages);
  const response = continued(asked);
  const json =
    response === undefined
      ? // Every request brings its history: servers without a database forget the one that a request refers to, silently.
        { model: agent, input: inputOf(messages, asked.pictures ?? []), stream }
      : { model: agent, previous_response_id: response, input: (asked.approvals ?? []).map(approvalItem), stream };
  return { method: "POST", path: "/responses", subject: "agent", json, signal: asked.signal };
}

function inputOf(messages: readonly ServiceMessage[], pictures: readonly Picture[]): readonly object[] {
  const written = rolesOf(messages);
  const question = written.at(-1);
  if (question === undefined || pictures.length === 0) return written;
  const content = [textPart.responses(question.content), ...pictures.map(picturePart.responses)];
  return [...written.slice(0, -1), { role: question.role, content }];
}

/** The response that asked people for approval. The server keeps what went before. */
function continued({ resume, approvals = [] }: AskOptions): string | undefined {
  return approvals.length === 0 ? undefined : resume?.["response"];
}

function approvalItem({ requestId, isApproved }: ApprovalResponse): object {
  return { type: "mcp_approval_response", approval_request_id: requestId, approve: isApproved };
}

/** The answer in a whole response. Throws what failed. */
function readWholeResponse(body: unknown, secrets: readonly string[]): string {
  if (!isObject(body) || !Array.isArray(body["output"])) {
    throw new ParleyError("service_not_understood", { cause: new Error("A response without output.") });
  }
  if (isObject(body["error"])) throw openAiFailure(body["error"], secrets);
  if (body["status"] === "failed") throw new ParleyError("run_failed");
  const messages = body["output"].filter(isObject).filter(({ type }) => type === "message");
  const texts = messages.map(({ content }) =>
    (Array.isArray(content) ? content.filter(isObject) : []).map((part) => partText(part) ?? "").join(""),
  );
  return withoutThoughts(texts.findLast((text) => text !== "") ?? "");
}

function forgottenRun({ cause }: ParleyError): ParleyError {
  return new ParleyError("run_failed", {
    what: "The agent service no longer knows the run that asked for approval.",
    hint: "Ask the question again.",
    cause,
  });
}
