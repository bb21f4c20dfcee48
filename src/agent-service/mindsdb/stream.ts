/**
 * What the chunks of a streamed run of MindsDB mean, as a reducer. The shape of a chunk decides, never a version, since a
 * proxy, an update during a run or a third generation may mix them: 25.x sends actions, steps and an output; 26.x reports
 * its steps in prose. A chunk is one line, and is read when its line is complete: the service's documents show no empty
 * lines between events, and a parser that waits for them would show each event late.
 */

import { ParleyError } from "../../core/errors.ts";
import { type AgentEvent, runLimits } from "../../core/model/agent-event.ts";
import { isObject } from "../../core/tools/parse-json.ts";
import { createDecoder, type Decoder, type DecoderOptions, type StreamEvent } from "../http/decoder.ts";
import { errorIn, type Fields } from "../http/events.ts";
import { cut, jsonText, redactInternals, redactSecrets } from "../http/texts.ts";
import { messageOf } from "../openai/errors.ts";
import { runFailure } from "./errors.ts";
import { isFailure, type Observed, readAnswerTable, readObservation } from "./observation.ts";

type StepEvent = Extract<AgentEvent, { type: "step-finished" }>;

export type MindsdbRun = { readonly kind: "waiting" } | Running | { readonly kind: "ended" };

type Running = {
  readonly kind: "running";
  readonly traceId: string;
  /** Of the prose of 26.x: the query that runs, and the agent's words before it. */
  readonly query?: string;
  readonly reasoning?: string;
};

type Step = readonly [MindsdbRun, readonly AgentEvent[]];

export function createMindsdbDecoder(options: DecoderOptions = {}): Decoder<MindsdbRun> {
  return createDecoder<MindsdbRun>(
    { begin: () => ({ kind: "waiting" }), reduce, hasEnded: ({ kind }) => kind === "ended", framing: "lines" },
    options,
  );
}

function reduce(run: MindsdbRun, event: StreamEvent): Step {
  if (run.kind === "ended" || event.type === "done" || event.type === "closed") return [run, []];
  const isFirst = run.kind === "waiting";
  const running: Running = run.kind === "waiting" ? { kind: "running", traceId: "" } : run;
  const [next, events] = event.type === "value" ? unknown(running, typeof event.value) : readChunk(running, event);
  return [next, isFirst ? [{ type: "started" }, ...events] : events];
}

function unknown(run: Running, kind: string): Step {
  return [run, [{ type: "unknown", kind }]];
}

function readChunk(before: Running, { fields, name }: Extract<StreamEvent, { type: "fields" }>): Step {
  const [run, traced] = readTrace(before, fields["trace_id"]);
  const [next, events] = translate(run, asChunk(fields, name));
  return [next, [...traced, ...events]];
}

/** What a server that doesn't stream answers, and errors that aren't the service's own, as chunks. */
function asChunk(fields: Fields, name: string | undefined): Fields {
  const { type, message } = fields;
  if (isObject(message) && typeof message["content"] === "string" && type === undefined) {
    return { output: message["content"] };
  }
  const error = "content" in fields && name !== "error" ? undefined : errorIn(fields, name);
  return isObject(error) ? { ...fields, type: "error", error: messageOf(error) || error } : fields;
}

/** 25.x has it in every chunk, 26.x from the answer on; it is empty where the service traces nothing. */
function readTrace(run: Running, found: unknown): readonly [Running, readonly AgentEvent[]] {
  if (typeof found !== "string" || found.trim() === "" || found === run.traceId) return [run, []];
  return [{ ...run, traceId: found }, [{ type: "traced", traceId: cut(found.trim(), runLimits.traceId).text }]];
}

function translate(run: Running, chunk: Fields): Step {
  const { type, content } = chunk;
  if (type === "end") return [{ kind: "ended" }, [{ type: "ended" }]];
  if ("error" in chunk) return [run, [{ type: "failed", error: runFailure(asText(chunk["error"])) }]];
  if (type === "error") return [run, [{ type: "failed", error: runFailure(asText(content)) }]];
  // Its prompt may be the agent's whole system prompt, so it is dropped.
  if (type === "start") return [run, []];
  if (type === "data") return [run, [readData(chunk)]];
  if ((type === "context" || type === "status") && typeof content === "string") return readProse(run, content);
  const { actions, steps, output } = chunk;
  const events = [...list(actions).flatMap(readAction), ...list(steps).map(readStep)];
  if (typeof output === "string") events.push(answer(output));
  const isKnown = events.length > 0 || Array.isArray(actions) || Array.isArray(steps);
  return isKnown ? [run, events] : unknown(run, kindOf(chunk));
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
function readData(chunk: Fields): AgentEvent {
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
    type: "step-started",
    tool: toolOf(action),
    input: redactSecrets(input.text),
    inputOmittedChars: input.omitted || undefined,
    reasoning: reasoning || undefined,
    reasoningOmittedChars: said.omitted || undefined,
  };
  return reasoning === "" ? [started] : [{ type: "reasoning", text: reasoning.slice(0, runLimits.status) }, started];
}

function toolOf(action: Fields): string {
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

/** 26.x doesn't name tools: every step is a query. */
const queryTool = "sql_query";

const stepPrefixes = ["Executing exploratory SQL query: ", "Executing final SQL query: "];
const resultPrefix = "Query result: ";
const failurePrefix = "Error executing SQL query: ";
const planPrefix = "Proposed Execution Plan:";
const statuses = new Set(["Creating execution plan...", "Generating agent response..."]);
const silentPattern =
  /^(?:Generating Data Catalog\.\.\.|Returning text response|Exploratory query \d+\/\d+ succeeded)$/;
/** Failures reported between steps may hold SQL, host paths and raw model errors, so they are never shown. */
const failurePattern = /^(?:Error\b|Traceback\b|Failed to\b)/;

/**
 * The prose in which 26.x reports its steps. Fixed texts become steps; any other text is the agent's own words and is
 * shown. Messages about the service itself (catalogs, counters) are of no use to people and are dropped.
 */
function readProse(run: Running, text: string): Step {
  if (text.startsWith(resultPrefix)) return finishQuery(run, text.slice(resultPrefix.length));
  if (text.startsWith(failurePrefix)) {
    const said = cut(text.slice(failurePrefix.length), runLimits.reasoning).text;
    return finishQuery(run, `Error: ${redactInternals(said)}`);
  }
  const stepPrefix = stepPrefixes.find((prefix) => text.startsWith(prefix));
  if (stepPrefix !== undefined) return startQuery(run, text.slice(stepPrefix.length));
  if (silentPattern.test(text)) return [run, []];
  if (statuses.has(text)) return [{ ...run, reasoning: undefined }, [{ type: "status", text }]];
  if (failurePattern.test(text)) return unknown(run, "context failure");
  const said = cut(text, runLimits.reasoning).text;
  const reasoning = redactSecrets(said.startsWith(planPrefix) ? planOf(said) : said.trim());
  if (reasoning === "") return [run, []];
  return [{ ...run, reasoning }, [{ type: "reasoning", text: reasoning.slice(0, runLimits.status) }]];
}

function startQuery(run: Running, whole: string): Step {
  const { text, omitted } = cut(whole, runLimits.input);
  const query = redactSecrets(text);
  const inputOmittedChars = omitted || undefined;
  const { reasoning } = run;
  const started: AgentEvent = { type: "step-started", tool: queryTool, input: query, inputOmittedChars, reasoning };
  return [{ ...run, query, reasoning: undefined }, [started]];
}

function finishQuery(run: Running, observation: string): Step {
  return [{ ...run, query: undefined }, [finishStep({ tool: queryTool, input: run.query, observation })]];
}

function planOf(text: string): string {
  return text
    .slice(planPrefix.length)
    .replace(/(?<!\n)\n+Estimated steps: \d+\s*$/, "")
    .trim();
}

/** No run has more. */
function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value.slice(0, runLimits.steps) : [];
}

function asText(value: unknown): string {
  if (typeof value === "string") return value;
  return value === undefined || value === null ? "" : jsonText(value);
}

function kindOf(chunk: Fields): string {
  const keys = Object.keys(chunk).sort().join(",");
  return typeof chunk["type"] === "string" ? `${chunk["type"]}: ${keys}`.slice(0, 200) : keys.slice(0, 200);
}
