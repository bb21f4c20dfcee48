/**
 * Tool calls of a run as steps: from the item that announces a call to the one that holds its result. What an item says
 * of a call: its name, what it was asked, and what it found.
 */
import { type AgentEvent, runLimits } from "../../core/model/agent-event.ts";
import type { Outcome, Source } from "../../core/model/turn.ts";
import { isObject } from "../../core/tools/parse-json.ts";
import type { Fields } from "../http/events.ts";
import { cut, jsonText, redactInternals, redactSecrets, textOf } from "../http/texts.ts";
import { foundPassage, maxSources, searchedPage } from "../openai/citations.ts";
import { interrupt } from "./messages.ts";
import { type Call, orderOf, type Run } from "./run.ts";

export type ItemResult = {
  readonly observation: string;
  readonly outcome: Outcome;
  readonly sources: readonly Source[];
};

/** Leaves room for a number that tells ids apart which are the same up to here. */
const maxIdChars = runLimits.stepId - 10;

/** More are left out: people see far fewer, and all of them are ended at once when the run is over. */
const maxCalls = 5_000;
/** Of results, read for keys they may hold: of one, and of all together; later ones only keep their beginning. */
const maxResultChars = 100_000;
const maxResultsChars = 1_000_000;
const minResultChars = 1_000;

/** The item of a call was announced. Its arguments may follow in pieces. */
export function beginCall(run: Run, item: Fields, type: string, index: unknown): void {
  const known = typeof item["id"] === "string" ? run.steps.byId.get(item["id"]) : undefined;
  const call = known ?? create(run, item, type, index);
  if (call === undefined) return;
  call.input = inputOf(item) || call.input;
  if (call.input !== "" || !hasArguments(type)) start(run, call);
}

/** A piece of a call's arguments. */
export function addInput(run: Run, spot: Fields, type: string, piece: string): void {
  const call = at(run, spot, type);
  if (call?.isStarted === false) call.input += piece;
}

/** All arguments of a call: it runs now. */
export function setInput(run: Run, spot: Fields, type: string, input: string): void {
  const call = at(run, spot, type);
  if (call === undefined) return;
  if (input !== "") call.input = input;
  start(run, call);
}

/** `response.web_search_call.searching` and the like. Its result comes with the item. */
export function setState(run: Run, spot: Fields, type: string, state: string): void {
  const call = at(run, spot, type);
  if (call === undefined) return;
  if (state === "failed") call.hasFailed = true;
  if (state !== "in_progress" || !hasArguments(type)) start(run, call);
}

/** The item of a call is complete. A call of a client waits for its output. */
export function finishCall(run: Run, item: Fields, type: string, index: unknown): void {
  const call = find(run, item["id"], index, type) ?? create(run, item, type, index);
  if (call === undefined) return;
  call.tool = call.isStarted ? call.tool : toolOf(item, type);
  call.input = inputOf(item) || call.input;
  if (typeof item["call_id"] === "string") run.steps.byCallId.set(item["call_id"], call);
  if (clientCalls.has(type)) start(run, call);
  else finish(run, call, (maxChars) => resultOf(item, type, maxChars));
}

/** The output of a client's call, made by the server. */
export function answerCall(run: Run, { call_id: id, output, status }: Fields): void {
  const call = typeof id === "string" ? run.steps.byCallId.get(id) : undefined;
  if (call === undefined) return;
  finish(run, call, (maxChars) => {
    const text = outputText(output, maxChars);
    return status === "failed" ? failed(text) : found(text);
  });
}

/** Something that was made while the answer was written, and doesn't interrupt it. */
export function noteMade({ steps, events }: Run, tool: string, name: string): void {
  steps.notes += 1;
  const id = `${tool} ${steps.notes}`;
  const input = redactSecrets(cut(name, runLimits.input).text);
  events.push({ type: "step-started", id, tool, input }, { type: "step-finished", id, tool, input, ...found("") });
}

/** The run is over: no more results come. */
export function finishCalls(run: Run): void {
  for (const call of run.steps.all)
    if (!clientCalls.has(call.type)) finish(run, call, () => (call.hasFailed ? failed("") : found("")));
}

/** Calls that nobody answered. */
export function waitingCalls({ steps }: Run): readonly string[] {
  return steps.all.filter((call) => clientCalls.has(call.type) && !call.isFinished).map(({ tool }) => tool);
}

function find({ steps }: Run, id: unknown, index: unknown, type?: string): Call | undefined {
  const known = typeof id === "string" ? steps.byId.get(id) : undefined;
  if (known !== undefined) return known;
  const there = typeof index === "number" ? steps.byIndex.get(index) : undefined;
  return there !== undefined && (type === undefined || there.type === type) ? there : undefined;
}

/** The call that an event is about. */
function at(run: Run, { item_id: id, output_index: index, name }: Fields, type: string): Call | undefined {
  return find(run, id, index) ?? create(run, { id, name }, type, index);
}

/** Undefined once there are too many. */
function create(run: Run, item: Fields, type: string, index: unknown): Call | undefined {
  const { all, byId, byIndex, byCallId, ids } = run.steps;
  if (all.length >= maxCalls) return undefined;
  const { id, call_id: callId } = item;
  const name = typeof id === "string" ? id : textOf(callId);
  const shortName = cut(name, maxIdChars).text;
  const call: Call = {
    type,
    id: ids.has(shortName) || name === "" ? `${shortName}#${all.length}` : shortName,
    order: orderOf(run, index),
    tool: toolOf(item, type),
    input: "",
    isStarted: false,
    startedWith: "",
    shownInput: "",
    isFinished: false,
    hasFailed: false,
  };
  all.push(call);
  ids.add(call.id);
  if (name !== "" && !byId.has(name)) byId.set(name, call);
  if (typeof index === "number") byIndex.set(index, call);
  if (typeof callId === "string") byCallId.set(callId, call);
  interrupt(run, call.order);
  return call;
}

/** Again with the same id when its input is known, which may be after it began. */
function start({ events }: Run, call: Call): void {
  if (call.isStarted && call.input === call.startedWith) return;
  call.isStarted = true;
  call.startedWith = call.input;
  call.shownInput = tellStart(events, call);
}

/** Tells that a step begins. Returns its input as people read it. */
export function tellStart(events: AgentEvent[], { id, tool, input }: Pick<Call, "id" | "tool" | "input">): string {
  const { text, omitted } = cut(input, runLimits.input);
  const shown = redactSecrets(text);
  events.push({ type: "step-started", id, tool, input: shown, inputOmittedChars: omitted || undefined });
  return shown;
}

/** Terminal events repeat every result, so one is only read where it is still missing. */
function finish(run: Run, call: Call, read: (maxChars: number) => ItemResult): void {
  if (call.isFinished) return;
  start(run, call);
  call.isFinished = true;
  const { steps, events } = run;
  const result = read(Math.max(minResultChars, Math.min(maxResultChars, maxResultsChars - steps.resultChars)));
  steps.resultChars += result.observation.length;
  events.push({ type: "step-finished", id: call.id, tool: call.tool, input: call.shownInput, ...result });
}

/** Their arguments come in pieces, after the item. */
function hasArguments(type: string): boolean {
  return type === "function_call" || type === "mcp_call" || type === "custom_tool_call";
}

/** Calls that a client makes and answers. Parley makes none: without an output the run waits for nobody. */
const clientCalls = new Set([
  "function_call",
  "custom_tool_call",
  "computer_call",
  "local_shell_call",
  "shell_call",
  "apply_patch_call",
]);

/** A failure holds paths and addresses of the server's host. The rest of a longer one is dropped unread. */
const maxFailureChars = 20_000;

/** "wiki.lookup" for a tool of an MCP server, the function's name, else the item's type. */
function toolOf(item: Fields, type: string): string {
  const name = textOf(item["name"]);
  const server = textOf(item["server_label"]);
  const tool = name === "" ? type.replace(/^mcp_|_call$/g, "") : name;
  return cut(server === "" ? tool : `${server}.${tool}`, runLimits.toolName).text;
}

/** What the tool was asked, as far as the item says it; "" if it doesn't yet. */
export function inputOf(item: Fields): string {
  const { action } = item;
  if (typeof item["arguments"] === "string") return item["arguments"];
  if (typeof item["input"] === "string") return item["input"];
  if (typeof item["code"] === "string") return item["code"];
  if (Array.isArray(item["queries"])) return item["queries"].map(textOf).join("\n");
  if (!isObject(action)) return isObject(item["arguments"]) ? jsonText(item["arguments"]) : "";
  if (Array.isArray(action["queries"])) return action["queries"].map(textOf).join("\n");
  if (Array.isArray(action["command"])) return action["command"].map(textOf).join(" ");
  return textOf(action["query"]) || [textOf(action["pattern"]), textOf(action["url"])].filter(Boolean).join(" ");
}

/** `maxChars`: of its text. */
function resultOf(item: Fields, type: string, maxChars: number): ItemResult {
  const failure = failureOf(item, maxChars);
  if (failure !== undefined) return failed(failure);
  if (type === "file_search_call") return fileSearchResult(item["results"], maxChars);
  if (type === "web_search_call") return webSearchResult(item["action"]);
  if (type === "mcp_list_tools") return listedTools(item["tools"]);
  if (type === "code_interpreter_call") return found(logsOf(item["outputs"], maxChars));
  // A picture is megabytes of base64.
  return found(type === "image_generation_call" ? "" : outputText(item["output"], maxChars));
}

export function failed(text: string): ItemResult {
  return { observation: redactInternals(text.slice(0, maxFailureChars)), outcome: { kind: "failed" }, sources: [] };
}

export function found(observation: string): ItemResult {
  return { observation: redactSecrets(observation), outcome: { kind: "text" }, sources: [] };
}

/** The output of a call: text, or a list of parts with texts. */
function outputText(output: unknown, maxChars: number): string {
  if (typeof output === "string") return output.slice(0, maxChars);
  if (!Array.isArray(output)) return isObject(output) ? jsonText(output).slice(0, maxChars) : "";
  const texts = output.map((part) => (isObject(part) ? textOf(part["text"]) : textOf(part)));
  return texts
    .filter((text) => text !== "")
    .join("\n")
    .slice(0, maxChars);
}

function failureOf(item: Fields, maxChars: number): string | undefined {
  const { error, status } = item;
  const said = isObject(error) ? textOf(error["message"]) || jsonText(error) || "failed" : textOf(error);
  if (said !== "") return said;
  return status === "failed" || status === "incomplete" ? outputText(item["output"], maxChars) : undefined;
}

function fileSearchResult(results: unknown, maxChars: number): ItemResult {
  // Servers leave the results out unless they are asked for them.
  if (!Array.isArray(results)) return found("");
  if (results.length === 0) return { observation: "", outcome: { kind: "nothing" }, sources: [] };
  const passages = results.slice(0, maxSources);
  const sources = passages.map(foundPassage).filter((source) => source !== undefined);
  const observation = passages
    .filter(isObject)
    .map((result) => [textOf(result["filename"]), textOf(result["text"])].filter((part) => part !== "").join("\n"))
    .join("\n\n");
  const best = Math.max(...sources.map((source) => source.relevance ?? -1));
  const outcome: Outcome =
    best < 0
      ? { kind: "passages", count: results.length }
      : { kind: "passages", count: results.length, bestRelevance: best };
  return { observation: observation.slice(0, maxChars), outcome, sources };
}

function webSearchResult(action: unknown): ItemResult {
  const pages = isObject(action) && Array.isArray(action["sources"]) ? action["sources"] : [];
  const sources = pages
    .slice(0, maxSources)
    .map(searchedPage)
    .filter((source) => source !== undefined);
  if (sources.length === 0) return found("");
  const observation = sources.map(({ url }) => url).join("\n");
  return { observation, outcome: { kind: "passages", count: pages.length }, sources };
}

function listedTools(tools: unknown): ItemResult {
  const names = Array.isArray(tools) ? tools.map((tool) => (isObject(tool) ? textOf(tool["name"]) : "")) : [];
  const named = names.filter((name) => name !== "").slice(0, maxSources);
  return { observation: named.join("\n"), outcome: { kind: "names", names: named }, sources: [] };
}

function logsOf(outputs: unknown, maxChars: number): string {
  if (!Array.isArray(outputs)) return "";
  return outputs
    .map((output) => (isObject(output) ? textOf(output["logs"]) : ""))
    .filter((text) => text !== "")
    .join("\n")
    .slice(0, maxChars);
}
