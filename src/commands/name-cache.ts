/**
 * The names that complete as you type, held in memory: a platform waits 3 s at most for them, and the service may be
 * slow or away. What Parley itself makes, renames or deletes shows at once, also when an older list is still on its way.
 */
import type { Agent, AgentService, KnowledgeBase } from "../bridge/ports/agent-service.ts";
import type { Clock } from "../bridge/ports/clock.ts";
import type { Log } from "../operations/log.ts";
import type { Choice, Completion } from "../presentation/document.ts";
import { matching } from "./matching.ts";

export type NameCache = {
  /** Sorted by name. */
  readonly agents: () => readonly Agent[];
  readonly agent: (name: string) => Agent | undefined;
  readonly knowledgeBases: () => readonly KnowledgeBase[];
  /** "shop.*" for each data source, "files.name" for each file, and what agents use already. */
  readonly tables: () => readonly string[];
  readonly projects: () => readonly string[];
  readonly dataSources: () => readonly string[];
  readonly files: () => readonly string[];
  /** `replaces`: the name it had before. */
  readonly keepAgent: (agent: Agent, replaces?: string) => void;
  readonly dropAgent: (name: string) => void;
  readonly keepKnowledgeBase: (base: KnowledgeBase) => void;
  readonly dropKnowledgeBase: (name: string) => void;
  /** Reads everything anew. True when the service answered all of it. Never rejects. */
  readonly refresh: () => Promise<boolean>;
  /** At most 25; from memory, waiting at most `firstWaitMs` when nothing was ever read. Never rejects. */
  readonly complete: (completes: Completion, typed: string) => Promise<readonly Choice[]>;
};

/** Older lists are read anew in the background when somebody uses them. */
const freshMs = 15_000;
const firstWaitMs = 200;

type Names = {
  readonly agents: ReadonlyMap<string, Agent>;
  readonly bases: ReadonlyMap<string, KnowledgeBase>;
  readonly projects: readonly string[];
  readonly sources: readonly string[];
  readonly files: readonly string[];
};

type Service = Pick<
  AgentService,
  "listAgents" | "listKnowledgeBases" | "listProjects" | "listDataSources" | "listFiles"
>;

export function createNameCache(options: {
  readonly service: Service;
  readonly project: string;
  readonly clock: Clock;
  readonly log: Log;
}): NameCache {
  const { service, project, clock, log } = options;
  let names: Names = { agents: new Map(), bases: new Map(), projects: [], sources: [], files: [] };
  let sortedAgents: readonly Agent[] | undefined;
  let sortedBases: readonly KnowledgeBase[] | undefined;
  let readAtMs = Number.NEGATIVE_INFINITY;
  let isRead = false;
  let reading: Promise<boolean> | undefined;
  /** Made here while a list was on its way, which may be older than they are. */
  let changesSince: ((names: Names) => Names)[] = [];

  function set(next: Names): void {
    names = next;
    sortedAgents = undefined;
    sortedBases = undefined;
  }

  function change(apply: (names: Names) => Names): void {
    if (reading !== undefined) changesSince.push(apply);
    set(apply(names));
  }

  async function read(): Promise<boolean> {
    changesSince = [];
    const results = await Promise.allSettled([
      service.listAgents(project),
      service.listKnowledgeBases(project),
      service.listProjects(),
      service.listDataSources(),
      service.listFiles(),
    ]);
    const [agents, bases, projects, sources, files] = results;
    const fresh: Names = {
      agents: agents.status === "fulfilled" ? byName(agents.value) : names.agents,
      bases: bases.status === "fulfilled" ? byName(bases.value) : names.bases,
      projects: projects.status === "fulfilled" ? projects.value : names.projects,
      sources: sources.status === "fulfilled" ? sources.value : names.sources,
      files: files.status === "fulfilled" ? files.value : names.files,
    };
    set(changesSince.reduce((before, apply) => apply(before), fresh));
    readAtMs = clock.now();
    isRead = true;
    const failure = results.find((result) => result.status === "rejected");
    if (failure !== undefined) log.warn({ err: failure.reason }, "names could not be read; the older ones stay");
    return failure === undefined;
  }

  function refresh(): Promise<boolean> {
    reading ??= read()
      .catch((failure: unknown) => {
        log.warn({ err: failure }, "names could not be read; the older ones stay");
        return false;
      })
      .finally(() => {
        reading = undefined;
      });
    return reading;
  }

  async function ready(): Promise<void> {
    if (clock.now() - readAtMs > freshMs) void refresh();
    if (isRead || reading === undefined) return;
    const tooLong = new AbortController();
    await Promise.race([reading, clock.sleep(firstWaitMs, tooLong.signal).catch(() => undefined)]);
    tooLong.abort();
  }

  const agents = () => {
    sortedAgents ??= sorted([...names.agents.values()]);
    return sortedAgents;
  };
  const knowledgeBases = () => {
    sortedBases ??= sorted([...names.bases.values()]);
    return sortedBases;
  };
  const tables = () => [
    ...new Set([
      ...names.sources.map((source) => `${source}.*`),
      ...names.files.map((file) => `files.${file}`),
      ...agents().flatMap((agent) => agent.tables),
    ]),
  ];

  return {
    agents,
    agent: (name) => names.agents.get(name),
    knowledgeBases,
    tables,
    projects: () => names.projects,
    dataSources: () => names.sources,
    files: () => names.files,
    keepAgent: (agent, replaces) =>
      change((before) => {
        const next = new Map(before.agents);
        if (replaces !== undefined) next.delete(replaces);
        return { ...before, agents: next.set(agent.name, agent) };
      }),
    dropAgent: (name) => change((before) => ({ ...before, agents: without(before.agents, name) })),
    keepKnowledgeBase: (base) => change((before) => ({ ...before, bases: new Map(before.bases).set(base.name, base) })),
    dropKnowledgeBase: (name) => change((before) => ({ ...before, bases: without(before.bases, name) })),
    refresh,
    complete: async (completes, typed) => {
      await ready();
      switch (completes) {
        case "agent":
          return matching(
            typed,
            agents().map(({ name }) => name),
          );
        case "knowledge-base":
          return matching(
            typed,
            knowledgeBases().map(({ name }) => name),
          );
        case "table":
          return matching(typed, tables());
        case "command":
        case "job":
          return [];
        default:
          return completes satisfies never;
      }
    },
  };
}

function byName<T extends { readonly name: string }>(entries: readonly T[]): ReadonlyMap<string, T> {
  return new Map(entries.map((entry) => [entry.name, entry]));
}

function without<T>(entries: ReadonlyMap<string, T>, name: string): ReadonlyMap<string, T> {
  const next = new Map(entries);
  next.delete(name);
  return next;
}

function sorted<T extends { readonly name: string }>(entries: readonly T[]): readonly T[] {
  return [...entries].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}
