/** Bodies of requests in the Responses shape, and the answer of one that wasn't streamed. */

import { ParleyError } from "../../core/errors.ts";
import type { ApprovalResponse } from "../../core/model/approval.ts";
import type { ServiceMessage } from "../../core/ports/agent-service.ts";
import { isObject } from "../../core/tools/parse-json.ts";
import { openAiFailure } from "../http/openai-problem.ts";
import { withoutThoughts } from "../thoughts/apart.ts";
import { partText } from "./stream/messages.ts";

type InputItem = { readonly role: "user" | "assistant"; readonly content: string };

/** Every request brings its history: servers without a database forget the one that a request refers to, silently. */
export function inputItems(messages: readonly ServiceMessage[]): readonly InputItem[] {
  const items: InputItem[] = [];
  let unanswered: string[] = [];
  // Templates of many models refuse two questions in a row.
  const ask = () => {
    if (unanswered.length > 0) items.push({ role: "user", content: unanswered.join("\n\n") });
    unanswered = [];
  };
  for (const { question, answer } of messages) {
    unanswered.push(question);
    if (answer.trim() === "") continue;
    ask();
    items.push({ role: "assistant", content: answer });
  }
  ask();
  return items;
}

/** What people decided, for the response that asked them. The server keeps what went before. */
export function approvalBody(agent: string, response: string, approvals: readonly ApprovalResponse[]): object {
  const input = approvals.map(({ requestId, isApproved }) => ({
    type: "mcp_approval_response",
    approval_request_id: requestId,
    approve: isApproved,
  }));
  return { model: agent, previous_response_id: response, input, stream: true };
}

/** Servers repeat the previous answer, or say something unrelated, when they are asked nothing. */
export function questionOf(messages: readonly ServiceMessage[]): ServiceMessage {
  const last = messages.at(-1);
  if (last === undefined || last.question.trim() === "") throw new ParleyError("question_empty");
  return last;
}

/** The answer in a whole response. Throws what failed. */
export function readWholeResponse(body: unknown, secrets: readonly string[]): string {
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
