/**
 * What the events of a streamed response mean, as a reducer over the run so far. The `type` in the JSON decides, the name
 * of the server-sent event only where there is none. Events may be missing, come twice, out of order, or for items that
 * nobody announced; a missing `[DONE]` is none of its business, and what comes after one is read.
 */
import { ParleyError } from "../../core/errors.ts";
import { runLimits } from "../../core/model/agent-event.ts";
import { isObject } from "../../core/tools/parse-json.ts";
import { createDecoder, type Decoder, type DecoderOptions, type StreamEvent } from "../http/decoder.ts";
import { errorIn, type Fields, keysOf } from "../http/events.ts";
import { cut, redactSecrets, textOf } from "../http/texts.ts";
import { openAiFailure, toolWaitsForUs } from "../openai/errors.ts";
import { usageEvents } from "../openai/usage.ts";
import { addThought, finishThought } from "../thoughts/thoughts.ts";
import {
  beginsFailure,
  completeCowork,
  finishTools,
  finishToolsWithoutResult,
  keepSaidOnce,
  readThought,
} from "./cowork/stream.ts";
import * as messages from "./messages.ts";
import { beginRun, endThought, type ResponsesOptions, type Run, think } from "./run.ts";
import * as steps from "./steps.ts";

/** A run asks for one approval, seldom for two. */
const maxApprovals = 20;
/** It is stored until people decide. Longer ones are no ids. */
const maxApprovalIdChars = 2_000;

/**
 * Beginnings of events that say nothing once the run is known. The first one repeats the whole request; parsing it takes
 * as long as parsing ten pieces of an answer.
 */
const silentBeginnings = [
  '{"type":"response.in_progress","response":{',
  '{"type":"response.content_part.added",',
  '{"type":"response.reasoning_summary_part.added",',
  '{"type":"response.reasoning_summary_part.done",',
];
/** Of `{"type":"response.output_text.delta"`, where all silent ones differ: the letter after "response.". */
const typeLetterAt = silentBeginnings[0]?.indexOf("in_progress") ?? 0;

const inputPattern = /^response\.(\w{1,100}_call)_/;
/** `response.web_search_call.searching`: the item's type, and its state. */
const statePattern =
  /^response\.([\w:.-]{1,100})\.(in_progress|searching|interpreting|generating|completed|failed|incomplete)$/;

export function createResponsesDecoder(options: ResponsesOptions & DecoderOptions = {}): Decoder<Run> {
  return createDecoder(
    {
      begin: () => beginRun(options),
      reduce: (run, event) => {
        run.events = [];
        reduce(run, event);
        return [run, run.events];
      },
      hasEnded: ({ phase }) => phase === "ended",
      isSilent: (run, data) =>
        run.response !== undefined &&
        data[typeLetterAt] !== "o" &&
        silentBeginnings.some((beginning) => data.startsWith(beginning)),
      framing: "events",
    },
    options,
  );
}

function reduce(run: Run, event: StreamEvent): void {
  if (run.phase === "ended") return;
  if (event.type === "fields") readEvent(run, asEvent(event.fields, event.name), event.name);
  // The connection has closed: a failure that was reported is the end. A run of cowork-server may continue.
  else if (event.type === "closed" && run.phase === "failed" && run.options.isCowork !== true) end(run);
}

/** Also of a whole response, from a server that doesn't stream, and of an error that isn't an event of its own. */
function asEvent(fields: Fields, name: string | undefined): Fields {
  const { type, status } = fields;
  if (fields["object"] === "response" && Array.isArray(fields["output"]) && type === undefined) {
    const outcome = status === "failed" || status === "incomplete" ? status : "completed";
    return { type: `response.${outcome}`, response: fields };
  }
  // Its own events have an error inside only where the run has failed.
  if (/^(?:response\.|error$)/.test(String(type))) return fields;
  const error = errorIn(fields, name);
  return error === undefined ? fields : { type: "error", error };
}

type Handler = (run: Run, event: Fields) => void;

const ignore: Handler = () => {};
const addInput: Handler = (run, event) => steps.addInput(run, event, callOf(event), textOf(event["delta"]));
const setInput: Handler = (run, event) => {
  const input = textOf(event["arguments"] ?? event["input"] ?? event["code"]);
  steps.setInput(run, event, callOf(event), input);
};
const addToThought: Handler = (run, event) =>
  think(run, addThought(run.reasoning, keyOf(event), textOf(event["delta"])));
const wholeThought: Handler = (run, event) =>
  think(run, finishThought(run.reasoning, keyOf(event), textOf(event["text"])));

/** Types that aren't here are states of a tool, or unknown. */
const handlers: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  ["response.created", identify],
  ["response.queued", identify],
  // cowork-server's thoughts and steps have this type too.
  ["response.in_progress", progress],
  ["response.output_item.added", addItem],
  ["response.output_item.done", finishItem],
  ["response.content_part.added", ignore],
  ["response.content_part.done", finishPart],
  ["response.output_text.delta", addText],
  ["response.output_text.done", (run, event) => messages.replacePart(run, event, textOf(event["text"]))],
  ["response.output_text.annotation.added", (run, event) => messages.citeIn(run, event, event["annotation"])],
  ["response.refusal.delta", addText],
  ["response.refusal.done", (run, event) => messages.replacePart(run, event, textOf(event["refusal"]))],
  ["response.reasoning_summary_text.delta", addToThought],
  ["response.reasoning_summary_text.done", wholeThought],
  ["response.reasoning_summary_part.added", ignore],
  ["response.reasoning_summary_part.done", ignore],
  ["response.reasoning_text.delta", addToThought],
  ["response.reasoning_text.done", wholeThought],
  // The names in the specification of Open Responses.
  ["response.reasoning.delta", addToThought],
  ["response.reasoning.done", wholeThought],
  ["response.function_call_arguments.delta", addInput],
  ["response.function_call_arguments.done", setInput],
  ["response.mcp_call_arguments.delta", addInput],
  ["response.mcp_call_arguments.done", setInput],
  ["response.custom_tool_call_input.delta", addInput],
  ["response.custom_tool_call_input.done", setInput],
  ["response.code_interpreter_call_code.delta", addInput],
  ["response.code_interpreter_call_code.done", setInput],
  ["response.image_generation_call.partial_image", ignore],
  ["response.artifact_created", (run, event) => made(run, event, "artifact")],
  ["response.skill_created", (run, event) => made(run, event, "skill")],
  ["response.completed", (run, event) => finishRun(run, event, "completed")],
  ["response.incomplete", (run, event) => finishRun(run, event, "incomplete")],
  ["response.failed", (run, event) => finishRun(run, event, "failed")],
  ["response.cancelled", (run, event) => finishRun(run, event, "cancelled")],
  ["error", fail],
  ["keepalive", ignore],
  ["ping", ignore],
]);

function readEvent(run: Run, event: Fields, name: string | undefined): void {
  if (run.phase === "waiting") {
    run.phase = "running";
    run.events.push({ type: "started" });
  }
  const { type } = event;
  // An error without a type is a proxy's own.
  const known = typeof type === "string" && type !== "" ? type : (name ?? (event["error"] ? "error" : ""));
  const handler = handlers.get(known);
  if (handler === undefined) readOther(run, event, known);
  else handler(run, event);
}

function readOther(run: Run, event: Fields, type: string): void {
  const [, item = "", state = ""] = statePattern.exec(type) ?? [];
  if (isCall(item)) steps.setState(run, event, item, state);
  else run.events.push({ type: "unknown", kind: kindOf(event, type) });
}

function identify(run: Run, { response, conversation_id: conversation }: Fields): void {
  if (typeof conversation === "string") run.isCowork = true;
  if (run.response !== undefined || !isObject(response) || typeof response["id"] !== "string") return;
  const { id } = response;
  run.response = id;
  // LiteLLM's ids are 400 encrypted characters that its log doesn't have.
  if (id !== "" && id.length <= runLimits.traceId) run.events.push({ type: "traced", traceId: id });
  if (run.options.tellsRun !== true) return;
  const keeps = run.options.isCowork === true && typeof conversation === "string";
  run.events.push({ type: "run", run: keeps ? { conversation, response: id } : { response: id } });
}

function progress(run: Run, event: Fields): void {
  if (isObject(event["response"])) {
    identify(run, event);
    return;
  }
  if (typeof event["thought_role"] === "string") run.isCowork = true;
  if (readThought(run, event)) return;
  run.events.push({ type: "unknown", kind: kindOf(event, "response.in_progress") });
}

function addText(run: Run, event: Fields): void {
  const { delta } = event;
  if (typeof delta !== "string") return;
  if (run.isCowork && (run.held.text !== "" || beginsFailure(delta))) {
    run.held = { text: run.held.text + delta, spot: event };
    return;
  }
  if (messages.addToLast(run, event, delta) || delta === "") return;
  endThought(run);
  finishToolsWithoutResult(run);
  messages.addPiece(run, event, delta);
}

function addItem(run: Run, { item, output_index: index }: Fields): void {
  if (!isObject(item)) return;
  const type = textOf(item["type"]);
  if (isAnswer(item)) messages.beginMessage(run, item, index);
  else if (isCall(type)) steps.beginCall(run, item, type, index);
}

function finishItem(run: Run, { item, output_index: index }: Fields): void {
  if (!isObject(item)) return;
  if (isAnswer(item)) messages.finishMessage(run, item, index);
  else if (item["type"] === "reasoning") {
    const key = keyOf({ item_id: item["id"], output_index: index });
    think(run, finishThought(run.reasoning, key, thoughtOf(item)));
  } else finishOther(run, item, index);
}

/** What an item holds beside an answer or a thought. */
function finishOther(run: Run, item: Fields, index: unknown): void {
  const type = textOf(item["type"]);
  if (type === "mcp_approval_request") keepApproval(run, item);
  else if (type.endsWith("_output")) steps.answerCall(run, item);
  else if (isCall(type)) steps.finishCall(run, item, type, index);
}

/** Asked once each, at the end of the run. Without an id nobody could answer it. */
function keepApproval({ approvals }: Run, item: Fields): void {
  const id = textOf(item["id"]);
  if (id === "" || id.length > maxApprovalIdChars || approvals.size >= maxApprovals) return;
  const nameOf = (value: unknown) => cut(textOf(value), runLimits.toolName).text;
  const input = cut(steps.inputOf(item), runLimits.input);
  approvals.set(id, {
    id,
    tool: nameOf(item["name"]) || "tool",
    server: nameOf(item["server_label"]) || undefined,
    input: redactSecrets(input.text),
    inputOmittedChars: input.omitted || undefined,
  });
}

function finishPart(run: Run, event: Fields): void {
  const { part } = event;
  if (!isObject(part) || (part["type"] !== "output_text" && part["type"] !== "refusal")) return;
  messages.replacePart(run, event, messages.partText(part) ?? "");
  messages.citeIn(run, event, part["annotations"]);
}

/** Of cowork-server, beside the answer: what a tool left in its folders. */
function made(run: Run, event: Fields, kind: "artifact" | "skill"): void {
  const thing = event[kind];
  const name = isObject(thing) ? textOf(thing["title"]) || textOf(thing["name"]) || textOf(thing["slug"]) : "";
  steps.noteMade(run, kind, name);
}

/** A failed response may follow, with the same words. */
function fail(run: Run, event: Fields): void {
  run.phase = "failed";
  run.events.push({ type: "failed", error: openAiFailure(event["error"] ?? event, run.options.secrets) });
}

type Outcome = "completed" | "incomplete" | "failed" | "cancelled";

function finishRun(run: Run, event: Fields, outcome: Outcome): void {
  identify(run, event);
  const response = isObject(event["response"]) ? event["response"] : {};
  const { status, error } = response;
  endThought(run);
  const isFailure = outcome === "failed" || status === "failed";
  if (!run.isCowork && !isFailure) readOutput(run, response["output"]);
  steps.finishCalls(run);
  finishTools(run);
  run.events.push(...usageEvents(response["usage"]));
  if (isFailure) {
    if (run.isCowork) keepSaidOnce(run);
    const said = isObject(event["response"]) ? error : event;
    run.events.push({ type: "failed", error: openAiFailure(said ?? "The response failed.", run.options.secrets) });
  } else if (outcome === "cancelled" || status === "cancelled") {
    const cause = new Error("Cancelled at the service.");
    run.events.push({ type: "failed", error: new ParleyError("run_failed", { cause }) });
  } else if (run.isCowork) completeCowork(run, response);
  else complete(run, response, outcome === "incomplete" || status === "incomplete");
  end(run);
}

/** The terminal event repeats all items, and rules. Thoughts are over by then. */
function readOutput(run: Run, output: unknown): void {
  const answers: (readonly [Fields, number])[] = [];
  for (const [index, item] of (Array.isArray(output) ? output : []).entries()) {
    if (!isObject(item)) continue;
    if (isAnswer(item)) answers.push([item, index]);
    else finishOther(run, item, index);
  }
  messages.readFinalMessages(run, answers);
}

/** The last word about the answer, and what the run waits for. */
function complete(run: Run, response: Fields, isIncomplete: boolean): void {
  const waiting = steps.waitingCalls(run);
  if (waiting.length > 0) {
    run.events.push({ type: "failed", error: toolWaitsForUs(waiting, run.options.secrets) });
    return;
  }
  const cutBy = isIncomplete ? cutOf(response) : undefined;
  const { text, sources } = messages.finalAnswer(run);
  if (cutBy !== undefined || sources.length > 0 || messages.shownText(run) !== text) {
    run.events.push({ type: "answer", text, cut: cutBy, sources: sources.length > 0 ? sources : undefined });
  }
  for (const request of run.approvals.values()) run.events.push({ type: "approval-requested", request });
}

function cutOf({ incomplete_details: details }: Fields): "length" | "filter" {
  return isObject(details) && details["reason"] === "content_filter" ? "filter" : "length";
}

function end(run: Run): void {
  run.phase = "ended";
  run.events.push({ type: "ended" });
}

/** Of an event about the input of a call: the type of its item. */
function callOf({ type }: Fields): string {
  const [, item = "function_call"] = inputPattern.exec(textOf(type)) ?? [];
  return item;
}

/** Every kind of item that isn't text, of known and unknown kinds. */
function isCall(type: string): boolean {
  return type.endsWith("_call") || type === "mcp_list_tools" || type.includes(":");
}

function isAnswer({ type, role }: Fields): boolean {
  return type === "message" && (role === undefined || role === null || role === "assistant");
}

function thoughtOf({ summary, content }: Fields): string {
  const parts = [...(Array.isArray(summary) ? summary : []), ...(Array.isArray(content) ? content : [])];
  return parts.map((part) => (isObject(part) ? textOf(part["text"]) : "")).join("\n");
}

/** Of the item that a thought belongs to: its place, since some servers change ids between events. */
function keyOf({ item_id: id, output_index: index }: Fields): string {
  return typeof index === "number" ? `#${index}` : textOf(id);
}

function kindOf(event: Fields, type: string): string {
  return `${type.slice(0, 100)}: ${keysOf(event)}`.slice(0, 200);
}
