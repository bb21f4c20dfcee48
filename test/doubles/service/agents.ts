/**
 * An agent service for tests of the bridge: each question waits until the test plays its events. It is as strict as the
 * real one: an empty question is the caller's fault, an aborted run stops yielding at once, and concurrent runs are
 * counted.
 */

import { localProfile } from "../../../src/agent-service/built-in/profile.ts";
import { ParleyError } from "../../../src/core/errors.ts";
import type { AgentEvent, RunHandle, ServiceThread } from "../../../src/core/model/agent-event.ts";
import type {
  Agent,
  AgentService,
  AskOptions,
  CancelOutcome,
  ServiceMessage,
  ServiceProfile,
} from "../../../src/core/ports/agent-service.ts";

export type PlayedRun = {
  readonly project: string;
  readonly agent: string;
  readonly messages: readonly ServiceMessage[];
  readonly question: string;
  /** How it continues what the service knows. */
  readonly options: Pick<AskOptions, "resume" | "thread" | "approvals">;
  /** Sends events to whoever reads the stream. */
  readonly send: (...events: AgentEvent[]) => void;
  /** Answers and ends. */
  readonly answer: (text: string) => void;
  readonly end: () => void;
  readonly fail: (error: ParleyError) => void;
  readonly isAborted: () => boolean;
  readonly isOver: () => boolean;
};

export type Agents = AgentService & {
  readonly runs: readonly PlayedRun[];
  /** The most runs that were going on at once. */
  readonly most: () => number;
  /** Runs that were to be cancelled, and conversations that were to be deleted, in order. */
  readonly cancelled: readonly RunHandle[];
  readonly forgotten: readonly ServiceThread[];
  /** Resolves with the run number `index` (from 0) as soon as it was asked. */
  readonly run: (index: number) => Promise<PlayedRun>;
  readonly set: (changes: {
    profile?: Partial<ServiceProfile>;
    /** Names alone have no knowledge. */
    agents?: readonly (string | { readonly name: string; readonly knowledgeBases: readonly string[] })[];
    knowledgeBases?: readonly string[];
    plain?: string;
    /** How it replies to a cancel. Default: it knows no such run. */
    cancel?: (run: RunHandle) => Promise<CancelOutcome>;
  }) => void;
};

const noSuch = () => Promise.reject(new ParleyError("internal", { what: "This double does not do that." }));

export function createAgents(): Agents {
  // Other than the real one, it has several projects, and uses all that it is given.
  const { offers, ...own } = localProfile(false);
  let profile: ServiceProfile = { ...own, offers: [...offers, "projects"], ignores: [] };
  let known: readonly { readonly name: string; readonly knowledgeBases: readonly string[] }[] = [
    { name: "guide", knowledgeBases: [] },
  ];
  let bases: readonly string[] = [];
  let plain = "";
  let cancel: (run: RunHandle) => Promise<CancelOutcome> = async () => "unknown";
  const cancelled: RunHandle[] = [];
  const forgotten: ServiceThread[] = [];
  let most = 0;
  const runs: PlayedRun[] = [];
  const waiting: { index: number; resolve: (run: PlayedRun) => void }[] = [];

  async function* play(
    project: string,
    agent: string,
    messages: readonly ServiceMessage[],
    { signal, ...options }: AskOptions = {},
  ) {
    const question = messages.at(-1)?.question ?? "";
    if (question.trim() === "") throw new ParleyError("service_request_refused");
    const queue: (AgentEvent | { readonly type: "over" } | { readonly type: "throw"; readonly error: ParleyError })[] =
      [];
    let wake = () => {};
    let isOver = false;
    const push = (...events: typeof queue) => {
      queue.push(...events);
      wake();
    };
    const run: PlayedRun = {
      project,
      agent,
      messages,
      question,
      options,
      send: (...events) => push(...events),
      answer: (text) => push({ type: "answer", text }, { type: "ended" }, { type: "over" }),
      end: () => push({ type: "ended" }, { type: "over" }),
      fail: (error) => push({ type: "throw", error }),
      isAborted: () => signal?.aborted ?? false,
      isOver: () => isOver,
    };
    runs.push(run);
    most = Math.max(most, runs.filter((other) => !other.isOver()).length);
    for (const waiter of waiting.filter((one) => one.index < runs.length))
      waiter.resolve(runs[waiter.index] as PlayedRun);
    signal?.addEventListener("abort", () => wake());
    try {
      for (;;) {
        if (signal?.aborted) throw new ParleyError("stopped");
        const next = queue.shift();
        if (next === undefined) {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
          continue;
        }
        if (next.type === "over") return;
        if (next.type === "throw") throw next.error;
        yield next;
      }
    } finally {
      isOver = true;
    }
  }

  const agentOf = (project: string, name: string): Agent => {
    const knowledgeBases = known.find((agent) => agent.name === name)?.knowledgeBases ?? [];
    return { name, project, tables: [], knowledgeBases };
  };

  return {
    runs,
    most: () => most,
    cancelled,
    forgotten,
    run: (index) => {
      const known = runs[index];
      if (known !== undefined) return Promise.resolve(known);
      return new Promise((resolve) => waiting.push({ index, resolve }));
    },
    set: (changes) => {
      profile = { ...profile, ...changes.profile };
      const named = changes.agents?.map((agent) =>
        typeof agent === "string" ? { name: agent, knowledgeBases: [] } : agent,
      );
      known = named ?? known;
      bases = changes.knowledgeBases ?? bases;
      plain = changes.plain ?? plain;
      cancel = changes.cancel ?? cancel;
    },
    profile: async () => profile,
    status: async () => profile,
    listProjects: async () => ["mindsdb"],
    listDataSources: async () => [],
    listAgents: async (project) => known.map(({ name }) => agentOf(project, name)),
    getAgent: async (project, name) => agentOf(project, name),
    ask: (project, agent, messages, options) => play(project, agent, messages, options),
    cancel: async (run) => {
      cancelled.push(run);
      return cancel(run);
    },
    forgetThread: async (thread) => void forgotten.push(thread),
    askPlain: async () => plain,
    listKnowledgeBases: async (project) => bases.map((name) => ({ name, project })),
    search: async () => [],
    listDocuments: async () => [],
    listFiles: async () => [],
    readRows: noSuch,
    close: async () => undefined,
    createAgent: noSuch,
    updateAgent: noSuch,
    deleteAgent: noSuch,
    getKnowledgeBase: noSuch,
    createKnowledgeBase: noSuch,
    deleteKnowledgeBase: noSuch,
    insert: noSuch,
    uploadFile: noSuch,
    deleteFile: noSuch,
    deleteRows: noSuch,
  };
}
