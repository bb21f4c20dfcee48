/** Caches the agents of other projects than AGENT_PROJECT, which are listed only when someone names one. */
import { LRUCache } from "lru-cache";
import type { Agent, AgentService } from "../../core/ports/agent-service.ts";
import type { Clock } from "../../core/ports/clock.ts";
import { byClock } from "../../core/tools/cache-time.ts";
import { splitName } from "../../core/tools/split-name.ts";

const keptMs = 60_000;
const maxProjects = 20;
/** So many characters of a project's name list its agents; fewer are probably the beginning of an agent's name. */
const minProjectChars = 2;
/** Projects listed for one completion. */
const maxBegun = 3;

export function createProjectAgents(options: {
  readonly service: Pick<AgentService, "listAgents">;
  /** AGENT_PROJECT. */
  readonly own: string;
  /** The projects that the service has, from memory. */
  readonly projects: () => readonly string[];
  readonly clock: Pick<Clock, "now">;
}) {
  const { service, own, projects, clock } = options;
  /** Older lists stay in it for `known`. */
  const lists = new LRUCache<string, { readonly agents: Promise<readonly Agent[]>; read?: readonly Agent[] }>({
    max: maxProjects,
    // An entry that is exactly as old as its ttl still counts.
    ttl: keptMs - 1,
    ...byClock(clock),
    allowStale: true,
    noDeleteOnStaleGet: true,
  });

  /** At most a minute old. Rejects with the service's error; a failure isn't cached. */
  function agentsOf(project: string): Promise<readonly Agent[]> {
    const known = lists.has(project) ? lists.get(project) : undefined;
    if (known !== undefined) return known.agents;
    const agents = service.listAgents(project);
    const list: { agents: typeof agents; read?: readonly Agent[] } = { agents };
    lists.set(project, list);
    agents.then(
      (read) => {
        list.read = read;
      },
      () => {
        if (lists.get(project) === list) lists.delete(project);
      },
    );
    return agents;
  }

  /** Splits "shop.helper" if there is such a project. No name with a dot is one of AGENT_PROJECT then. */
  function split(written: string): { readonly project: string; readonly name: string } | undefined {
    const { project, name } = splitName(written.trim(), own);
    return project === own || name === "" || !projects().includes(project) ? undefined : { project, name };
  }

  const others = (): readonly string[] => projects().filter((project) => project !== own);

  return {
    agentsOf,
    split,
    /** From memory, so without those whose project nobody has named lately. */
    known: (): readonly Agent[] => [...lists.values()].flatMap(({ read }) => read ?? []),
    /** Lists every other project, as far as there is room for them. Never rejects. */
    load: async (): Promise<void> => {
      await Promise.allSettled(others().slice(0, maxProjects).map(agentsOf));
    },
    /** After a change: the next one who asks gets a new list. */
    forget: (project: string) => {
      lists.delete(project);
    },
    /** The agent that is written like that. Undefined if there is none. */
    find: async (written: string): Promise<Agent | undefined> => {
      const wanted = split(written);
      if (wanted === undefined) return undefined;
      const agents = await agentsOf(wanted.project);
      const lower = wanted.name.toLowerCase();
      const alike = agents.filter(({ name }) => name.toLowerCase() === lower);
      return agents.find(({ name }) => name === wanted.name) ?? (alike.length === 1 ? alike[0] : undefined);
    },
    /** "shop.helper" for each agent of the project that a typed text begins with, or of those that begin with it. */
    written: async (typed: string): Promise<readonly string[]> => {
      const named = typed.includes(".") ? split(`${typed}x`)?.project : undefined;
      const wanted = typed.trim().toLowerCase();
      const isBegun = wanted.length >= minProjectChars && !wanted.includes(".");
      const begun = isBegun ? others().filter((project) => project.toLowerCase().startsWith(wanted)) : [];
      const lists = await Promise.all(
        (named === undefined ? begun.slice(0, maxBegun) : [named]).map(async (project) =>
          (await agentsOf(project)).map(({ name }) => `${project}.${name}`),
        ),
      );
      return lists.flat();
    },
  };
}
