/** Chat Completions of the scripted model server, framed as OpenAI or as LiteLLM frames them. */
import { done, type Emission, type Json, pacedPieces } from "./emission.ts";
import { failedInside } from "./refusals.ts";
import { type Citation, piecesOf, type Script } from "./script.ts";

export type Framing = "openai" | "litellm";
export type ChatRequest = { readonly model: string; readonly includeUsage: boolean; readonly id: string };

const created = 1_700_000_000;

export function* chatStream(script: Script, request: ChatRequest, framing: Framing): Generator<Emission> {
  const isOpenAi = framing === "openai";
  const base = { id: request.id, object: "chat.completion.chunk", created, model: request.model };
  const chunk = (delta: Json, finish?: string): Emission => {
    if (!isOpenAi)
      return { data: { ...base, choices: [{ index: 0, delta, ...(finish && { finish_reason: finish }) }] } };
    const choice = { index: 0, delta, logprobs: null, finish_reason: finish ?? null };
    const usage = request.includeUsage ? { usage: null } : {};
    return { data: { ...base, service_tier: "default", system_fingerprint: "fp_1", choices: [choice], ...usage } };
  };
  yield chunk(isOpenAi ? { role: "assistant", content: "", refusal: null } : { role: "assistant", content: "" });
  for (const word of piecesOf(script.reasoning)) yield chunk({ reasoning_content: word });
  for (const step of pacedPieces(script, script.text)) yield "piece" in step ? chunk({ content: step.piece }) : step;
  if (script.fault !== "" && piecesOf(script.text).length > 3) {
    if (script.fault === "hang") yield { hangs: true };
    if (script.fault === "fail mid") yield { data: failedInside(framing) };
    // LiteLLM makes a whole answer of one that the model broke off. OpenAI's own stream just closes.
    if (script.fault === "cut mid" && !isOpenAi) yield* [chunk({}, "stop"), done];
    yield { cut: true };
    return;
  }
  // LiteLLM loses the refusal.
  if (isOpenAi) for (const word of piecesOf(script.refusal)) yield chunk({ refusal: word });
  if (script.citations.length > 0) yield chunk({ annotations: script.citations.map(chatCitation) });
  for (const [index, call] of script.calls.entries()) {
    const begun = { name: call.name, arguments: "" };
    yield chunk({ tool_calls: [{ index, id: callId(index), type: "function", function: begun }] });
    for (let at = 0; at < call.arguments.length; at += 12) {
      const piece = { index, function: { arguments: call.arguments.slice(at, at + 12) } };
      // LiteLLM repeats the type with each piece.
      yield chunk({ tool_calls: [isOpenAi ? piece : { ...piece, type: "function" }] });
    }
  }
  yield chunk({}, script.finish);
  if (request.includeUsage) {
    const choices = isOpenAi ? [] : [{ index: 0, delta: {} }];
    yield { data: { ...base, choices, usage: usageOf(script) } };
  }
  yield done;
}

/** The answer to a request without `stream`. */
export function chatBody(script: Script, request: ChatRequest): Json {
  const message: Record<string, unknown> = { role: "assistant", content: script.text === "" ? null : script.text };
  if (script.reasoning !== "") message["reasoning_content"] = script.reasoning;
  if (script.refusal !== "") message["refusal"] = script.refusal;
  if (script.citations.length > 0) message["annotations"] = script.citations.map(chatCitation);
  if (script.calls.length > 0) {
    message["tool_calls"] = script.calls.map((call, index) => ({
      ...{ id: callId(index), type: "function", function: { name: call.name, arguments: call.arguments } },
    }));
  }
  const choice = { index: 0, message, finish_reason: script.finish };
  const { id, model } = request;
  return { id, object: "chat.completion", created, model, choices: [choice], usage: usageOf(script) };
}

function chatCitation({ start, end, title, url }: Citation): Json {
  return { type: "url_citation", url_citation: { start_index: start, end_index: end, title, url } };
}

function callId(index: number): string {
  return `call_${String(index).padStart(12, "0")}`;
}

function usageOf(script: Script): Json {
  const words = piecesOf(script.text).length;
  const reasoning = { reasoning_tokens: piecesOf(script.reasoning).length };
  return {
    ...{ completion_tokens: words, prompt_tokens: 20, total_tokens: 20 + words },
    completion_tokens_details: reasoning,
  };
}
