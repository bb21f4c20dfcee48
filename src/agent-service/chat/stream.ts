/**
 * What the chunks of a streamed chat completion mean, as a reducer. Only the first choice counts. How it ended is known
 * with the finish reason; citations and usage may follow it.
 */
import { type AgentEvent, runLimits } from "../../core/model/agent-event.ts";
import type { Source } from "../../core/model/turn.ts";
import { isObject } from "../../core/tools/parse-json.ts";
import { createDecoder, type Decoder, type DecoderOptions, type StreamEvent } from "../http/decoder.ts";
import { errorIn, type Fields, keysOf } from "../http/events.ts";
import { cut, jsonText, redactSecrets, textOf } from "../http/texts.ts";
import { citedSource, maxSources, sourceKey } from "../openai/citations.ts";
import { openAiFailure, toolWaitsForUs } from "../openai/errors.ts";
import { usageEvents } from "../openai/usage.ts";
import { addThought, flushThought, noReasoning, type Reasoning } from "../thoughts/thoughts.ts";

export type ChatRun = { readonly kind: "waiting" } | Running | { readonly kind: "ended" };

type Running = {
  readonly kind: "running";
  readonly text: string;
  readonly reasoning: Reasoning;
  readonly calls: readonly Call[];
  /** A tool was called after the last word of the answer. */
  readonly endsWithCalls: boolean;
  readonly sources: readonly Source[];
  readonly finishReason?: string;
  /** The last one counts: some servers tell it with each chunk. */
  readonly usage?: unknown;
  readonly traceId: string;
};

type Call = {
  /** Tells which pieces belong together. */
  readonly key: string;
  readonly id: string;
  readonly name: string;
  readonly input: string;
  readonly omitted: number;
};

const waiting: ChatRun = { kind: "waiting" };
const ended: ChatRun = { kind: "ended" };
const begun: Running = {
  kind: "running",
  text: "",
  reasoning: noReasoning,
  calls: [],
  endsWithCalls: false,
  sources: [],
  traceId: "",
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

/** Leaves room for a number that tells ids apart which are the same up to here. */
const maxIdChars = runLimits.stepId - 10;

export function createChatDecoder(options: DecoderOptions = {}): Decoder<ChatRun> {
  const { secrets = [] } = options;
  return createDecoder(
    {
      begin: () => waiting,
      reduce: (run, event) => {
        const events: AgentEvent[] = [];
        return [reduceChat(run, event, { events, secrets }), events];
      },
      hasEnded: ({ kind }) => kind === "ended",
      framing: "events",
    },
    options,
  );
}

/** What a step of the reducer writes to. */
type Out = { readonly events: AgentEvent[]; readonly secrets: readonly string[] };

function reduceChat(run: ChatRun, event: StreamEvent, out: Out): ChatRun {
  if (run.kind === "ended") return run;
  const running = run.kind === "waiting" ? begun : run;
  switch (event.type) {
    case "fields": {
      const error = errorIn(event.fields, event.name);
      if (error !== undefined) return fail(running, error, out);
      if (run.kind === "waiting") out.events.push({ type: "started" });
      return readChunk(running, event.fields, out);
    }
    case "value":
      return run;
    case "done":
      return conclude(running, out);
    case "closed":
      // Without `[DONE]` the run has ended only if the service had said how.
      if (running.finishReason !== undefined) return conclude(running, out);
      out.events.push(...usageEvents(running.usage));
      return flush(running, out);
  }
}

function readChunk(before: Running, chunk: Fields, out: Out): ChatRun {
  const { id, choices, citations, search_results: results } = chunk;
  let run = readTrace(before, id, out);
  if (isObject(chunk["usage"])) run = { ...run, usage: chunk["usage"] };
  if (!Array.isArray(choices)) {
    if (chunk["usage"] === undefined) out.events.push({ type: "unknown", kind: keysOf(chunk) });
    return run;
  }
  for (const choice of choices) {
    if (!isObject(choice) || (typeof choice["index"] === "number" && choice["index"] !== 0)) continue;
    run = readChoice(run, choice, out);
    if (choice["error"] !== undefined && choice["error"] !== null) return fail(run, choice["error"], out);
  }
  return cite(cite(run, citations), results);
}

function readTrace(run: Running, id: unknown, { events }: Out): Running {
  // Some servers number each chunk; the first number is enough.
  if (run.traceId !== "" || typeof id !== "string" || id === "") return run;
  events.push({ type: "traced", traceId: cut(id, runLimits.traceId).text });
  return { ...run, traceId: id };
}

function readChoice(before: Running, choice: Fields, out: Out): Running {
  let run = before;
  if (isObject(choice["delta"])) run = readDelta(run, choice["delta"], out);
  // A server that doesn't stream after all, or repeats the whole at the end.
  else if (isObject(choice["message"]) && run.text === "") run = readDelta(run, choice["message"], out);
  const finishReason = textOf(choice["finish_reason"]);
  return finishReason === "" ? run : { ...run, finishReason };
}

function readDelta(before: Running, delta: Fields, out: Out): Running {
  let run = before;
  // Names that servers give a model's thoughts; one of them says the same as the other where both come.
  const thought = textOf(delta["reasoning_content"]) || textOf(delta["reasoning"]) || textOf(delta["thinking"]);
  if (thought !== "") run = think(run, "reasoning", thought, out);
  const { content, tool_calls: calls, function_call: call } = delta;
  if (typeof content === "string") run = write(run, content, out);
  // Text in parts; Mistral's thoughts are parts too.
  else if (Array.isArray(content)) for (const part of content) if (isObject(part)) run = readPart(run, part, out);
  run = cite(write(run, textOf(delta["refusal"]), out), delta["annotations"]);
  if (Array.isArray(calls) && calls.length > 0) run = addCalls(run, calls);
  // Its predecessor, which some servers still send.
  return isObject(call) ? addCalls(run, [{ index: 0, function: call }]) : run;
}

function readPart(before: Running, part: Fields, out: Out): Running {
  const isThought = typeof part["type"] === "string" && /^(?:thinking|thought|reasoning)/i.test(part["type"]);
  const text = textOf(part["text"]);
  let run = isThought
    ? think(before, "thinking", text || textOf(part["reasoning"]) || textOf(part["content"]), out)
    : write(before, text, out);
  const { thinking } = part;
  if (typeof thinking === "string") run = think(run, "thinking", thinking, out);
  else if (Array.isArray(thinking))
    for (const one of thinking) if (isObject(one)) run = think(run, "thinking", textOf(one["text"]), out);
  return run;
}

function write(before: Running, piece: string, out: Out): Running {
  if (piece === "") return before;
  const run = before.text === "" ? flush(before, out) : before;
  out.events.push({ type: "answer-delta", text: piece });
  return { ...run, text: run.text + piece, endsWithCalls: false };
}

function think(run: Running, item: string, piece: string, { events }: Out): Running {
  const [reasoning, said] = addThought(run.reasoning, item, piece);
  events.push(...said);
  return { ...run, reasoning };
}

function flush(run: Running, { events }: Out): Running {
  const [reasoning, said] = flushThought(run.reasoning);
  events.push(...said);
  return reasoning === run.reasoning ? run : { ...run, reasoning };
}

function cite(run: Running, annotations: unknown): Running {
  if (!Array.isArray(annotations)) return run;
  const sources = new Map(run.sources.map((source) => [sourceKey(source), source]));
  for (const one of annotations.slice(0, maxSources)) {
    const source = citedSource(
      typeof one === "string" ? { url: one } : isObject(one) ? (one["url_citation"] ?? one) : one,
    );
    if (source !== undefined && sources.size < maxSources) sources.set(sourceKey(source), source);
  }
  return { ...run, sources: [...sources.values()] };
}

/** Id and name come with the first piece of each call, arguments in pieces. */
function addCalls(run: Running, pieces: readonly unknown[]): Running {
  const calls = [...run.calls];
  for (const [position, piece] of pieces.entries()) {
    if (!isObject(piece)) continue;
    const { index, id, function: called } = piece;
    // Some servers send no index: then each piece with an id is a call of its own.
    const key = typeof index === "number" ? `#${index}` : textOf(id) || `at ${position}`;
    let at = calls.findIndex((call) => call.key === key);
    if (at < 0) {
      if (calls.length >= runLimits.steps) continue;
      at = calls.push({ key, id: newId(calls, textOf(id)), name: "", input: "", omitted: 0 }) - 1;
    }
    if (isObject(called)) calls[at] = withPiece(calls[at] as Call, called);
  }
  return { ...run, calls, endsWithCalls: true };
}

function newId(calls: readonly Call[], given: string): string {
  const number = calls.length + 1;
  const id = cut(given || `call ${number}`, maxIdChars).text;
  return calls.some((other) => other.id === id) ? `${id}#${number}` : id;
}

function withPiece(call: Call, { name, arguments: input }: Fields): Call {
  const piece = isObject(input) ? jsonText(input) : textOf(input);
  const { text, omitted } = cut(piece, Math.max(0, runLimits.input - call.input.length));
  const isFull = call.omitted > 0;
  return {
    ...call,
    // A name that is repeated with each piece is not a longer name.
    name: call.name || cut(textOf(name), runLimits.toolName).text,
    input: isFull ? call.input : call.input + text,
    omitted: call.omitted + (isFull ? piece.length : omitted),
  };
}

function fail(run: Running, error: unknown, out: Out): ChatRun {
  flush(run, out);
  out.events.push(...usageEvents(run.usage));
  out.events.push({ type: "failed", error: openAiFailure(error, out.secrets) }, { type: "ended" });
  return ended;
}

/** The last word about the answer. */
function conclude(run: Running, out: Out): ChatRun {
  const { events, secrets } = out;
  const { text, sources, endsWithCalls } = run;
  flush(run, out);
  events.push(...usageEvents(run.usage));
  const calls = run.calls.map(({ name, ...call }) => ({ ...call, tool: name || "tool" }));
  // Told when their arguments are whole.
  for (const { id, tool, input, omitted } of calls) {
    events.push({
      type: "step-started",
      id,
      tool,
      input: redactSecrets(input),
      inputOmittedChars: omitted || undefined,
    });
  }
  const reason = (run.finishReason ?? "").toLowerCase();
  const cutBy = cuts.get(reason);
  if (cutBy !== undefined || sources.length > 0) {
    events.push({ type: "answer", text, cut: cutBy, sources: sources.length > 0 ? sources : undefined });
  }
  // Of calls that the server answers itself, more text follows.
  if (endsWithCalls)
    events.push({
      type: "failed",
      error: toolWaitsForUs(
        calls.map(({ tool }) => tool),
        secrets,
      ),
    });
  else if (failures.has(reason)) {
    events.push({ type: "failed", error: openAiFailure(`finish_reason: ${run.finishReason}`, secrets) });
  }
  events.push({ type: "ended" });
  return ended;
}
