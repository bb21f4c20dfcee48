/** Reads what an item of a run says about a tool call: its name, what it was asked, and what it found. */
import { runLimits } from "../../../core/model/agent-event.ts";
import type { Outcome, Source } from "../../../core/model/turn.ts";
import { isObject } from "../../../core/tools/parse-json.ts";
import { cut } from "../../http/cut.ts";
import { jsonText } from "../../http/json-text.ts";
import { redactInternals, redactSecrets } from "../../http/redaction.ts";
import { foundPassage, maxSources, searchedPage } from "../../openai/citations.ts";

export type Item = Readonly<Record<string, unknown>>;

export type ItemResult = {
  readonly observation: string;
  readonly outcome: Outcome;
  readonly sources: readonly Source[];
};

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

export function isClientCall(type: string): boolean {
  return clientCalls.has(type);
}

/** "wiki.lookup" for a tool of an MCP server, the function's name, else the item's type. */
export function toolOf(item: Item, type: string): string {
  const name = textOf(item["name"]);
  const server = textOf(item["server_label"]);
  const tool = name === "" ? type.replace(/^mcp_|_call$/g, "") : name;
  return cut(server === "" ? tool : `${server}.${tool}`, runLimits.toolName).text;
}

/** What the tool was asked, as far as the item says it; "" if it doesn't yet. */
export function inputOf(item: Item): string {
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
export function resultOf(item: Item, type: string, maxChars: number): ItemResult {
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
export function outputText(output: unknown, maxChars: number): string {
  if (typeof output === "string") return output.slice(0, maxChars);
  if (!Array.isArray(output)) return isObject(output) ? jsonText(output).slice(0, maxChars) : "";
  const texts = output.map((part) => (isObject(part) ? textOf(part["text"]) : textOf(part)));
  return texts
    .filter((text) => text !== "")
    .join("\n")
    .slice(0, maxChars);
}

function failureOf(item: Item, maxChars: number): string | undefined {
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

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
