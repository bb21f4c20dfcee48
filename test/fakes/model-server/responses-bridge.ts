/** Responses events as LiteLLM's bridge makes them of a model's chat chunks: no `event:`, useless sequence numbers. */
import { done, type Emission, type Json, pacedPieces } from "./emission.ts";
import { piecesOf, type Script } from "./script.ts";

const created = 1_795_328_600;

export type BridgeRequest = { readonly id: string; readonly model: string; readonly body: Json };

export function* bridgeStream(script: Script, { id, model, body }: BridgeRequest): Generator<Emission> {
  const event = (type: string, more: Json): Emission => ({ data: { type, ...more, model } });
  const tools = body["tools"] ?? [];
  const common = { id, created_at: created, model: "fake-chat", object: "response" };
  const begun = {
    ...{ ...common, output: [], parallel_tool_calls: true, tool_choice: "auto", tools, top_p: 1 },
    ...{ reasoning: { effort: null, summary: null }, status: "in_progress", store: true },
    ...echoed(body, "instructions", "metadata", "user"),
  };
  yield event("response.created", { response: begun });
  yield event("response.in_progress", { response: begun });

  const output: Json[] = [];
  if (script.reasoning !== "") yield* reasoning();
  const hasMessage = script.text !== "" || script.calls.length === 0;
  const messageIndex = output.length;
  const messageId = "msg_00000000-0000-4000-8000-000000000001";
  const where = { item_id: messageId, output_index: messageIndex, content_index: 0 };
  let text = "";
  if (hasMessage) {
    const item = { id: messageId, type: "message", role: "assistant", status: "in_progress", content: [] };
    yield event("response.output_item.added", { output_index: messageIndex, item });
    yield event("response.content_part.added", { ...where, part: { type: "output_text", text: "", annotations: [] } });
    for (const step of pacedPieces(script, script.text)) {
      if ("piece" in step) {
        text += step.piece;
        yield event("response.output_text.delta", { ...where, delta: step.piece });
      } else yield step;
    }
  }
  const isCut = text !== script.text;
  if (isCut && script.fault === "hang") yield { hangs: true };
  if (isCut && script.fault === "fail mid") {
    const message =
      "litellm.APIConnectionError: APIConnectionError: OpenAIException - The server had an error while processing your request.";
    const response = { ...common, error: { code: "server_error", message }, output: [], status: "failed" };
    yield { event: "response.failed", data: { type: "response.failed", response, sequence_number: 9 } };
    yield done;
    return;
  }
  const firstCall = hasMessage ? messageIndex + 1 : messageIndex;
  const calls = script.calls.map((call, index) => {
    const callId = `call_${String(index).padStart(12, "0")}`;
    const item = { type: "function_call", id: `fc_${callId}`, call_id: callId, name: call.name };
    return { item, index: firstCall + index, arguments: call.arguments };
  });
  for (const call of calls) {
    const item = { ...call.item, status: "in_progress", arguments: "" };
    yield event("response.output_item.added", { output_index: call.index, item });
    for (let at = 0; at < call.arguments.length; at += 11) {
      const delta = call.arguments.slice(at, at + 11);
      const place = { item_id: call.item.id, output_index: call.index };
      yield event("response.function_call_arguments.delta", { ...place, delta });
    }
  }
  for (const [at, call] of calls.entries()) {
    const place = { item_id: call.item.id, output_index: call.index };
    yield event("response.function_call_arguments.done", { ...place, arguments: call.arguments });
    const item = { ...call.item, status: "completed", arguments: call.arguments };
    yield event("response.output_item.done", { output_index: call.index, sequence_number: 16 + 2 * at, item });
  }
  const annotations = script.citations.map(({ start, end, title, url }) => ({
    ...{ type: "url_citation", start_index: start, end_index: end, url, title },
  }));
  if (hasMessage) {
    for (const [at, annotation] of annotations.entries()) {
      yield event("response.output_text.annotation.added", { ...where, annotation_index: at, annotation });
    }
    yield event("response.output_text.done", { ...where, text });
    // The bridge loses what the annotations say here.
    const emptied = annotations.map(() => ({}));
    const part = { type: "output_text", text, annotations: emptied };
    yield event("response.content_part.done", { ...where, part });
    const item = { id: messageId, status: "completed", type: "message", role: "assistant" };
    const content = [{ type: "output_text", text, annotations }];
    const ended = { ...item, content };
    yield event("response.output_item.done", { output_index: messageIndex, sequence_number: 1, item: ended });
  }
  const incomplete = { length: "max_output_tokens", content_filter: "content_filter" }[String(script.finish)];
  const status = incomplete === undefined ? "completed" : "incomplete";
  if (hasMessage) {
    const content = [{ type: "output_text", text, annotations }];
    output.push({ type: "message", id: messageId, status, role: "assistant", content });
  }
  for (const call of calls) output.push({ ...call.item, status: "completed", arguments: call.arguments });
  const response = {
    ...common,
    ...(incomplete && { incomplete_details: { reason: incomplete } }),
    ...{ metadata: {}, output, parallel_tool_calls: false, tool_choice: "auto", tools, status, text: {} },
    ...echoed(body, "instructions", "metadata", "user", "store", "previous_response_id", "reasoning"),
    usage: usageOf(script, text, isCut),
  };
  yield event(`response.${status}`, { response });
  yield done;

  function* reasoning(): Generator<Emission> {
    const itemId = "rs_00000000-0000-4000-8000-000000000002";
    const place = { item_id: itemId, output_index: 0 };
    const item = { id: itemId, type: "reasoning" };
    yield event("response.output_item.added", { output_index: 0, item: { ...item, status: "in_progress" } });
    for (const delta of piecesOf(script.reasoning))
      yield event("response.reasoning_summary_text.delta", { ...place, delta });
    const said = { type: "summary_text", text: script.reasoning };
    const numbered = (number: number) => ({ ...place, sequence_number: number, summary_index: 0 });
    yield event("response.reasoning_summary_text.done", { ...numbered(4), text: script.reasoning });
    yield event("response.reasoning_summary_part.done", { ...numbered(5), part: said });
    yield event("response.output_item.done", {
      ...{ output_index: 0, sequence_number: 6, item: { ...item, summary: [said] } },
    });
    // At the end the bridge says reasoning as if it were an answer.
    const content = [{ type: "output_text", text: script.reasoning, annotations: [] }];
    output.push({ type: "reasoning", id: itemId, status: "completed", role: "assistant", content });
  }
}

/** Fields of the request that come back. */
function echoed(body: Json, ...names: readonly string[]): Json {
  return Object.fromEntries(Object.entries(body).filter(([name]) => names.includes(name)));
}

/** Of a model that broke off, LiteLLM counts itself. */
function usageOf(script: Script, text: string, isCut: boolean): Json {
  const output = isCut ? 4 : piecesOf(text).length;
  const input = isCut ? 16 : 20;
  const details = { reasoning_tokens: piecesOf(script.reasoning).length, ...(isCut && { text_tokens: 4 }) };
  return { input_tokens: input, output_tokens: output, output_tokens_details: details, total_tokens: input + output };
}
