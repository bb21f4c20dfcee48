/** Requests for approval of a run: asked once each, at its end. */
import { type AgentEvent, runLimits } from "../../../core/model/agent-event.ts";
import type { ApprovalRequest } from "../../../core/model/approval.ts";
import { cut } from "../../http/cut.ts";
import { redactSecrets } from "../../http/redaction.ts";
import { type Item, inputOf } from "./item-results.ts";

/** A run asks for one, seldom for two. */
const maxRequests = 20;
/** It is stored until people decide. Longer ones are no ids. */
const maxIdChars = 2_000;

export function createApprovals(emit: (event: AgentEvent) => void) {
  const requests = new Map<string, ApprovalRequest>();

  return {
    /** An item of type `mcp_approval_request`. Without an id nobody could answer it. */
    add: (item: Item): void => {
      const { id } = item;
      if (typeof id !== "string" || id === "" || id.length > maxIdChars || requests.size >= maxRequests) return;
      requests.set(id, requestOf(id, item));
    },
    ask: (): void => {
      for (const request of requests.values()) emit({ type: "approval-requested", request });
    },
  };
}

function requestOf(id: string, item: Item): ApprovalRequest {
  const input = cut(inputOf(item), runLimits.input);
  return {
    id,
    tool: nameOf(item["name"]) || "tool",
    server: nameOf(item["server_label"]) || undefined,
    input: redactSecrets(input.text),
    inputOmittedChars: input.omitted || undefined,
  };
}

function nameOf(value: unknown): string {
  return typeof value === "string" ? cut(value, runLimits.toolName).text : "";
}
