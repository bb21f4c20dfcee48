/** Responses events of a model that speaks them itself: as OpenAI frames them, or as LiteLLM passes them on. */

import type { Framing } from "./chat.ts";
import { done, type Emission, type Json, pacedPieces } from "./emission.ts";
import { piecesOf, type Script } from "./script.ts";

const created = 1_700_000_000;

export type NativeRequest = {
  readonly id: string;
  readonly model: string;
  /** What the model calls itself; LiteLLM has another name for it. */
  readonly modelsName: string;
  readonly body: Json;
  /** The approved call, if the request brings a decision. */
  readonly decided: { readonly isApproved: boolean; readonly requestId: string } | undefined;
  /** Unique in a conversation: numbers of items begin here. */
  readonly firstItem: number;
};

export function* nativeStream(script: Script, request: NativeRequest, framing: Framing): Generator<Emission> {
  let sequence = 0;
  const event = (type: string, body: Json): Emission => {
    const data = { type, sequence_number: sequence, ...body };
    sequence += 1;
    // LiteLLM drops the name of the event and adds its own name of the model.
    return framing === "openai" ? { event: type, data } : { data: { ...data, model: request.model } };
  };
  const { id, body } = request;
  const response = {
    ...{ id, object: "response", created_at: created, status: "in_progress", error: null, incomplete_details: null },
    ...{ instructions: body["instructions"] ?? null, metadata: body["metadata"] ?? {}, model: request.modelsName },
    ...{ output: [], parallel_tool_calls: true, previous_response_id: body["previous_response_id"] ?? null },
    ...{ temperature: 1, text: { format: { type: "text" } }, tool_choice: "auto", tools: [], top_p: 1 },
    ...{ truncation: "disabled", usage: null, store: body["store"] ?? true },
    ...(body["background"] === true && { background: true }),
  };
  const sent = (value: Json) => (framing === "openai" ? value : withoutNulls(value));
  const output: Json[] = [];
  let number = request.firstItem;
  const nextId = (prefix: string) => {
    number += 1;
    return `${prefix}_${number}`;
  };
  function* item(start: Json, end: Json, between: readonly (readonly [string, Json])[] = []): Generator<Emission> {
    const index = output.length;
    yield event("response.output_item.added", { output_index: index, item: sent(start) });
    for (const [type, more] of between) yield event(type, { item_id: start["id"], output_index: index, ...more });
    yield event("response.output_item.done", { output_index: index, item: sent(end) });
    output.push(end);
  }

  yield event("response.created", { response: sent(response) });
  yield event("response.in_progress", { response: sent(response) });
  if (script.reasoning !== "") yield* item(...reasoning(script.reasoning, nextId("rs")));
  if (script.hosted) for (const parts of hostedItems(nextId)) yield* item(...parts);
  if (request.decided?.isApproved === true) {
    const end = mcpCall(nextId("mcp"), "delete_page", '{"page":"Backups"}', "Deleted.", request.decided.requestId);
    yield* item({ ...end, status: "in_progress", arguments: "", output: null }, end, mcpSteps('{"page":"Backups"}'));
  }
  if (script.asksApproval) {
    const named = { server_label: "wiki", name: "delete_page", arguments: '{"page":"Backups"}' };
    const asked = { id: nextId("mcpr"), type: "mcp_approval_request", ...named };
    yield* item(asked, asked);
  }
  for (const [at, call] of script.calls.entries()) {
    const start = {
      id: nextId("fc"),
      type: "function_call",
      status: "in_progress",
      call_id: `call_${at}`,
      name: call.name,
    };
    yield* item({ ...start, arguments: "" }, { ...start, status: "completed", arguments: call.arguments }, [
      ["response.function_call_arguments.delta", { delta: call.arguments }],
      ["response.function_call_arguments.done", { arguments: call.arguments, name: call.name }],
    ]);
  }
  const incomplete = { length: "max_output_tokens", content_filter: "content_filter" }[String(script.finish)];
  if (script.text !== "" || script.refusal !== "") {
    const isBroken = yield* message();
    if (isBroken) return;
  }
  const status = incomplete === undefined ? "completed" : "incomplete";
  const usage = {
    ...{ input_tokens: 20, input_tokens_details: { cached_tokens: 0 }, output_tokens: 12 },
    ...{ output_tokens_details: { reasoning_tokens: 0 }, total_tokens: 32 },
  };
  const details = incomplete === undefined ? null : { reason: incomplete };
  const ended = {
    ...response,
    status,
    output: output.map(framing === "openai" ? sent : deepWithoutNulls),
    incomplete_details: details,
    usage,
  };
  yield event(`response.${status}`, { response: sent(ended) });
  yield done;

  /** Whether it broke off. */
  function* message(): Generator<Emission, boolean> {
    const index = output.length;
    const messageId = nextId("msg");
    const isRefusal = script.refusal !== "";
    const kind = isRefusal ? "refusal" : "output_text";
    const where = { item_id: messageId, output_index: index, content_index: 0 };
    const start = { id: messageId, type: "message", status: "in_progress", role: "assistant", content: [] };
    const annotations = script.citations.map((citation) => ({
      ...{ type: "url_citation", start_index: citation.start, end_index: citation.end },
      ...{ title: citation.title, url: citation.url },
    }));
    const text = isRefusal ? script.refusal : script.text;
    const part = isRefusal
      ? { type: "refusal", refusal: text }
      : { type: "output_text", text, annotations, logprobs: [] };
    const emptyPart = isRefusal ? { ...part, refusal: "" } : { ...part, text: "", annotations: [] };
    const more = isRefusal ? {} : { logprobs: [] };
    yield event("response.output_item.added", { output_index: index, item: start });
    yield event("response.content_part.added", { ...where, part: emptyPart });
    let sentText = "";
    for (const step of pacedPieces(script, text)) {
      if ("piece" in step) {
        sentText += step.piece;
        yield event(`response.${kind}.delta`, { ...where, delta: step.piece, ...more });
      } else yield step;
    }
    if (sentText !== text) {
      yield* broken();
      return true;
    }
    for (const [at, annotation] of annotations.entries()) {
      yield event("response.output_text.annotation.added", { ...where, annotation_index: at, annotation });
    }
    yield event(`response.${kind}.done`, { ...where, ...(isRefusal ? { refusal: text } : { text }), ...more });
    yield event("response.content_part.done", { ...where, part });
    const end = { ...start, status: incomplete === undefined ? "completed" : "incomplete", content: [part] };
    yield event("response.output_item.done", { output_index: index, item: end });
    output.push(end);
    return false;
  }

  function* broken(): Generator<Emission> {
    if (script.fault === "hang") yield { hangs: true };
    const message = "The server had an error while processing your request.";
    if (framing === "openai") {
      if (script.fault === "fail mid") {
        yield event("error", { code: "server_error", message, param: null });
        const failed = { ...response, status: "failed", error: { code: "server_error", message } };
        yield event("response.failed", { response: failed });
        yield done;
      }
      yield { cut: true };
      return;
    }
    const said =
      script.fault === "fail mid"
        ? "Response API in-stream error"
        : "litellm.APIConnectionError: openai closed the responses stream before any terminal event (response.completed, response.incomplete or response.failed)";
    const failed = {
      ...{ id, created_at: created, error: { code: "server_error", message: said } },
      ...{ model: request.modelsName, object: "response", output: [], status: "failed" },
    };
    const data = { type: "response.failed", response: failed, sequence_number: sequence };
    yield { event: "response.failed", data };
    yield done;
  }
}

type Parts = readonly [Json, Json, readonly (readonly [string, Json])[]];

function reasoning(text: string, id: string): Parts {
  const said = { type: "summary_text", text };
  const place = { summary_index: 0 };
  const words = piecesOf(text).map((delta) => ["response.reasoning_summary_text.delta", { ...place, delta }] as const);
  return [
    { id, type: "reasoning", summary: [] },
    { id, type: "reasoning", summary: [said] },
    [
      ["response.reasoning_summary_part.added", { ...place, part: { type: "summary_text", text: "" } }],
      ...words,
      ["response.reasoning_summary_text.done", { ...place, text }],
      ["response.reasoning_summary_part.done", { ...place, part: said }],
    ],
  ];
}

function hostedItems(nextId: (prefix: string) => string): readonly Parts[] {
  const steps = (kind: string, ...names: readonly string[]) =>
    names.map((name) => [`response.${kind}.${name}`, {}] as const);
  const web = {
    id: nextId("ws"),
    type: "web_search_call",
    status: "in_progress",
    action: { type: "search", query: "backup time" },
  };
  const files = {
    id: nextId("fs"),
    type: "file_search_call",
    status: "in_progress",
    queries: ["backup time"],
    results: null,
  };
  const found = {
    ...{ file_id: "file-1", filename: "handbook.md", score: 0.91, text: "The backup runs every night." },
    attributes: { url: "https://docs.example.com/backup" },
  };
  const tool = { name: "lookup", input_schema: { type: "object" }, description: "Looks up a page", annotations: null };
  const list = { id: nextId("mcpl"), type: "mcp_list_tools", server_label: "wiki", tools: [tool] };
  const call = mcpCall(nextId("mcp"), "lookup", '{"page":"Backups"}', "Every night at two.", null);
  const callBegun = { ...call, status: "in_progress", arguments: "", output: null };
  const searching = ["in_progress", "searching", "completed"] as const;
  return [
    [web, { ...web, status: "completed" }, steps("web_search_call", ...searching)],
    [files, { ...files, status: "completed", results: [found] }, steps("file_search_call", ...searching)],
    [list, list, steps("mcp_list_tools", "in_progress", "completed")],
    [callBegun, call, mcpSteps('{"page":"Backups"}')],
  ];
}

function mcpCall(id: string, name: string, args: string, output: string, requestId: string | null): Json {
  return {
    ...{ id, type: "mcp_call", status: "completed", approval_request_id: requestId, arguments: args },
    ...{ name, server_label: "wiki", output, error: null },
  };
}

function mcpSteps(args: string): readonly (readonly [string, Json])[] {
  return [
    ["response.mcp_call.in_progress", {}],
    ["response.mcp_call_arguments.delta", { delta: args }],
    ["response.mcp_call_arguments.done", { arguments: args }],
    ["response.mcp_call.completed", {}],
  ];
}

/** LiteLLM leaves out what is null, and at the end inside items too. */
function withoutNulls(value: Json): Json {
  return Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== null));
}

function deepWithoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(deepWithoutNulls);
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([, inner]) => inner !== null);
  return Object.fromEntries(kept.map(([key, inner]) => [key, deepWithoutNulls(inner)]));
}
