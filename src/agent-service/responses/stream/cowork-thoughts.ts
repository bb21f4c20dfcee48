/**
 * Steps, thoughts and status texts of cowork-server: `response.in_progress` with a `thought_role`. Only its scratchpad
 * reports a result; every other tool is over when something else begins.
 */
import { type AgentEvent, runLimits } from "../../../core/model/agent-event.ts";
import { isObject, parseJson } from "../../../core/tools/parse-json.ts";
import { cut } from "../../http/cut.ts";
import { redactInternals, redactSecrets } from "../../http/redaction.ts";
import type { Reasoning } from "../../openai/reasoning.ts";
import { failed, found, type ItemResult } from "./item-results.ts";
import type { Orders, Spot } from "./messages.ts";

type Tool = {
  readonly id: string;
  readonly name: string;
  input: string;
  shownInput: string;
  isStarted: boolean;
  awaitsResult: boolean;
};

/** Of a result, read for keys and paths it may hold. */
const maxResultChars = 100_000;

/** Tools at once. A result that never comes must not be waited for without end. */
const maxRunning = 100;

export function createThoughts(deps: {
  readonly emit: (event: AgentEvent) => void;
  readonly orders: Orders;
  readonly onCall: (order: number) => void;
  readonly reasoning: Reasoning;
}) {
  const { emit, orders, onCall, reasoning } = deps;
  const running = new Map<string, Tool>();
  let number = 0;

  function begin(key: string, name: string, awaitsResult: boolean): Tool {
    finishOthers();
    const [oldest] = running;
    if (oldest !== undefined && running.size >= maxRunning) finish(...oldest, found(""));
    number += 1;
    const tool: Tool = {
      id: `${key.slice(0, 100)}#${number}`,
      name: cut(name === "" ? "tool" : name, runLimits.toolName).text,
      input: "",
      shownInput: "",
      isStarted: false,
      awaitsResult,
    };
    running.set(key, tool);
    onCall(orders.of(undefined));
    return tool;
  }

  function start(tool: Tool): void {
    if (tool.isStarted) return;
    tool.isStarted = true;
    const input = cut(tool.input, runLimits.input);
    tool.shownInput = redactSecrets(input.text);
    emit({
      type: "step-started" as const,
      id: tool.id,
      tool: tool.name,
      input: tool.shownInput,
      inputOmittedChars: input.omitted || undefined,
    });
  }

  function finish(key: string, tool: Tool, result: ItemResult): void {
    start(tool);
    running.delete(key);
    emit({ type: "step-finished", id: tool.id, tool: tool.name, input: tool.shownInput, ...result });
  }

  /** Tools without a result, once something else begins. */
  function finishOthers(): void {
    for (const [key, tool] of running) if (tool.isStarted && !tool.awaitsResult) finish(key, tool, found(""));
  }

  function say(text: string): void {
    const words = redactInternals(cut(text.trim(), runLimits.status).text);
    if (words !== "") emit({ type: "status", text: words });
  }

  /** A tool in three events: its name, its arguments, and that it runs. Only the last one has a phase. */
  function announce(key: string, content: string): void {
    const known = running.get(key);
    if (known === undefined) begin(key, content, false);
    else {
      known.input = content;
      start(known);
    }
  }

  function progress(event: Spot, content: string): void {
    const { subtype, phase } = event;
    if (subtype === "reasoning") {
      reasoning.add("thought", content);
      return;
    }
    reasoning.flush();
    const key = textOf(event["tool_use_id"]);
    if (phase === "tool_start") for (const tool of running.values()) start(tool);
    // "reasoning_start: Thinking..." has the words alone in `message`.
    else if (typeof phase === "string") say(content.startsWith(`${phase}:`) ? textOf(event["message"]) : content);
    else if (key === "") say(content);
    else announce(key, content);
  }

  return {
    /** Whether the event was one of these. */
    read: (event: Spot): boolean => {
      const role = textOf(event["thought_role"]);
      if (!role.startsWith("thought.")) return false;
      const content = textOf(event["content"]);
      const key = textOf(event["tool_use_id"]);
      if (role === "thought.progress") {
        progress(event, content);
        return true;
      }
      reasoning.flush();
      const tool = running.get(key);
      if (role.endsWith(".start")) begin(key, content, role === "thought.scratchpad.start");
      else if (role.endsWith(".end")) {
        const ended = tool ?? begin(key, roleName(role), role === "thought.scratchpad.end");
        ended.input = content;
        start(ended);
      } else if (role.endsWith(".result")) {
        finish(key, tool ?? begin(key, textOf(event["tool_name"]) || roleName(role), true), cellResult(event, content));
      } else say(content);
      return true;
    },
    /** Text of the answer begins. */
    onText: finishOthers,
    /** The run is over. */
    finishAll: () => {
      for (const [key, tool] of running) finish(key, tool, found(""));
    },
  };
}

/** A cell's JSON: stdout, stderr, error. Paths are those of the server's host. */
function cellResult(event: Spot, content: string): ItemResult {
  const cell = parseJson(content);
  const texts = isObject(cell) ? [textOf(cell["stdout"]), textOf(cell["stderr"]), textOf(cell["error"])] : [content];
  const said = texts
    .map((text) => text.trim())
    .filter((text) => text !== "")
    .join("\n")
    .slice(0, maxResultChars);
  const status = event["cell_status"];
  if (status === "ok" || status === undefined) return found(redactInternals(said));
  return failed(said === "" && typeof status === "string" ? status : said);
}

/** "thought.memorize.end" is of the tool "memorize". */
function roleName(role: string): string {
  return role.split(".")[1] ?? "";
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
