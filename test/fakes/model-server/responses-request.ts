/** Reads a request of the Responses API, and refuses what the real one refuses. */
import { namesOfTools, readPicture } from "./chat-request.ts";
import type { Json } from "./emission.ts";
import { invalid } from "./refusals.ts";
import type { Approval, Asked, Said } from "./script.ts";

export type Item = Readonly<Record<string, unknown>>;

/** Other names are refused: a field that nobody reads is a mistake of the client. */
const known = new Set([
  ..."background conversation include input instructions max_output_tokens max_tool_calls metadata model".split(" "),
  ..."parallel_tool_calls previous_response_id prompt_cache_key reasoning safety_identifier store stream".split(" "),
  ..."stream_options temperature text tool_choice tools top_p truncation user".split(" "),
]);

const partsOf: Readonly<Record<string, readonly string[]>> = {
  user: ["input_text"],
  system: ["input_text"],
  developer: ["input_text"],
  assistant: ["output_text", "refusal"],
};

/** `before` are the items of the response or the conversation that this one continues. */
export function readResponses(body: Json, before: readonly Item[], isBridge: boolean): Asked {
  if (!isBridge) refuseUnknownFields(body);
  const items = [...before, ...inputItems(body)];
  const said = items.map((item) => readItem(item, items, isBridge));
  const last = said.findLastIndex((one) => one?.role === "user" && one.text.trim() !== "");
  const after = said.slice(last + 1);
  const approval = items.findLast(({ type }) => type === "mcp_approval_response");
  return {
    model: String(body["model"]),
    question: said[last]?.text ?? "",
    pictures: said[last]?.pictures ?? [],
    messages: said.filter((one) => one !== undefined),
    results: after.flatMap((one) => (one?.role === "tool" ? [one.text] : [])),
    tools: namesOfTools(body["tools"]),
    instructions: typeof body["instructions"] === "string" ? body["instructions"] : "",
    approval: approval && items.indexOf(approval) > lastUser(items) ? readApproval(approval) : undefined,
  };
}

/** The items of a request's own input. */
export function inputItems({ input }: Json): readonly Item[] {
  if (input === undefined) throw invalid("Missing required parameter: 'input'.", "input", "missing_required_parameter");
  if (typeof input === "string") return [{ type: "message", role: "user", content: input }];
  if (Array.isArray(input)) return input;
  throw invalid("Invalid type for 'input': expected one of an array of input items or a string.", "input");
}

function lastUser(items: readonly Item[]): number {
  return items.findLastIndex(({ type = "message", role }) => type === "message" && role === "user");
}

function readApproval(item: Item): Approval {
  return { requestId: String(item["approval_request_id"]), isApproved: item["approve"] === true };
}

function readItem(item: Item, items: readonly Item[], isBridge: boolean): Said | undefined {
  const type = item["type"] ?? "message";
  switch (type) {
    case "message":
      return { role: String(item["role"]), text: readContent(item, isBridge), pictures: readPictures(item) };
    case "function_call_output": {
      const callId = item["call_id"];
      const calls = items.filter((one) => one["type"] === "function_call");
      if (calls.some((call) => call["call_id"] === callId)) return { role: "tool", text: String(item["output"]) };
      throw invalid(`No tool call found for function call output with call_id ${callId}.`, "input");
    }
    case "mcp_approval_response": {
      if (typeof item["approve"] !== "boolean") throw invalid("Missing required parameter: 'approve'.", "input");
      const requestId = item["approval_request_id"];
      if (items.some((one) => one["type"] === "mcp_approval_request" && one["id"] === requestId)) return undefined;
      throw invalid(`No MCP approval request found with id '${requestId}'.`, "input");
    }
    case "function_call":
    case "mcp_approval_request":
    case "mcp_call":
    case "mcp_list_tools":
    case "file_search_call":
    case "web_search_call":
    case "reasoning":
      return undefined;
    default:
      throw invalid(`Invalid value: '${type}'.`, "input", "invalid_value");
  }
}

function readContent({ role, content }: Item, isBridge: boolean): string {
  const allowed = partsOf[String(role)];
  if (allowed === undefined) throw invalid(`Invalid value: '${role}'.`, "input", "invalid_value");
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) throw invalid("Missing required parameter: 'content'.", "input");
  const texts = content.flatMap((part: Item) => {
    const type = String(part["type"]);
    if (type === "input_image" && role === "user") return [];
    // LiteLLM's bridge takes either.
    const isAllowed = isBridge ? /^(?:input_text|output_text|text)$/.test(type) : allowed.includes(type);
    if (!isAllowed) {
      const values = allowed.map((name) => `'${name}'`).join(" and ");
      throw invalid(`Invalid value: '${type}'. Supported values are: ${values}.`, "input", "invalid_value");
    }
    return [String(part["text"] ?? part["refusal"])];
  });
  return texts.join("\n");
}

function readPictures({ content }: Item): readonly string[] {
  const parts: readonly Item[] = Array.isArray(content) ? content : [];
  return parts.filter(({ type }) => type === "input_image").map((part) => readPicture(part["image_url"]));
}

function refuseUnknownFields(body: Json): void {
  for (const name of Object.keys(body)) {
    if (!known.has(name)) throw invalid(`Unknown parameter: '${name}'.`, name, "unknown_parameter");
  }
  const { previous_response_id: previous, conversation, metadata } = body;
  if (previous != null && conversation != null) {
    throw invalid("Mutually exclusive parameters: 'previous_response_id' and 'conversation'.", "previous_response_id");
  }
  const pairs = Object.entries((metadata ?? {}) as Json);
  const fits = pairs.every(([key, value]) => key.length <= 64 && typeof value === "string" && value.length <= 512);
  if (pairs.length > 16 || !fits) throw invalid("Invalid 'metadata'.", "metadata");
}
