/**
 * The port to the agent service, and the one vocabulary that both of its generations are translated into.
 * Implemented by src/agent-service; nothing beyond that room knows of versions, chunks or HTTP.
 */
import type { ParleyError } from "./errors.ts";
import type { Outcome, Source, Table } from "./model/turn.ts";

/**
 * What one run may bring, at most, in characters where nothing else is said. A dialect cuts where it comes in, before
 * anything reads or rewrites it; the reducer keeps no more.
 */
export const runLimits = {
  steps: 200,
  toolName: 200,
  status: 2_000,
  input: 8_192,
  reasoning: 8_192,
  /** Of one observation, to find rows and sources in. The largest real one seen is 100 rows, 120 kB. */
  observationRead: 1_000_000,
  /** Beyond it a table is text: nobody reads it, and each row would be as wide. */
  tableColumns: 500,
  tableRows: 1_000,
  /** All that the service sends of one run. */
  bytes: 64 * 1024 * 1024,
  /** One event of it. */
  eventBytes: 8 * 1024 * 1024,
} as const;

export type AgentEvent =
  /** The run began. At most once, first. */
  | { readonly type: "started" }
  /** The agent's own words on what it does, or a status text. Untrusted, may be long. */
  | { readonly type: "reasoning"; readonly text: string }
  | { readonly type: "status"; readonly text: string }
  | {
      readonly type: "step-started";
      readonly tool: string;
      readonly input: string;
      readonly inputOmittedChars?: number;
      readonly reasoning?: string;
      readonly reasoningOmittedChars?: number;
    }
  /** Belongs to the oldest step still running with that tool and input, else to the newest running one, else stands alone. */
  | {
      readonly type: "step-finished";
      readonly tool?: string;
      readonly input?: string;
      readonly observation: string;
      readonly outcome: Outcome;
      readonly sources: readonly Source[];
      /** Rows that the tool returned, when it returned rows that are not passages. */
      readonly table?: Table;
    }
  /** The answer. The last one counts. `text` is "" when the service said so; `table` when the answer is one. */
  | { readonly type: "answer"; readonly text: string; readonly table?: Table }
  /** The service says that the run failed. */
  | { readonly type: "failed"; readonly error: ParleyError }
  /** The first end marker; nothing follows it. Absent when the stream closed without one. */
  | { readonly type: "ended" }
  /** A chunk of no known kind, by the sorted names of its keys. Never fatal. */
  | { readonly type: "unknown"; readonly kind: string };

/** The service's own history format; oldest first, the last one is the question and has answer "". */
export type ServiceMessage = { readonly question: string; readonly answer: string };

/** What differs between services. Settings override it; nothing else knows of versions. */
export type ServiceProfile = {
  readonly generation: "25.x" | "26.x" | "local" | "unknown";
  readonly version: string;
  /** Runs at once that the service bears. */
  readonly maxRuns: number;
  /** Closing the connection stops the run. */
  readonly closeStopsRun: boolean;
  /** `/completions` answers. */
  readonly plainWorks: boolean;
  /** Sources of content inserted by `urls` or `files` come back with an address. */
  readonly urlSourcesSurvive: boolean;
};

/** Never holds a key: `model.hasKey` tells whether one is set. */
export type Agent = {
  readonly name: string;
  readonly project: string;
  readonly createdAt?: string;
  readonly updatedAt?: string;
  readonly model?: { readonly provider?: string; readonly name?: string; readonly hasKey: boolean };
  readonly tables: readonly string[];
  readonly knowledgeBases: readonly string[];
  readonly promptTemplate?: string;
};

export type AgentDraft = {
  readonly name: string;
  readonly model?: { readonly provider?: string; readonly name?: string; readonly apiKey?: string };
  readonly tables?: readonly string[];
  readonly knowledgeBases?: readonly string[];
  readonly promptTemplate?: string;
};

export type KnowledgeBase = {
  readonly name: string;
  readonly project: string;
  readonly createdAt?: string;
  readonly embeddingModel?: string;
  readonly rerankingModel?: string;
};

export type KnowledgeBaseDraft = {
  readonly name: string;
  readonly embeddingModel?: { readonly provider: string; readonly modelName: string; readonly apiKey?: string };
  readonly rerankingModel?: { readonly provider: string; readonly modelName: string; readonly apiKey?: string };
};

export type Insert = {
  readonly rows?: readonly Readonly<Record<string, string | number | boolean | null>>[];
  readonly query?: string;
  /** Names of uploaded files. */
  readonly files?: readonly string[];
  readonly urls?: readonly string[];
  /** Pages in all; always sent when `crawlDepth` is. */
  readonly limit?: number;
  readonly crawlDepth?: number;
  /** Regular expressions matched from the start of an address; the start page must match too. */
  readonly filters?: readonly string[];
};

export type Passage = {
  readonly content: string;
  readonly source: Source;
};

export type AskOptions = {
  readonly signal?: AbortSignal;
};

/**
 * Every method throws `ParleyError` and nothing else (an abort by the caller's signal: code "stopped").
 * Names go into paths percent-encoded; `project` is the service's project.
 */
export type AgentService = {
  readonly profile: () => Promise<ServiceProfile>;
  /** Reads `/api/status` anew, within 5 s. */
  readonly status: (signal?: AbortSignal) => Promise<ServiceProfile>;
  readonly listProjects: () => Promise<readonly string[]>;
  /** Data sources with their tables are not listed by the API: names of databases only. */
  readonly listDataSources: () => Promise<readonly string[]>;
  readonly listAgents: (project: string) => Promise<readonly Agent[]>;
  readonly getAgent: (project: string, name: string) => Promise<Agent>;
  readonly createAgent: (project: string, draft: AgentDraft) => Promise<Agent>;
  /** Given keys are merged into the agent. Works around 26.1 keeping the old name on a bare rename. */
  readonly updateAgent: (project: string, name: string, changes: Partial<AgentDraft>) => Promise<Agent>;
  /** Already gone counts as done. */
  readonly deleteAgent: (project: string, name: string) => Promise<void>;
  readonly listKnowledgeBases: (project: string) => Promise<readonly KnowledgeBase[]>;
  readonly getKnowledgeBase: (project: string, name: string) => Promise<KnowledgeBase>;
  readonly createKnowledgeBase: (project: string, draft: KnowledgeBaseDraft) => Promise<KnowledgeBase>;
  readonly deleteKnowledgeBase: (project: string, name: string) => Promise<void>;
  /** May take an hour before its first byte. */
  readonly insert: (project: string, knowledgeBase: string, what: Insert, signal?: AbortSignal) => Promise<void>;
  /** Streams the bytes as multipart; the service lower-cases the name. Markdown is refused by both generations. */
  readonly uploadFile: (
    name: string,
    file: { readonly fileName: string; readonly mediaType: string; readonly content: AsyncIterable<Uint8Array> },
    signal?: AbortSignal,
  ) => Promise<void>;
  readonly listFiles: () => Promise<readonly string[]>;
  readonly deleteFile: (name: string) => Promise<void>;
  /** The best passages for some words, best first. Identifiers and text are quoted by the client. */
  readonly search: (
    project: string,
    knowledgeBase: string,
    words: string,
    limit: number,
    signal?: AbortSignal,
  ) => Promise<readonly Passage[]>;
  /** Deletes the rows of a knowledge base with that id (SQL; the only way there is). */
  readonly deleteRows: (project: string, knowledgeBase: string, rowIds: readonly string[]) => Promise<void>;
  /**
   * One run, streamed. Ends after the first `ended`, or when the service closes the connection.
   * Throws ParleyError: service_unreachable, service_busy (no first chunk), stream_silent, stream_too_long, stream_cut,
   * agent_not_found, not_authorised, … What had arrived was yielded before.
   */
  readonly ask: (
    project: string,
    agent: string,
    messages: readonly ServiceMessage[],
    options?: AskOptions,
  ) => AsyncIterable<AgentEvent>;
  /** `/completions`, for the one retry that design section 3 allows. */
  readonly askPlain: (
    project: string,
    agent: string,
    messages: readonly ServiceMessage[],
    options?: AskOptions,
  ) => Promise<string>;
  /** Waits for open connections to end, then closes the dispatcher. */
  readonly close: () => Promise<void>;
};

/** The permits for runs: every instance over one service shares this budget. */
export const runsKey = "service-runs";
