/** What happens in a run of an agent, in words that every dialect is translated into, and how much of it is kept. */
import type { ParleyError } from "../errors.ts";
import type { ApprovalRequest } from "./approval.ts";
import type { Tokens } from "./tokens.ts";
import type { Grade, Outcome, Source, Table } from "./turn.ts";

/** Limits of one run, in characters unless stated otherwise. A dialect cuts on arrival. */
export const runLimits = {
  steps: 200,
  toolName: 200,
  stepId: 200,
  traceId: 200,
  status: 2_000,
  input: 8_192,
  reasoning: 8_192,
  /** Of one observation, to extract rows and sources from. The largest real one seen is 100 rows, 120 kB. */
  observationRead: 1_000_000,
  /** A wider table is treated as text: nobody would read it, and every row would be as wide. */
  tableColumns: 500,
  tableRows: 1_000,
  /** Everything the service sends in one run. */
  bytes: 64 * 1024 * 1024,
  /** A single event. */
  eventBytes: 8 * 1024 * 1024,
} as const;

export type AgentEvent =
  /** The service, or its model, is busy and is asked again after `forMs`. Absent: it is asked again now. */
  | { readonly type: "waiting"; readonly forMs?: number }
  /** The run began. At most once, and first. */
  | { readonly type: "started" }
  /** Its model takes no pictures, or refused these: it was asked without them. */
  | { readonly type: "pictures-refused"; readonly of: "any" | "these" }
  /** The service's own reference of the run, for its logs. */
  | { readonly type: "traced"; readonly traceId: string }
  /** Finds this run again at the service, to cancel it or to read on. The last one counts. */
  | { readonly type: "run"; readonly run: RunHandle }
  /** Continues this conversation at the service in the next run. The last one counts. Comes before the run's handle. */
  | { readonly type: "thread"; readonly thread: ServiceThread }
  /** The agent's own words about its work, or a status text. Untrusted, may be long. */
  | { readonly type: "reasoning"; readonly text: string }
  | { readonly type: "status"; readonly text: string }
  | {
      readonly type: "step-started";
      /** Unique in the run, where the service tells which result belongs to which step. */
      readonly id?: string;
      readonly tool: string;
      readonly input: string;
      readonly inputOmittedChars?: number;
      readonly reasoning?: string;
      readonly reasoningOmittedChars?: number;
    }
  /**
   * Belongs to the step with its `id`; without one to the oldest running step with the same tool and input, else the
   * newest running one, else to none.
   */
  | {
      readonly type: "step-finished";
      readonly id?: string;
      readonly tool?: string;
      readonly input?: string;
      readonly observation: string;
      readonly outcome: Outcome;
      readonly sources: readonly Source[];
      /** Rows the tool returned, if they are not passages. */
      readonly table?: Table;
    }
  /** The next piece of the answer, as it is written. An `answer` replaces all pieces before it. */
  | { readonly type: "answer-delta"; readonly text: string }
  /** The whole answer; the last one counts. `text` can be "", and `table` is set when the answer is a table. */
  | {
      readonly type: "answer";
      readonly text: string;
      readonly table?: Table;
      /** Why the service ended it early: its limit of length, or its content filter. */
      readonly cut?: "length" | "filter";
      /** The model failed, and passages are shown instead: why, in the words of its endpoint. Untrusted. */
      readonly modelFailed?: string;
      /** What a service that knows its own knowledge says of it. */
      readonly grade?: Grade;
      /** What the answer itself cites, beside what its steps found. */
      readonly sources?: readonly Source[];
    }
  /** What one more call of a model took. Those of a run add up. */
  | { readonly type: "usage"; readonly tokens: Tokens }
  /** The run ends to ask people first, perhaps several times. It continues with a new run that brings all responses. */
  | { readonly type: "approval-requested"; readonly request: ApprovalRequest }
  /** The service reports that the run failed. */
  | { readonly type: "failed"; readonly error: ParleyError }
  /** The first end marker; nothing follows it. Absent when the stream closed without one. */
  | { readonly type: "ended" }
  /** A chunk of unknown kind, identified by the sorted names of its keys. Never fatal. */
  | { readonly type: "unknown"; readonly kind: string };

/** Ids of the service's own. Plain JSON, stored with the Turn, meaningful to the dialect that sent it only. */
export type RunHandle = Readonly<Record<string, string>>;
/** The same for a Conversation. */
export type ServiceThread = Readonly<Record<string, string>>;
