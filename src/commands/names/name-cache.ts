/**
 * Caches agent, knowledge base and table names for completion and access checks. Platforms wait at most 3 s for
 * completions, and the service may be slow or down. Changes that Parley makes itself show immediately, even while an
 * older list is still loading.
 */
import type { Runtime } from "../../app.ts";
import type { Lists, Named } from "../../core/access.ts";
import type { Choice, Completion } from "../../core/document.ts";
import { ParleyError } from "../../core/errors.ts";
import type {
  Agent,
  IgnoredField,
  KnowledgeBase,
  ServiceOffer,
  ServiceProfile,
} from "../../core/ports/agent-service.ts";
import { withTimeout } from "../../core/tools/timeout.ts";
import { matching } from "./matching.ts";
import { createProjectAgents } from "./project-agents.ts";

export type NameCache = ReturnType<typeof createNameCache>;

/** Older lists are refreshed in the background on use. */
const freshMs = 15_000;
/** Access decisions use nothing older than this. */
const maxAgeMs = 60_000;
/** Limits how often guessing names makes the service list them. */
const minRenewMs = 2_000;
const firstWaitMs = 200;
/** Pause after a failed refresh. */
const retryAfterMs = 2_000;
const staleNames = "Could not load names; keeping the older ones";

type ListName = "agents" | "knowledgeBases";

type Names = {
  readonly agents: Map<string, Agent>;
  readonly bases: Map<string, KnowledgeBase>;
  readonly projects: readonly string[];
  readonly sources: readonly string[];
  readonly files: readonly string[];
  readonly ignores: readonly IgnoredField[];
  readonly offers?: readonly ServiceOffer[];
};

/** `project`: whose names are in memory. Agents of other projects are listed only when someone names one. */
export function createNameCache({ service, clock, log }: Pick<Runtime, "service" | "clock" | "log">, project: string) {
  const elsewhere = createProjectAgents({ service, own: project, projects: () => names.projects, clock });
  let names: Names = { agents: new Map(), bases: new Map(), projects: [], sources: [], files: [], ignores: [] };
  let sortedAgents: readonly Agent[] | undefined;
  let sortedBases: readonly KnowledgeBase[] | undefined;
  let readAtMs = Number.NEGATIVE_INFINITY;
  const never = Number.NEGATIVE_INFINITY;
  const listed: Record<ListName, { atMs: number; failure?: unknown }> = {
    agents: { atMs: never },
    knowledgeBases: { atMs: never },
  };
  let isRead = false;
  let reading: Promise<boolean> | undefined;
  let following: Promise<boolean> | undefined;
  /** Changes made while a list was loading, which may be older than they are. */
  let changesSince: ((names: Names) => void)[] = [];

  function change(apply: (names: Names) => void): void {
    if (reading !== undefined) changesSince.push(apply);
    apply(names);
    forgetOrder();
  }

  function forgetOrder(): void {
    sortedAgents = undefined;
    sortedBases = undefined;
  }

  async function read(): Promise<boolean> {
    changesSince = [];
    const askedAtMs = clock.now();
    const results = await Promise.allSettled([
      service.listAgents(project),
      service.listKnowledgeBases(project),
      service.listProjects(),
      service.listDataSources(),
      service.listFiles(),
      service.profile().then(noteProfile),
    ]);
    const [agents, bases, projects, sources, files] = results;
    noteListed("agents", agents, askedAtMs);
    noteListed("knowledgeBases", bases, askedAtMs);
    names = {
      agents: agents.status === "fulfilled" ? byName(agents.value) : names.agents,
      bases: bases.status === "fulfilled" ? byName(bases.value) : names.bases,
      projects: projects.status === "fulfilled" ? projects.value : names.projects,
      sources: sources.status === "fulfilled" ? sources.value : names.sources,
      files: files.status === "fulfilled" ? files.value : names.files,
      ignores: names.ignores,
      offers: names.offers,
    };
    for (const apply of changesSince) apply(names);
    forgetOrder();
    isRead = true;
    const failure = results.find((result) => result.status === "rejected");
    readAtMs = failure === undefined ? clock.now() : clock.now() - freshMs + retryAfterMs;
    if (failure !== undefined) log.warn({ err: failure.reason }, staleNames);
    return failure === undefined;
  }

  /** At once: what the service lacks must open no form while its lists are still loading. */
  function noteProfile({ ignores, offers }: Pick<ServiceProfile, "ignores" | "offers">): void {
    names = { ...names, ignores, offers };
  }

  function noteListed(list: ListName, result: PromiseSettledResult<unknown>, atMs: number): void {
    if (result.status === "fulfilled") listed[list] = { atMs };
    else listed[list] = { ...listed[list], failure: result.reason };
  }

  async function ensureRecent(list: ListName): Promise<void> {
    touch();
    const isLate = () => clock.now() - listed[list].atMs > maxAgeMs;
    if (!isLate()) return;
    await (reading ?? begin());
    if (isLate()) throw listed[list].failure ?? new ParleyError("service_unreachable");
  }

  function begin(): Promise<boolean> {
    reading = read()
      .catch((failure: unknown) => {
        log.warn({ err: failure }, staleNames);
        return false;
      })
      .finally(() => {
        reading = undefined;
      });
    return reading;
  }

  /**
   * Refreshes now; true when the service answered every request. Never rejects. A refresh that is already running may
   * be older than what the caller just changed, so another one follows it.
   */
  function refresh(): Promise<boolean> {
    if (reading === undefined) return begin();
    following ??= reading.then(() => {
      following = undefined;
      return begin();
    });
    return following;
  }

  /** Refreshes in the background if the cache is stale. */
  function touch(): void {
    if (reading === undefined && clock.now() - readAtMs > freshMs) void begin();
  }

  async function ready(): Promise<void> {
    touch();
    if (isRead || reading === undefined) return;
    await withTimeout(reading, firstWaitMs, clock);
  }

  const agents = (): readonly Agent[] => {
    sortedAgents ??= sorted([...names.agents.values()]);
    return sortedAgents;
  };
  const knowledgeBases = (): readonly KnowledgeBase[] => {
    sortedBases ??= sorted([...names.bases.values()]);
    return sortedBases;
  };
  /** "shop.*" for each data source, "files.name" for each file, and the tables agents already use. */
  const tables = () => [
    ...new Set([
      ...names.sources.map((source) => `${source}.*`),
      ...names.files.map((file) => `files.${file}`),
      ...agents().flatMap((agent) => agent.tables),
    ]),
  ];

  /** At most a minute old. Rejects with the service's error when the service is down and the cache is older. */
  const current: Lists = {
    agents: async () => {
      await ensureRecent("agents");
      return agents();
    },
    knowledgeBases: async () => {
      await ensureRecent("knowledgeBases");
      return knowledgeBases();
    },
    agentElsewhere: elsewhere.find,
    renew: async () => {
      if (clock.now() - listed.agents.atMs > minRenewMs) await refresh();
    },
  };

  return {
    current,
    /** Whether the service was ever asked: until then nothing is known. */
    isLoaded: () => listed.agents.atMs > never,
    agents,
    agent: (name: string) => names.agents.get(name),
    knowledgeBases,
    tables,
    projects: () => names.projects,
    /** Agents of other projects. */
    elsewhere,
    dataSources: () => names.sources,
    files: () => names.files,
    /** Fields of an agent that the service never uses. None until it is known. */
    ignored: () => names.ignores,
    /** Whether the service has that. Until it has said so, it has everything. */
    offers: (offer: ServiceOffer) => names.offers?.includes(offer) ?? true,
    /** `replaces`: its previous name. */
    keepAgent: (agent: Agent, replaces?: string) => {
      if (agent.project !== project) return elsewhere.forget(agent.project);
      change(({ agents: known }) => {
        if (replaces !== undefined) known.delete(replaces);
        known.set(agent.name, agent);
      });
    },
    dropAgent: (agent: Named) => {
      if (agent.project !== project) return elsewhere.forget(agent.project);
      change(({ agents: known }) => known.delete(agent.name));
    },
    keepKnowledgeBase: (base: KnowledgeBase) => change(({ bases }) => bases.set(base.name, base)),
    dropKnowledgeBase: (name: string) => change(({ bases }) => bases.delete(name)),
    touch,
    refresh,
    /** At most 25, from the cache; waits at most `firstWaitMs` if nothing was ever loaded. Never rejects. */
    complete: async (
      completes: Completion,
      typed: string,
      isOffered: (name: string) => boolean = () => true,
    ): Promise<readonly Choice[]> => {
      await ready();
      switch (completes) {
        case "agent":
        case "knowledge-base": {
          const named = completes === "agent" ? agents() : knowledgeBases();
          return matching(typed, named.map(({ name }) => name).filter(isOffered));
        }
        case "table":
          return matching(typed, tables());
        case "project":
          return matching(typed, names.projects);
        case "command":
        case "job":
        case "schedule":
          return [];
        default:
          return completes satisfies never;
      }
    },
  };
}

function byName<T extends { readonly name: string }>(entries: readonly T[]): Map<string, T> {
  return new Map(entries.map((entry) => [entry.name, entry]));
}

function sorted<T extends { readonly name: string }>(entries: readonly T[]): readonly T[] {
  return [...entries].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}
