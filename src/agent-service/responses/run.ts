/**
 * What is known of a streamed response so far: all that its reducer keeps, and how it says what happens. The tables of a
 * run are its own and grow in place, because a copy of them for each of its events would take the square of their number.
 */
import type { AgentEvent } from "../../core/model/agent-event.ts";
import type { ApprovalRequest } from "../../core/model/approval.ts";
import type { Source } from "../../core/model/turn.ts";
import type { DecoderOptions } from "../http/decoder.ts";
import type { Fields } from "../http/events.ts";
import { flushThought, noReasoning, type Reasoning } from "../thoughts/thoughts.ts";

export type ResponsesOptions = Pick<DecoderOptions, "secrets"> & {
  /** cowork-server's first event says so, but a run that is read on begins later. */
  readonly isCowork?: boolean;
  /** Whether the ids of the run become an event. */
  readonly tellsRun?: boolean;
};

export type Run = {
  /** "failed": the server reported an error; a failed response may follow, with the same words. */
  phase: "waiting" | "running" | "failed" | "ended";
  readonly options: ResponsesOptions;
  /** Only there, an answer may really be an error. */
  isCowork: boolean;
  /** What the server calls it, once it has said so. */
  response: string | undefined;
  /** The highest place among the items. */
  highest: number;
  reasoning: Reasoning;
  readonly answer: Answer;
  readonly steps: Steps;
  /** Of cowork-server, by the id of their use. */
  readonly tools: { readonly running: Map<string, Tool>; begun: number };
  readonly approvals: Map<string, ApprovalRequest>;
  /** What may be the sentence of a failure of cowork-server: shown only if it isn't. */
  held: { text: string; spot: Fields };
  /** What the current event means. */
  events: AgentEvent[];
};

export type Part = { text: string };

export type Message = {
  readonly order: number;
  /** The server says where it stands among the items. */
  readonly hasIndex: boolean;
  readonly parts: Map<number, Part>;
  readonly sources: Map<string, Source>;
  /** Its text was handed on as reasoning. */
  isSaid: boolean;
  /** A tool began after it, so more text under its id is another message. */
  isClosed: boolean;
};

export type Answer = {
  readonly all: Message[];
  readonly byId: Map<string, Message>;
  readonly byIndex: Map<number, Message>;
  /** The message with the highest order so far. */
  latest: Message | undefined;
  /** The message that the answer so far consists of, for readers of the events. */
  shown: Message | undefined;
  /** The part that the last piece went to, at the end of the shown message, and the event that named it. */
  fast: { readonly part: Part; readonly spot: Fields } | undefined;
  /** A piece came for a part before the last one: the answer is sent again when that part is complete. */
  isStale: boolean;
  /** Of answers that were sent again as a whole. */
  resentChars: number;
};

export type Call = {
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

export type Steps = {
  readonly all: Call[];
  readonly byId: Map<string, Call>;
  readonly byIndex: Map<number, Call>;
  readonly byCallId: Map<string, Call>;
  readonly ids: Set<string>;
  /** Things that were made beside the answer. */
  notes: number;
  /** Of all results. */
  resultChars: number;
};

export type Tool = {
  readonly id: string;
  readonly name: string;
  input: string;
  shownInput: string;
  isStarted: boolean;
  readonly awaitsResult: boolean;
};

export function beginRun(options: ResponsesOptions): Run {
  return {
    phase: "waiting",
    options,
    isCowork: options.isCowork ?? false,
    response: undefined,
    highest: -1,
    reasoning: noReasoning,
    answer: {
      all: [],
      byId: new Map(),
      byIndex: new Map(),
      latest: undefined,
      shown: undefined,
      fast: undefined,
      isStale: false,
      resentChars: 0,
    },
    steps: {
      all: [],
      byId: new Map(),
      byIndex: new Map(),
      byCallId: new Map(),
      ids: new Set(),
      notes: 0,
      resultChars: 0,
    },
    tools: { running: new Map(), begun: 0 },
    approvals: new Map(),
    held: { text: "", spot: {} },
    events: [],
  };
}

/** The place of an item. One without an output index stands after all others so far. */
export function orderOf(run: Run, index: unknown): number {
  const order = typeof index === "number" && Number.isFinite(index) ? index : run.highest + 1;
  run.highest = Math.max(run.highest, order);
  return order;
}

export function think(run: Run, [reasoning, events]: ReturnType<typeof flushThought>): void {
  run.reasoning = reasoning;
  run.events.push(...events);
}

/** Something else than a thought began. */
export function endThought(run: Run): void {
  if (run.reasoning.pending !== "") think(run, flushThought(run.reasoning));
}
