/** Collects the tool calls of a stream. Id and name come with the first piece of each, arguments in pieces. */
import { type AgentEvent, runLimits } from "../../core/model/agent-event.ts";
import { isObject } from "../../core/tools/parse-json.ts";
import { cut } from "../http/cut.ts";
import { jsonText } from "../http/json-text.ts";
import { redactSecrets } from "../http/redaction.ts";

type Call = { readonly id: string; name: string; input: string; omitted: number; isStarted: boolean };

/** Leaves room for a number that tells ids apart which are the same up to here. */
const maxIdChars = runLimits.stepId - 10;

export function createToolCalls(emit: (event: AgentEvent) => void) {
  const calls = new Map<string, Call>();

  function add(piece: unknown, position: number): void {
    if (!isObject(piece)) return;
    const { index, id, function: called } = piece;
    // Some servers send no index: then each piece with an id is a call of its own.
    const key = typeof index === "number" ? `#${index}` : typeof id === "string" && id !== "" ? id : `at ${position}`;
    let call = calls.get(key);
    if (call === undefined) {
      if (calls.size >= runLimits.steps) return;
      const number = calls.size + 1;
      const name = cut(typeof id === "string" && id !== "" ? id : `call ${number}`, maxIdChars).text;
      const isTaken = [...calls.values()].some((other) => other.id === name);
      call = { id: isTaken ? `${name}#${number}` : name, name: "", input: "", omitted: 0, isStarted: false };
      calls.set(key, call);
    }
    if (!isObject(called)) return;
    const { name, arguments: input } = called;
    // A name that is repeated with each piece is not a longer name.
    if (call.name === "" && typeof name === "string") call.name = cut(name, runLimits.toolName).text;
    if (typeof input === "string") addInput(call, input);
    else if (isObject(input)) addInput(call, jsonText(input));
  }

  /** Told once each, when their arguments are whole. */
  function start(): void {
    for (const call of calls.values()) {
      if (call.isStarted) continue;
      call.isStarted = true;
      emit({
        type: "step-started" as const,
        id: call.id,
        tool: nameOf(call),
        input: redactSecrets(call.input),
        inputOmittedChars: call.omitted || undefined,
      });
    }
  }

  return {
    add: (pieces: unknown): void => {
      if (Array.isArray(pieces)) pieces.forEach(add);
    },
    start,
    names: (): readonly string[] => [...calls.values()].map(nameOf),
  };
}

function nameOf({ name }: Call): string {
  return name === "" ? "tool" : name;
}

function addInput(call: Call, piece: string): void {
  const { text, omitted } = cut(piece, Math.max(0, runLimits.input - call.input.length));
  call.input += call.omitted > 0 ? "" : text;
  call.omitted += call.omitted > 0 ? piece.length : omitted;
}
