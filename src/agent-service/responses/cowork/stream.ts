/**
 * What only cowork-server streams: steps, thoughts and status texts as `response.in_progress` with a `thought_role`, and
 * failures that are a completed answer. Only its scratchpad reports a result; every other tool is over when something
 * else begins.
 */
import { runLimits } from "../../../core/model/agent-event.ts";
import { isObject, parseJson } from "../../../core/tools/parse-json.ts";
import type { Fields } from "../../http/events.ts";
import { cut, redactInternals, textOf } from "../../http/texts.ts";
import { openAiFailure } from "../../openai/errors.ts";
import { addThought } from "../../thoughts/thoughts.ts";
import { allTexts, interrupt, partText, shownText } from "../messages.ts";
import { endThought, orderOf, type Run, type Tool, think } from "../run.ts";
import { failed, found, type ItemResult, tellStart } from "../steps.ts";

/** Of a result, read for keys and paths it may hold. */
const maxResultChars = 100_000;

/** Tools at once. A result that never comes must not be waited for without end. */
const maxRunning = 100;

/** The sentence with which most of its failures end a completed answer, after what each of its retries had said. */
const failureBegin = "An unexpected error occurred: ";
const failureEnd = "Please try again or rephrase your request.";

/** What is longer isn't compared with itself: that takes twice its memory, and blocks everything else. */
const maxRepeatedChars = 400_000;

/** Returns whether the event was one of these. */
export function readThought(run: Run, event: Fields): boolean {
  const role = textOf(event["thought_role"]);
  if (!role.startsWith("thought.")) return false;
  const content = textOf(event["content"]);
  const key = textOf(event["tool_use_id"]);
  if (role === "thought.progress") {
    progress(run, event, content, key);
    return true;
  }
  endThought(run);
  const tool = run.tools.running.get(key);
  if (role.endsWith(".start")) begin(run, key, content, role === "thought.scratchpad.start");
  else if (role.endsWith(".end")) {
    const ended = tool ?? begin(run, key, roleName(role), role === "thought.scratchpad.end");
    ended.input = content;
    start(run, ended);
  } else if (role.endsWith(".result")) {
    const name = textOf(event["tool_name"]) || roleName(role);
    finish(run, key, tool ?? begin(run, key, name, true), cellResult(event, content));
  } else say(run, content);
  return true;
}

/** Text of the answer begins: tools without a result are over. */
export function finishToolsWithoutResult(run: Run): void {
  for (const [key, tool] of run.tools.running)
    if (tool.isStarted && !tool.awaitsResult) finish(run, key, tool, found(""));
}

/** The run is over. */
export function finishTools(run: Run): void {
  for (const [key, tool] of run.tools.running) finish(run, key, tool, found(""));
}

/** The sentence of a failure begins. It comes in one piece. */
export function beginsFailure(delta: string): boolean {
  return delta.startsWith(failureBegin);
}

/** `completed` holds everything said in the run; the answer is what followed the last tool. */
export function completeCowork(run: Run, response: Fields): void {
  const { text: held } = run.held;
  const texts = allTexts(run);
  const streamed = texts.join("") + held;
  const whole = wholeText(response);
  const last = (texts.findLast((text) => text !== "") ?? "") + held;
  const text = whole.startsWith(streamed) ? last + whole.slice(streamed.length) : whole || last;
  const failure = failedAnswer(text);
  answerOnce(run, failure?.said ?? text);
  if (failure === undefined) return;
  // With a code, as its failed responses have one.
  const code = /model provider/i.test(failure.reason) ? "provider_error" : "anton_error";
  const error = openAiFailure({ code, message: failure.reason }, run.options.secrets);
  run.events.push({ type: "failed", error });
}

/** A failed response: its retries repeat what was said before. */
export function keepSaidOnce(run: Run): void {
  answerOnce(run, withoutRepeats(allTexts(run).at(-1) ?? ""));
}

/** The whole answer, if it isn't what was streamed. */
function answerOnce(run: Run, text: string): void {
  if (shownText(run) !== text) run.events.push({ type: "answer", text });
}

function begin(run: Run, key: string, name: string, awaitsResult: boolean): Tool {
  const { tools } = run;
  finishToolsWithoutResult(run);
  const [oldest] = tools.running;
  if (oldest !== undefined && tools.running.size >= maxRunning) finish(run, ...oldest, found(""));
  tools.begun += 1;
  const tool: Tool = {
    id: `${key.slice(0, 100)}#${tools.begun}`,
    name: cut(name === "" ? "tool" : name, runLimits.toolName).text,
    input: "",
    shownInput: "",
    isStarted: false,
    awaitsResult,
  };
  tools.running.set(key, tool);
  interrupt(run, orderOf(run, undefined));
  return tool;
}

function start({ events }: Run, tool: Tool): void {
  if (tool.isStarted) return;
  tool.isStarted = true;
  tool.shownInput = tellStart(events, { id: tool.id, tool: tool.name, input: tool.input });
}

function finish(run: Run, key: string, tool: Tool, result: ItemResult): void {
  start(run, tool);
  run.tools.running.delete(key);
  run.events.push({ type: "step-finished", id: tool.id, tool: tool.name, input: tool.shownInput, ...result });
}

function say({ events }: Run, text: string): void {
  const words = redactInternals(cut(text.trim(), runLimits.status).text);
  if (words !== "") events.push({ type: "status", text: words });
}

function progress(run: Run, { subtype, phase, message }: Fields, content: string, key: string): void {
  if (subtype === "reasoning") {
    think(run, addThought(run.reasoning, "thought", content));
    return;
  }
  endThought(run);
  if (phase === "tool_start") for (const tool of run.tools.running.values()) start(run, tool);
  // "reasoning_start: Thinking..." has the words alone in `message`.
  else if (typeof phase === "string") say(run, content.startsWith(`${phase}:`) ? textOf(message) : content);
  else if (key === "") say(run, content);
  else announce(run, key, content);
}

/** A tool in three events: its name, its arguments, and that it runs. Only the last one has a phase. */
function announce(run: Run, key: string, content: string): void {
  const known = run.tools.running.get(key);
  if (known === undefined) begin(run, key, content, false);
  else {
    known.input = content;
    start(run, known);
  }
}

/** A cell's JSON: stdout, stderr, error. Paths are those of the server's host. */
function cellResult({ cell_status: status }: Fields, content: string): ItemResult {
  const cell = parseJson(content);
  const texts = isObject(cell) ? [textOf(cell["stdout"]), textOf(cell["stderr"]), textOf(cell["error"])] : [content];
  const said = texts
    .map((text) => text.trim())
    .filter((text) => text !== "")
    .join("\n")
    .slice(0, maxResultChars);
  if (status === "ok" || status === undefined) return found(redactInternals(said));
  return failed(said === "" ? textOf(status) : said);
}

/** "thought.memorize.end" is of the tool "memorize". */
function roleName(role: string): string {
  return role.split(".")[1] ?? "";
}

function wholeText({ output }: Fields): string {
  const items = Array.isArray(output) ? output.filter(isObject) : [];
  const parts = items.flatMap(({ content }) => (Array.isArray(content) ? content.filter(isObject) : []));
  return parts.map((part) => partText(part) ?? "").join("");
}

/** What the agent had said before it failed, and why it did; undefined for an answer. */
function failedAnswer(text: string): { readonly said: string; readonly reason: string } | undefined {
  if (!text.trimEnd().endsWith(failureEnd)) return undefined;
  const at = text.lastIndexOf(failureBegin);
  if (at < 0) return undefined;
  const reason = text
    .slice(at + failureBegin.length)
    .trimEnd()
    .slice(0, -failureEnd.length)
    .trim();
  return { said: withoutRepeats(text.slice(0, at)), reason };
}

/** Once what is repeated throughout, with a beginning of it at the end: "ab ab a" is "ab ". Linear in the text. */
export function withoutRepeats(text: string): string {
  if (text.length > maxRepeatedChars) return text;
  // Length of the longest end that is also a beginning, for each prefix.
  const borders = new Int32Array(text.length);
  let length = 0;
  for (let at = 1; at < text.length; at += 1) {
    while (length > 0 && text.charCodeAt(at) !== text.charCodeAt(length)) length = borders[length - 1] as number;
    if (text.charCodeAt(at) === text.charCodeAt(length)) length += 1;
    borders[at] = length;
  }
  const period = text.length - length;
  return period * 2 <= text.length ? text.slice(0, period) : text;
}
