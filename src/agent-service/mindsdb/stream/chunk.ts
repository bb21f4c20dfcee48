/**
 * Translates one JSON chunk of a stream into AgentEvents. The shape of the chunk decides, never a version, since a
 * proxy, an update during a run or a third generation may mix them. One reader per stream; it remembers only that the
 * run has started and ended, and its trace id.
 */

import { ParleyError } from "../../../core/errors.ts";
import { type AgentEvent, runLimits } from "../../../core/model/agent-event.ts";
import { isObject } from "../../../core/tools/parse-json.ts";
import { cut } from "../../http/cut.ts";
import { redactInternals, redactSecrets } from "../../http/redaction.ts";
import { runFailure } from "../run-failure.ts";
import { isFailure, type Observed, readAnswerTable, readObservation } from "./observation.ts";
import { createProseReader } from "./prose.ts";

type StepEvent = Extract<AgentEvent, { type: "step-finished" }>;
export type ChunkReader = {
  readonly read: (chunk: unknown) => readonly AgentEvent[];
  readonly hasEnded: () => boolean;
};

type Chunk = Readonly<Record<string, unknown>>;

export function createChunkReader(): ChunkReader {
  const readProse = createProseReader(finishStep);
  let hasStarted = false;
  let hasEnded = false;
  let traceId = "";

  /** 25.x has it in every chunk, 26.x from the answer on; it is empty where the service traces nothing. */
  function readTrace(chunk: unknown): readonly AgentEvent[] {
    const found = isObject(chunk) ? chunk["trace_id"] : undefined;
    if (typeof found !== "string" || found.trim() === "" || found === traceId) return [];
    traceId = found;
    return [{ type: "traced", traceId: cut(found.trim(), runLimits.traceId).text }];
  }

  function translate(chunk: Chunk): readonly AgentEvent[] {
    const { type } = chunk;
    if (type === "end") {
      hasEnded = true;
      return [{ type: "ended" }];
    }
    if ("error" in chunk) return [{ type: "failed", error: runFailure(asText(chunk["error"])) }];
    if (type === "error") return [{ type: "failed", error: runFailure(asText(chunk["content"])) }];
    // Its prompt may be the agent's whole system prompt, so it is dropped.
    if (type === "start") return [];
    if (type === "data") return [readData(chunk)];
    if ((type === "context" || type === "status") && typeof chunk["content"] === "string") {
      return readProse(chunk["content"]);
    }
    const actions = list(chunk["actions"]).slice(0, runLimits.steps);
    const steps = list(chunk["steps"]).slice(0, runLimits.steps);
    const events = [...actions.flatMap(readAction), ...steps.map(readStep)];
    if (typeof chunk["output"] === "string") events.push(answer(chunk["output"]));
    return events.length > 0 || Array.isArray(chunk["actions"]) || Array.isArray(chunk["steps"])
      ? events
      : [{ type: "unknown", kind: kindOf(chunk) }];
  }

  return {
    read: (chunk) => {
      if (hasEnded) return [];
      const translated = isObject(chunk) ? translate(chunk) : [{ type: "unknown" as const, kind: typeof chunk }];
      const events = [...readTrace(chunk), ...translated];
      if (hasStarted) return events;
      hasStarted = true;
      return [{ type: "started" }, ...events];
    },
    hasEnded: () => hasEnded,
  };
}

/** Detects an answer that is really a tool call: an agent that runs out of steps sends its last one as the answer. */
export function isLeakedToolCall(text: string): boolean {
  return text.includes("Action:") && text.includes("Action Input:");
}

function answer(text: string): AgentEvent {
  if (isLeakedToolCall(text)) return { type: "failed", error: new ParleyError("answer_unusable") };
  return { type: "answer", text };
}

/** A data chunk of 26.x has prose in `text` or rows in `content`. Empty `content` means that a query found no rows. */
function readData(chunk: Chunk): AgentEvent {
  const { text, content } = chunk;
  if (typeof text === "string") return answer(text);
  if (typeof content !== "string") return { type: "unknown", kind: kindOf(chunk) };
  if (content.trim() === "") return { type: "answer", text: "", table: { columns: [], rows: [] } };
  const table = readAnswerTable(content.trim());
  return table === undefined ? answer(content) : { type: "answer", text: "", table };
}

function readAction(action: unknown): AgentEvent[] {
  if (!isObject(action)) return [];
  const said = cut(reasoningOf(asText(action["log"])), runLimits.reasoning);
  const reasoning = redactSecrets(said.text);
  const input = cut(asText(action["tool_input"]), runLimits.input);
  const started: AgentEvent = {
    type: "step-started" as const,
    tool: toolOf(action),
    input: redactSecrets(input.text),
    inputOmittedChars: input.omitted || undefined,
    reasoning: reasoning || undefined,
    reasoningOmittedChars: said.omitted || undefined,
  };
  return reasoning === "" ? [started] : [{ type: "reasoning", text: reasoning.slice(0, runLimits.status) }, started];
}

function toolOf(action: Chunk): string {
  return cut(asText(action["tool"]), runLimits.toolName).text;
}

function readStep(step: unknown): AgentEvent {
  const chunk = isObject(step) ? step : {};
  const observation = withoutInternals(asText(chunk["observation"]));
  const action = chunk["action"];
  if (!isObject(action)) return finishStep({ observation });
  const input = redactSecrets(cut(asText(action["tool_input"]), runLimits.input).text);
  return finishStep({ tool: toolOf(action), input, observation });
}

/** Redacts a failure, which holds the service's paths and URLs. Results of tools stay as they are. */
function withoutInternals(observation: string): string {
  return isFailure(observation) ? redactInternals(observation.slice(0, maxFailureChars)) : observation;
}

/** The rest of a longer failure is dropped unread. */
const maxFailureChars = 20_000;

/** The text before the tool call, without the markers of the prompt's output format. */
function reasoningOf(log: string): string {
  const end = log.indexOf("Action:");
  return (end < 0 ? log : log.slice(0, end))
    .replace(/^\s*Thought:\s*/, "")
    .replace(/^Do I need to use a tool\?\s*(?:Yes|No)\.?\s*/i, "")
    .trim();
}

/**
 * Builds the event with lazy fields: parsing an observation (rows, metadata, sources) costs more than all other decoding.
 * A run that is read to its end in the background, after Stop, never needs it.
 */
function finishStep(step: { tool?: string; input?: string; observation: string }): StepEvent {
  let observed: Observed | undefined;
  const read = (): Observed => {
    observed ??= readObservation(step.observation);
    return observed;
  };
  return {
    type: "step-finished",
    tool: step.tool,
    input: step.input,
    observation: step.observation,
    get outcome() {
      return read().outcome;
    },
    get sources() {
      return read().sources;
    },
    get table() {
      return read().table;
    },
  } as StepEvent;
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function asText(value: unknown): string {
  if (typeof value === "string") return value;
  return value === undefined || value === null ? "" : JSON.stringify(value);
}

function kindOf(chunk: Chunk): string {
  const keys = Object.keys(chunk).sort().join(",");
  return typeof chunk["type"] === "string" ? `${chunk["type"]}: ${keys}`.slice(0, 200) : keys.slice(0, 200);
}
