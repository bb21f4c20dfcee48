/** The port to the agent service. */
import type { AgentEvent, RunHandle, ServiceThread } from "../model/agent-event.ts";
import type { ApprovalResponse } from "../model/approval.ts";
import type { Source } from "../model/turn.ts";

/**
 * History, oldest first. The last entry is the question and has answer "". `turnId` says which messages are the same as
 * in an earlier run; absent where nobody needs to know.
 */
export type ServiceMessage = { readonly question: string; readonly answer: string; readonly turnId?: string };

/** The shape of a service's API. AGENT_SERVICE_KIND fixes it. */
export type Dialect = "mindsdb" | "responses" | "chat";

/** What people can do with a service beyond asking. */
export type ServiceOffer =
  /** Creating, editing and deleting agents. */
  | "agent-changes"
  /** Changing at least which knowledge bases an agent looks in. */
  | "agent-bases"
  | "knowledge-bases"
  | "files"
  /** Data sources that can be queried: an agent's tables, and a query's rows for a knowledge base. */
  | "sql"
  /** Several projects with agents. */
  | "projects";

/** What differs between services. Settings override it; nothing else knows of versions. */
export type ServiceProfile = {
  readonly dialect: Dialect;
  /** Which server it is, as far as its limits and faults differ. */
  readonly generation: "25.x" | "26.x" | "local" | "openai" | "litellm" | "cowork" | "unknown";
  readonly version: string;
  /** The path whose answer told the dialect, or the setting that fixes it. Absent where nobody looked. */
  readonly foundBy?: string;
  /** Number of simultaneous runs the service can handle. */
  readonly maxRuns: number;
  /** Closing the connection stops the run. */
  readonly closeStopsRun: boolean;
  /** A run can be cancelled by its handle. */
  readonly cancels: boolean;
  /** A run can be read on by its handle after the connection was lost. */
  readonly resumes: boolean;
  readonly offers: readonly ServiceOffer[];
  /** Pictures can be sent to it. Whether an agent's model sees them shows when it is asked. */
  readonly takesPictures?: true;
  /** `/completions` works. */
  readonly plainWorks: boolean;
  /** Sources of content inserted by `urls` or `files` are returned with a URL. */
  readonly urlSourcesSurvive: boolean;
  /** What doesn't work now although it answers, in a sentence for managers. */
  readonly failing?: string;
  /** Fields of an agent, or the models of a knowledge base, that it accepts and never uses. */
  readonly ignores: readonly IgnoredField[];
};

/** `provider`: of an agent's model, with its key. */
export type IgnoredField = "model" | "provider" | "tables" | "instructions" | "base-models";

/** Never contains a key: `model.hasKey` says whether one is set. */
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

export type ModelDraft = { readonly provider: string; readonly modelName: string; readonly apiKey?: string };

export type KnowledgeBaseDraft = {
  readonly name: string;
  readonly embeddingModel?: ModelDraft;
  readonly rerankingModel?: ModelDraft;
};

export type Insert = {
  readonly rows?: readonly Readonly<Record<string, string | number | boolean | null>>[];
  readonly query?: string;
  /** Names of uploaded files. */
  readonly files?: readonly string[];
  readonly urls?: readonly string[];
  /** Total number of pages; always sent with `crawlDepth`. */
  readonly limit?: number;
  readonly crawlDepth?: number;
  /**
   * Hosts that a crawl stays within, including their subdomains and those of the given URLs. Only with `urls` alone: the
   * request may be sent twice, in two forms, if the service refuses the first.
   */
  readonly allowedDomains?: readonly string[];
};

export type Passage = {
  readonly content: string;
  readonly source: Source;
};

/** A document of a knowledge base, as far as the service knows it: 26.x knows no title and URL of what it crawled. */
export type ListedDocument = {
  /** Row id, for `deleteRows`. */
  readonly id: string;
  readonly title?: string;
  /** Other titles of its passages, where the service names sections. At most 30. */
  readonly sections?: readonly string[];
  readonly url?: string;
  readonly updatedAtMs?: number;
  /** How many of its passages were listed. Absent: one. */
  readonly passages?: number;
};

export type FileUpload = {
  readonly fileName: string;
  /** Untrusted. */
  readonly mediaType: string;
  readonly content: AsyncIterable<Uint8Array>;
};

/** Its bytes are of that type. */
export type Picture = {
  readonly mediaType: "image/png" | "image/jpeg" | "image/gif" | "image/webp";
  readonly bytes: Uint8Array;
};

export type AskOptions = {
  readonly signal?: AbortSignal;
  /** Of the question. Only a service that `takesPictures` looks at them. */
  readonly pictures?: readonly Picture[];
  /** Reads this run on, from its first event, if the service still has it; else asks anew. */
  readonly resume?: RunHandle;
  readonly thread?: ServiceThread;
  /** What people decided about everything that the run of `resume` asked approval for. */
  readonly approvals?: readonly ApprovalResponse[];
};

export type CancelOutcome =
  | "cancelled"
  /** It had ended before. */
  | "over"
  /** The service doesn't know it, or can't cancel it. */
  | "unknown";

/** Throws only `ParleyError` (code "stopped" on abort). `project` is the service's project. */
export type AgentService = {
  readonly profile: () => Promise<ServiceProfile>;
  /** Asks the service again what it is, within 5 s for each request. */
  readonly status: (signal?: AbortSignal) => Promise<ServiceProfile>;
  readonly listProjects: () => Promise<readonly string[]>;
  /** Names of databases only: the API does not list data sources with their tables. */
  readonly listDataSources: () => Promise<readonly string[]>;
  readonly listAgents: (project: string) => Promise<readonly Agent[]>;
  readonly getAgent: (project: string, name: string) => Promise<Agent>;
  readonly createAgent: (project: string, draft: AgentDraft) => Promise<Agent>;
  /** Merges the given keys into the agent. Works around 26.1, which keeps the old name on a bare rename. */
  readonly updateAgent: (project: string, name: string, changes: Partial<AgentDraft>) => Promise<Agent>;
  /** Succeeds when it is already gone. */
  readonly deleteAgent: (project: string, name: string) => Promise<void>;
  readonly listKnowledgeBases: (project: string) => Promise<readonly KnowledgeBase[]>;
  readonly getKnowledgeBase: (project: string, name: string) => Promise<KnowledgeBase>;
  readonly createKnowledgeBase: (project: string, draft: KnowledgeBaseDraft) => Promise<KnowledgeBase>;
  readonly deleteKnowledgeBase: (project: string, name: string) => Promise<void>;
  /** Can take an hour before the first byte. */
  readonly insert: (project: string, knowledgeBase: string, what: Insert, signal?: AbortSignal) => Promise<void>;
  /** Streams the bytes as multipart; the service lower-cases the name. Both generations refuse Markdown. */
  readonly uploadFile: (name: string, file: FileUpload, signal?: AbortSignal) => Promise<void>;
  readonly listFiles: () => Promise<readonly string[]>;
  readonly deleteFile: (name: string) => Promise<void>;
  /** The best passages for a query, best first. The client quotes identifiers and text. */
  readonly search: (
    project: string,
    knowledgeBase: string,
    words: string,
    limit: number,
    signal?: AbortSignal,
  ) => Promise<readonly Passage[]>;
  /** The text of these rows, in their order, as far as it is among the first `limit` passages. */
  readonly readRows: (
    project: string,
    knowledgeBase: string,
    rowIds: readonly string[],
    limit: number,
    signal?: AbortSignal,
  ) => Promise<readonly string[]>;
  /** Documents in a knowledge base, each once, in no particular order. Reads at most `limit` passages. */
  readonly listDocuments: (
    project: string,
    knowledgeBase: string,
    limit: number,
    signal?: AbortSignal,
  ) => Promise<readonly ListedDocument[]>;
  /** Deletes the rows with these ids from a knowledge base (SQL; there is no other way). */
  readonly deleteRows: (project: string, knowledgeBase: string, rowIds: readonly string[]) => Promise<void>;
  /**
   * One run, streamed. Ends after the first `ended`, or when the service closes the connection. Throws ParleyError:
   * service_unreachable, service_busy (no first chunk), stream_silent, stream_too_long, stream_cut, agent_not_found,
   * not_authorised, … Everything received before the error is yielded first.
   */
  readonly ask: (
    project: string,
    agent: string,
    messages: readonly ServiceMessage[],
    options?: AskOptions,
  ) => AsyncIterable<AgentEvent>;
  /** Asks `/completions`. Used for the single retry after an answer that 25.x lost. */
  readonly askPlain: (
    project: string,
    agent: string,
    messages: readonly ServiceMessage[],
    options?: AskOptions,
  ) => Promise<string>;
  /** Stops a run. Absent where `cancels` is false for every server of the dialect. */
  readonly cancel?: (run: RunHandle, signal?: AbortSignal) => Promise<CancelOutcome>;
  /**
   * Whether one section of the agent's knowledge alone covers the telling words of this question. `lastSources`:
   * titles and URLs of what the last answer there rested on; a single telling word counts only on one of those pages.
   * Absent: the service can't tell before a run.
   */
  readonly covers?: (
    project: string,
    agent: string,
    asked: { readonly question: string; readonly lastSources?: readonly string[] },
    signal?: AbortSignal,
  ) => Promise<boolean>;
  /** Deletes a conversation that the service keeps. Succeeds when it is already gone. */
  readonly forgetThread?: (thread: ServiceThread) => Promise<void>;
  /** Waits for open connections to end, then closes the dispatcher. */
  readonly close: () => Promise<void>;
};

/** Key of the run permits, shared by all instances that use the service. */
export const runsKey = "service-runs";
