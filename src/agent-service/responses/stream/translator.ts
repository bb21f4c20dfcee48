/**
 * Translates the events of one response into AgentEvents. The `type` in the JSON decides, the name of the server-sent
 * event only where there is none. Events may be missing, come twice, out of order, or for items that nobody announced.
 */
import { type AgentEvent, runLimits } from "../../../core/model/agent-event.ts";
import { isObject } from "../../../core/tools/parse-json.ts";
import { keysOf } from "../../http/event-json.ts";
import { openAiFailure } from "../../http/openai-problem.ts";
import { createReasoning } from "../../openai/reasoning.ts";
import { createApprovals } from "./approvals.ts";
import { beginsFailure } from "./cowork-failure.ts";
import { createThoughts } from "./cowork-thoughts.ts";
import { createEnding } from "./ending.ts";
import { type EventAction, eventActions } from "./event-actions.ts";
import { createMessages, type Orders, partText, type Spot } from "./messages.ts";
import { createSteps } from "./steps.ts";

export type TranslatorOptions = {
  /** Must not appear in an error. */
  readonly secrets?: readonly string[];
  /** cowork-server's first event says so, but a run that is read on begins later. */
  readonly isCowork?: boolean;
  /** The server said what it calls this run, and the conversation it keeps: events that follow from it. */
  readonly onIdentified?: (response: string, conversation: string | undefined) => readonly AgentEvent[];
};

export type Translator = {
  readonly read: (event: Spot, name: string | undefined) => void;
  /** The connection has closed: a failure that was reported is the end. */
  readonly close: () => void;
  /** It knows its run, so an event that only names it again says nothing. */
  readonly isIdentified: () => boolean;
  readonly hasEnded: () => boolean;
  readonly hasFailed: () => boolean;
};

type Handler = (event: Spot) => void;

const inputPattern = /^response\.(\w{1,100}_call)_/;
/** `response.web_search_call.searching`: the item's type, and its state. */
const statePattern =
  /^response\.([\w:.-]{1,100})\.(in_progress|searching|interpreting|generating|completed|failed|incomplete)$/;

export function createTranslator(emit: (event: AgentEvent) => void, options: TranslatorOptions = {}): Translator {
  const orders = createOrders();
  const reasoning = createReasoning(emit);
  const approvals = createApprovals(emit);
  const messages = createMessages({ emit, orders, say: reasoning.say, onText });
  const steps = createSteps({ emit, orders, onCall });
  const thoughts = createThoughts({ emit, orders, onCall, reasoning });
  const ending = createEnding(emit, { ...messages, waiting: steps.waiting }, options.secrets);

  let hasStarted = false;
  let hasEnded = false;
  let hasFailed = false;
  let isIdentified = false;
  /** Only there, an answer may really be an error. */
  let isCowork = options.isCowork ?? false;
  /** What may be the sentence of such an error: shown only if it isn't. */
  let held = "";
  let heldAt: Spot = {};

  function onText(): void {
    reasoning.flush();
    thoughts.onText();
  }

  function onCall(order: number): void {
    reasoning.flush();
    if (held !== "") {
      const text = held;
      held = "";
      messages.add(heldAt, text);
    }
    messages.interrupt(order);
  }

  function identify(event: Spot): void {
    const { response, conversation_id: conversation } = event;
    if (typeof conversation === "string") isCowork = true;
    if (isIdentified || !isObject(response) || typeof response["id"] !== "string") return;
    isIdentified = true;
    const { id } = response;
    // LiteLLM's ids are 400 encrypted characters that its log doesn't have.
    if (id !== "" && id.length <= runLimits.traceId) emit({ type: "traced", traceId: id });
    const known = options.onIdentified?.(id, typeof conversation === "string" ? conversation : undefined) ?? [];
    known.forEach(emit);
  }

  function addText(event: Spot): void {
    const { delta } = event;
    if (typeof delta !== "string") return;
    if (isCowork && (held !== "" || beginsFailure(delta))) {
      held += delta;
      heldAt = event;
    } else messages.add(event, delta);
  }

  function addThought(event: Spot): void {
    reasoning.add(keyOf(event), textOf(event["delta"]));
  }

  function finishThought(event: Spot): void {
    reasoning.finish(keyOf(event), textOf(event["text"]));
  }

  function addItem({ item, output_index: index }: Spot): void {
    if (!isObject(item)) return;
    const type = textOf(item["type"]);
    if (isAnswer(item)) messages.begin(item, index);
    else if (isCall(type)) steps.begin(item, type, index);
  }

  function finishItem({ item, output_index: index }: Spot): void {
    if (!isObject(item)) return;
    if (isAnswer(item)) messages.finish(item, index);
    else if (item["type"] === "reasoning")
      reasoning.finish(keyOf({ item_id: item["id"], output_index: index }), thoughtOf(item));
    else finishOther(item, index);
  }

  /** What an item holds beside an answer or a thought. */
  function finishOther(item: Spot, index: unknown): void {
    const type = textOf(item["type"]);
    if (type === "mcp_approval_request") approvals.add(item);
    else if (type.endsWith("_output")) steps.finishCall(item);
    else if (isCall(type)) steps.finish(item, type, index);
  }

  function finishPart(event: Spot): void {
    const { part } = event;
    if (!isObject(part) || (part["type"] !== "output_text" && part["type"] !== "refusal")) return;
    messages.replace(event, partText(part) ?? "");
    messages.cite(event, part["annotations"]);
  }

  /** The terminal event repeats all items, and rules. Thoughts are over by then. */
  function readOutput(output: unknown): void {
    const items = Array.isArray(output) ? output.map((item, index) => [item, index] as const) : [];
    const answers: (readonly [Spot, number])[] = [];
    for (const [item, index] of items) {
      if (!isObject(item)) continue;
      if (isAnswer(item)) answers.push([item, index]);
      else finishOther(item, index);
    }
    messages.readOutput(answers);
  }

  function finishRun(event: Spot, outcome: "completed" | "incomplete" | "failed" | "cancelled"): void {
    identify(event);
    const response = isObject(event["response"]) ? event["response"] : {};
    const { status } = response;
    reasoning.flush();
    const isFailure = outcome === "failed" || status === "failed";
    if (!isCowork && !isFailure) readOutput(response["output"]);
    steps.finishAll();
    thoughts.finishAll();
    hasEnded = true;
    if (isFailure) ending.fail(event, isCowork);
    else if (outcome === "cancelled" || status === "cancelled") ending.cancelled();
    else if (isCowork) ending.completeCowork(response, held);
    else {
      ending.complete(response, outcome === "incomplete" || status === "incomplete");
      if (steps.waiting().length === 0) approvals.ask();
    }
    emit({ type: "ended" });
  }

  function think(event: Spot): void {
    if (isObject(event["response"])) {
      identify(event);
      return;
    }
    if (typeof event["thought_role"] === "string") isCowork = true;
    if (!thoughts.read(event)) emit({ type: "unknown", kind: kindOf(event, "response.in_progress") });
  }

  /** Of cowork-server, beside the answer: what a tool left in its folders. */
  function made(event: Spot, kind: "artifact" | "skill"): void {
    const thing = event[kind];
    const name = isObject(thing) ? textOf(thing["title"]) || textOf(thing["name"]) || textOf(thing["slug"]) : "";
    steps.note(kind, name);
  }

  /** A failed response may follow, with the same words. */
  function fail(event: Spot): void {
    hasFailed = true;
    emit({ type: "failed", error: openAiFailure(event["error"] ?? event, options.secrets) });
  }

  function readOther(event: Spot, type: string): void {
    const [, item = "", state = ""] = statePattern.exec(type) ?? [];
    if (isCall(item)) steps.setState(event, item, state);
    else emit({ type: "unknown", kind: kindOf(event, type) });
  }

  const handle: Readonly<Record<EventAction, Handler>> = {
    identify,
    think,
    addItem,
    finishItem,
    finishPart,
    addText,
    finishText: (event) => messages.replace(event, textOf(event["text"])),
    finishRefusal: (event) => messages.replace(event, textOf(event["refusal"])),
    cite: (event) => messages.cite(event, event["annotation"]),
    addThought,
    finishThought,
    addInput: (event) => steps.addInput(event, callOf(event), textOf(event["delta"])),
    finishInput: (event) =>
      steps.setInput(event, callOf(event), textOf(event["arguments"] ?? event["input"] ?? event["code"])),
    artifact: (event) => made(event, "artifact"),
    skill: (event) => made(event, "skill"),
    complete: (event) => finishRun(event, "completed"),
    cut: (event) => finishRun(event, "incomplete"),
    failed: (event) => finishRun(event, "failed"),
    cancelled: (event) => finishRun(event, "cancelled"),
    fail,
    ignore: () => {},
  };

  return {
    read: (event, name) => {
      if (hasEnded) return;
      if (!hasStarted) {
        hasStarted = true;
        emit({ type: "started" });
      }
      const { type } = event;
      if (type === "response.output_text.delta") {
        addText(event);
        return;
      }
      // An error without a type is a proxy's own.
      const known = typeof type === "string" && type !== "" ? type : (name ?? (event["error"] ? "error" : ""));
      const action = eventActions.get(known);
      if (action === undefined) readOther(event, known);
      else handle[action](event);
    },
    close: () => {
      if (!hasFailed || hasEnded) return;
      hasEnded = true;
      emit({ type: "ended" });
    },
    isIdentified: () => isIdentified,
    hasEnded: () => hasEnded,
    hasFailed: () => hasFailed,
  };
}

/** Items without an output index stand after all others so far. */
function createOrders(): Orders {
  let highest = -1;
  return {
    of: (index) => {
      const order = typeof index === "number" && Number.isFinite(index) ? index : highest + 1;
      highest = Math.max(highest, order);
      return order;
    },
  };
}

/** Of an event about the input of a call: the type of its item. */
function callOf({ type }: Spot): string {
  const [, item = "function_call"] = inputPattern.exec(textOf(type)) ?? [];
  return item;
}

/** Every kind of item that isn't text, of known and unknown kinds. */
function isCall(type: string): boolean {
  return type.endsWith("_call") || type === "mcp_list_tools" || type.includes(":");
}

function isAnswer({ type, role }: Spot): boolean {
  return type === "message" && (role === undefined || role === null || role === "assistant");
}

function thoughtOf({ summary, content }: Spot): string {
  const parts = [...(Array.isArray(summary) ? summary : []), ...(Array.isArray(content) ? content : [])];
  return parts.map((part) => (isObject(part) ? textOf(part["text"]) : "")).join("\n");
}

/** Of the item that a thought belongs to: its place, since some servers change ids between events. */
function keyOf({ item_id: id, output_index: index }: Spot): string {
  return typeof index === "number" ? `#${index}` : textOf(id);
}

function kindOf(event: Spot, type: string): string {
  return `${type.slice(0, 100)}: ${keysOf(event)}`.slice(0, 200);
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
