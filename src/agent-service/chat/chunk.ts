/**
 * Translates the chunks of a streamed chat completion into AgentEvents. Only the first choice counts. How it ended is
 * known with the finish reason; citations and usage may follow it.
 */
import { type AgentEvent, runLimits } from "../../core/model/agent-event.ts";
import type { Source } from "../../core/model/turn.ts";
import { isObject } from "../../core/tools/parse-json.ts";
import { cut } from "../http/cut.ts";
import { keysOf } from "../http/event-json.ts";
import { openAiFailure, toolWaitsForUs } from "../http/openai-problem.ts";
import { citedSource, maxSources, sourceKey } from "../openai/citations.ts";
import { createReasoning } from "../openai/reasoning.ts";
import { createToolCalls } from "./tool-calls.ts";

type Fields = Readonly<Record<string, unknown>>;

export type ChunkReader = {
  readonly read: (chunk: Fields) => void;
  /** The server sent an error in the place of a chunk. */
  readonly fail: (error: unknown) => void;
  /** `[DONE]` came. */
  readonly finish: () => void;
  /** The connection closed without it: the run has ended only if the service had said how. */
  readonly close: () => void;
  readonly hasEnded: () => boolean;
};

/** How a model says that it was stopped early. */
const cuts: ReadonlyMap<string, "length" | "filter"> = new Map<string, "length" | "filter">([
  ["length", "length"],
  ["max_tokens", "length"],
  ["model_length", "length"],
  ["content_filter", "filter"],
  ["safety", "filter"],
  ["content-filter", "filter"],
  ["recitation", "filter"],
  ["prohibited_content", "filter"],
  ["blocklist", "filter"],
  ["sensitive", "filter"],
]);

/** How a server says that it didn't finish: OpenRouter, vLLM, SGLang, DeepSeek, Zhipu, Gemini. */
const failures: ReadonlySet<string> = new Set([
  "error",
  "abort",
  "aborted",
  "cancelled",
  "timeout",
  "engine_error",
  "network_error",
  "insufficient_system_resource",
  "malformed_function_call",
]);

export function createChunkReader(emit: (event: AgentEvent) => void, secrets: readonly string[]): ChunkReader {
  const reasoning = createReasoning(emit);
  const tools = createToolCalls(emit);
  const sources = new Map<string, Source>();
  let text = "";
  /** A tool was called after the last word of the answer. */
  let endsWithCalls = false;
  let finishReason: string | undefined;
  let traceId = "";
  let hasStarted = false;
  let hasEnded = false;

  function add(piece: string): void {
    if (piece === "") return;
    if (text === "") reasoning.flush();
    text += piece;
    endsWithCalls = false;
    emit({ type: "answer-delta", text: piece });
  }

  /** Text, or parts of it; Mistral's thoughts are parts too. */
  function readContent(content: unknown): void {
    if (typeof content === "string") add(content);
    else if (Array.isArray(content)) for (const part of content) if (isObject(part)) readPart(part);
  }

  function readPart(part: Fields): void {
    const isThought = typeof part["type"] === "string" && /^(?:thinking|thought|reasoning)/i.test(part["type"]);
    const text = textOf(part["text"]);
    if (isThought) reasoning.add("thinking", text || textOf(part["reasoning"]) || textOf(part["content"]));
    else add(text);
    const { thinking } = part;
    if (typeof thinking === "string") reasoning.add("thinking", thinking);
    else if (Array.isArray(thinking))
      for (const one of thinking) if (isObject(one)) reasoning.add("thinking", textOf(one["text"]));
  }

  function cite(annotations: unknown): void {
    if (!Array.isArray(annotations)) return;
    for (const one of annotations.slice(0, maxSources)) {
      const source = citedSource(
        typeof one === "string" ? { url: one } : isObject(one) ? (one["url_citation"] ?? one) : one,
      );
      if (source !== undefined && sources.size < maxSources) sources.set(sourceKey(source), source);
    }
  }

  function readDelta(delta: Fields): void {
    // Names that servers give a model's thoughts; one of them says the same as the other where both come.
    const thought = textOf(delta["reasoning_content"]) || textOf(delta["reasoning"]) || textOf(delta["thinking"]);
    if (thought !== "") reasoning.add("reasoning", thought);
    readContent(delta["content"]);
    const refusal = textOf(delta["refusal"]);
    if (refusal !== "") add(refusal);
    cite(delta["annotations"]);
    if (Array.isArray(delta["tool_calls"]) && delta["tool_calls"].length > 0) {
      tools.add(delta["tool_calls"]);
      endsWithCalls = true;
    }
    // Its predecessor, which some servers still send.
    if (isObject(delta["function_call"])) {
      tools.add([{ index: 0, function: delta["function_call"] }]);
      endsWithCalls = true;
    }
  }

  function readChoice(choice: unknown): void {
    if (!isObject(choice) || (typeof choice["index"] === "number" && choice["index"] !== 0)) return;
    if (isObject(choice["delta"])) readDelta(choice["delta"]);
    // A server that doesn't stream after all, or repeats the whole at the end.
    else if (isObject(choice["message"]) && text === "") readDelta(choice["message"]);
    const reason = textOf(choice["finish_reason"]);
    if (reason !== "") finishReason = reason;
    if (choice["error"] !== undefined && choice["error"] !== null) fail(choice["error"]);
  }

  function fail(error: unknown): void {
    reasoning.flush();
    emit({ type: "failed", error: openAiFailure(error, secrets) });
    end();
  }

  function end(): void {
    hasEnded = true;
    emit({ type: "ended" });
  }

  /** The last word about the answer. */
  function conclude(): void {
    reasoning.flush();
    tools.start();
    const cutBy = cuts.get((finishReason ?? "").toLowerCase());
    if (cutBy !== undefined || sources.size > 0) {
      const cited = sources.size > 0 ? [...sources.values()] : undefined;
      emit({ type: "answer" as const, text, cut: cutBy, sources: cited });
    }
    // Of calls that the server answers itself, more text follows.
    if (endsWithCalls) emit({ type: "failed", error: toolWaitsForUs(tools.names(), secrets) });
    else if (failures.has((finishReason ?? "").toLowerCase())) {
      emit({ type: "failed", error: openAiFailure(`finish_reason: ${finishReason}`, secrets) });
    }
    end();
  }

  function readTrace(id: unknown): void {
    if (typeof id !== "string" || id === "" || id === traceId) return;
    // Some servers number each chunk; the first number is enough.
    if (traceId === "") emit({ type: "traced", traceId: cut(id, runLimits.traceId).text });
    traceId = id;
  }

  return {
    read: (chunk) => {
      if (hasEnded) return;
      if (!hasStarted) {
        hasStarted = true;
        emit({ type: "started" });
      }
      const { choices } = chunk;
      readTrace(chunk["id"]);
      if (Array.isArray(choices)) {
        for (const choice of choices) if (!hasEnded) readChoice(choice);
        cite(chunk["citations"]);
        cite(chunk["search_results"]);
      } else if (chunk["usage"] === undefined) emit({ type: "unknown", kind: keysOf(chunk) });
    },
    fail: (error) => {
      if (!hasEnded) fail(error);
    },
    finish: () => {
      if (!hasEnded) conclude();
    },
    close: () => {
      if (hasEnded) return;
      if (finishReason === undefined) reasoning.flush();
      else conclude();
    },
    hasEnded: () => hasEnded,
  };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
