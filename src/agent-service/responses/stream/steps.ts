/** Tool calls of a run as steps: from the item that announces a call to the one that holds its result. */
import { type AgentEvent, runLimits } from "../../../ports/agent-service.ts";
import { present } from "../../../ports/tools/present.ts";
import { cut } from "../../http/cut.ts";
import { redactSecrets } from "../../http/redaction.ts";
import {
  failed,
  found,
  type Item,
  type ItemResult,
  inputOf,
  isClientCall,
  outputText,
  resultOf,
  toolOf,
} from "./item-results.ts";
import type { Orders, Spot } from "./messages.ts";

type Call = {
  readonly type: string;
  /** Unique in the run. */
  readonly id: string;
  readonly order: number;
  tool: string;
  input: string;
  isStarted: boolean;
  startedWith: string;
  shownInput: string;
  isFinished: boolean;
  hasFailed: boolean;
};

const maxIdChars = 200;

export function createSteps(deps: {
  readonly emit: (event: AgentEvent) => void;
  readonly orders: Orders;
  /** A call began at that place among the items. */
  readonly onCall: (order: number) => void;
}) {
  const { emit, orders, onCall } = deps;
  const all: Call[] = [];
  const byId = new Map<string, Call>();
  const byIndex = new Map<number, Call>();
  const byCallId = new Map<string, Call>();
  let notes = 0;

  function find(id: unknown, index: unknown, type?: string): Call | undefined {
    const known = typeof id === "string" ? byId.get(id) : undefined;
    if (known !== undefined) return known;
    const there = typeof index === "number" ? byIndex.get(index) : undefined;
    return there !== undefined && (type === undefined || there.type === type) ? there : undefined;
  }

  function create(item: Item, type: string, index: unknown): Call {
    const { id, call_id: callId } = item;
    const name = typeof id === "string" ? id : typeof callId === "string" ? callId : "";
    const call: Call = {
      type,
      id: byId.has(name) || name === "" ? `${name.slice(0, maxIdChars)}#${all.length}` : name.slice(0, maxIdChars),
      order: orders.of(index),
      tool: toolOf(item, type),
      input: "",
      isStarted: false,
      startedWith: "",
      shownInput: "",
      isFinished: false,
      hasFailed: false,
    };
    all.push(call);
    if (name !== "" && !byId.has(name)) byId.set(name, call);
    if (typeof index === "number") byIndex.set(index, call);
    if (typeof callId === "string") byCallId.set(callId, call);
    onCall(call.order);
    return call;
  }

  /** Again with the same id when its input is known, which may be after it began. */
  function start(call: Call): void {
    if (call.isStarted && call.input === call.startedWith) return;
    call.isStarted = true;
    call.startedWith = call.input;
    const input = cut(call.input, runLimits.input);
    call.shownInput = redactSecrets(input.text);
    emit(
      present({
        type: "step-started" as const,
        id: call.id,
        tool: call.tool,
        input: call.shownInput,
        inputOmittedChars: input.omitted || undefined,
      }),
    );
  }

  function finish(call: Call, result: ItemResult): void {
    if (call.isFinished) return;
    start(call);
    call.isFinished = true;
    emit({ type: "step-finished", id: call.id, tool: call.tool, input: call.shownInput, ...result });
  }

  return {
    /** The item of a call was announced. Its arguments may follow in pieces. */
    begin: (item: Item, type: string, index: unknown): void => {
      const known = typeof item["id"] === "string" ? byId.get(item["id"]) : undefined;
      const call = known ?? create(item, type, index);
      call.input = inputOf(item) || call.input;
      if (call.input !== "" || !hasArguments(type)) start(call);
    },
    /** A piece of a call's arguments. */
    addInput: (spot: Spot, type: string, piece: string): void => {
      const call =
        find(spot["item_id"], spot["output_index"]) ?? create({ id: spot["item_id"] }, type, spot["output_index"]);
      if (!call.isStarted) call.input += piece;
    },
    /** All arguments of a call: it runs now. */
    setInput: (spot: Spot, type: string, input: string): void => {
      const call =
        find(spot["item_id"], spot["output_index"]) ??
        create({ id: spot["item_id"], name: spot["name"] }, type, spot["output_index"]);
      if (input !== "") call.input = input;
      start(call);
    },
    /** `response.web_search_call.searching` and the like. Its result comes with the item. */
    setState: (spot: Spot, type: string, state: string): void => {
      const call =
        find(spot["item_id"], spot["output_index"]) ?? create({ id: spot["item_id"] }, type, spot["output_index"]);
      if (state === "failed") call.hasFailed = true;
      if (state !== "in_progress" || !hasArguments(type)) start(call);
    },
    /** The item of a call is complete. A call of a client waits for its output. */
    finish: (item: Item, type: string, index: unknown): void => {
      const call = find(item["id"], index, type) ?? create(item, type, index);
      call.tool = call.isStarted ? call.tool : toolOf(item, type);
      call.input = inputOf(item) || call.input;
      if (typeof item["call_id"] === "string") byCallId.set(item["call_id"], call);
      if (isClientCall(type)) start(call);
      else finish(call, resultOf(item, type));
    },
    /** The output of a client's call, made by the server. */
    finishCall: (item: Item): void => {
      const call = typeof item["call_id"] === "string" ? byCallId.get(item["call_id"]) : undefined;
      const output = outputText(item["output"]);
      if (call !== undefined) finish(call, item["status"] === "failed" ? failed(output) : found(output));
    },
    /** Something that was made while the answer was written, and doesn't interrupt it. */
    note: (tool: string, name: string): void => {
      notes += 1;
      const id = `${tool} ${notes}`;
      const input = redactSecrets(cut(name, runLimits.input).text);
      emit({ type: "step-started", id, tool, input });
      emit({ type: "step-finished", id, tool, input, ...found("") });
    },
    /** The run is over: no more results come. */
    finishAll: (): void => {
      for (const call of all) if (!isClientCall(call.type)) finish(call, call.hasFailed ? failed("") : found(""));
    },
    /** Calls that nobody answered. */
    waiting: (): readonly string[] =>
      all.filter((call) => isClientCall(call.type) && !call.isFinished).map(({ tool }) => tool),
  };
}

/** Their arguments come in pieces, after the item. */
function hasArguments(type: string): boolean {
  return type === "function_call" || type === "mcp_call" || type === "custom_tool_call";
}
