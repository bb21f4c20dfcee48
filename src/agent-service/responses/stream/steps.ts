/** Tool calls of a run as steps: from the item that announces a call to the one that holds its result. */
import { type AgentEvent, runLimits } from "../../../core/model/agent-event.ts";
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

/** Leaves room for a number that tells ids apart which are the same up to here. */
const maxIdChars = runLimits.stepId - 10;

/** More are left out: people see far fewer, and all of them are ended at once when the run is over. */
const maxCalls = 5_000;
/** Of results, read for keys they may hold: of one, and of all together; later ones only keep their beginning. */
const maxResultChars = 100_000;
const maxResultsChars = 1_000_000;
const minResultChars = 1_000;

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
  const ids = new Set<string>();
  let notes = 0;
  let resultChars = 0;

  function find(id: unknown, index: unknown, type?: string): Call | undefined {
    const known = typeof id === "string" ? byId.get(id) : undefined;
    if (known !== undefined) return known;
    const there = typeof index === "number" ? byIndex.get(index) : undefined;
    return there !== undefined && (type === undefined || there.type === type) ? there : undefined;
  }

  /** Undefined once there are too many. */
  function create(item: Item, type: string, index: unknown): Call | undefined {
    if (all.length >= maxCalls) return undefined;
    const { id, call_id: callId } = item;
    const name = typeof id === "string" ? id : typeof callId === "string" ? callId : "";
    const shortName = cut(name, maxIdChars).text;
    const call: Call = {
      type,
      id: ids.has(shortName) || name === "" ? `${shortName}#${all.length}` : shortName,
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
    ids.add(call.id);
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
    emit({
      type: "step-started" as const,
      id: call.id,
      tool: call.tool,
      input: call.shownInput,
      inputOmittedChars: input.omitted || undefined,
    });
  }

  /** Terminal events repeat every result, so one is only read where it is still missing. */
  function finish(call: Call, read: (maxChars: number) => ItemResult): void {
    if (call.isFinished) return;
    start(call);
    call.isFinished = true;
    const result = read(Math.max(minResultChars, Math.min(maxResultChars, maxResultsChars - resultChars)));
    resultChars += result.observation.length;
    emit({ type: "step-finished", id: call.id, tool: call.tool, input: call.shownInput, ...result });
  }

  return {
    /** The item of a call was announced. Its arguments may follow in pieces. */
    begin: (item: Item, type: string, index: unknown): void => {
      const known = typeof item["id"] === "string" ? byId.get(item["id"]) : undefined;
      const call = known ?? create(item, type, index);
      if (call === undefined) return;
      call.input = inputOf(item) || call.input;
      if (call.input !== "" || !hasArguments(type)) start(call);
    },
    /** A piece of a call's arguments. */
    addInput: (spot: Spot, type: string, piece: string): void => {
      const call =
        find(spot["item_id"], spot["output_index"]) ?? create({ id: spot["item_id"] }, type, spot["output_index"]);
      if (call?.isStarted === false) call.input += piece;
    },
    /** All arguments of a call: it runs now. */
    setInput: (spot: Spot, type: string, input: string): void => {
      const call =
        find(spot["item_id"], spot["output_index"]) ??
        create({ id: spot["item_id"], name: spot["name"] }, type, spot["output_index"]);
      if (call === undefined) return;
      if (input !== "") call.input = input;
      start(call);
    },
    /** `response.web_search_call.searching` and the like. Its result comes with the item. */
    setState: (spot: Spot, type: string, state: string): void => {
      const call =
        find(spot["item_id"], spot["output_index"]) ?? create({ id: spot["item_id"] }, type, spot["output_index"]);
      if (call === undefined) return;
      if (state === "failed") call.hasFailed = true;
      if (state !== "in_progress" || !hasArguments(type)) start(call);
    },
    /** The item of a call is complete. A call of a client waits for its output. */
    finish: (item: Item, type: string, index: unknown): void => {
      const call = find(item["id"], index, type) ?? create(item, type, index);
      if (call === undefined) return;
      call.tool = call.isStarted ? call.tool : toolOf(item, type);
      call.input = inputOf(item) || call.input;
      if (typeof item["call_id"] === "string") byCallId.set(item["call_id"], call);
      if (isClientCall(type)) start(call);
      else finish(call, (maxChars) => resultOf(item, type, maxChars));
    },
    /** The output of a client's call, made by the server. */
    finishCall: (item: Item): void => {
      const call = typeof item["call_id"] === "string" ? byCallId.get(item["call_id"]) : undefined;
      if (call === undefined) return;
      finish(call, (maxChars) => {
        const output = outputText(item["output"], maxChars);
        return item["status"] === "failed" ? failed(output) : found(output);
      });
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
      for (const call of all)
        if (!isClientCall(call.type)) finish(call, () => (call.hasFailed ? failed("") : found("")));
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
