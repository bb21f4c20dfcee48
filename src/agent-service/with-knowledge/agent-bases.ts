/** Stores which knowledge bases an agent looks in, for services that can't store it themselves. */
import type { Agent } from "../../core/ports/agent-service.ts";
import type { KeyValue } from "../../core/ports/state.ts";

/** By project and agent. The service alone says which agents there are: a record of another one counts for nothing. */
export type StoredBases = {
  readonly version: 1;
  readonly agent: string;
  /** As in an agent: "docs", or "shop.docs". */
  readonly knowledgeBases: readonly string[];
};

export function createAgentBases(store: KeyValue<StoredBases>) {
  const keyOf = (project: string, agent: string) => `${project}/${agent}`;

  return {
    of: async (project: string, agent: string): Promise<readonly string[]> =>
      (await store.get(keyOf(project, agent)))?.knowledgeBases ?? [],
    /** Of every agent that has some. */
    all: async (project: string): Promise<ReadonlyMap<string, readonly string[]>> => {
      const found = new Map<string, readonly string[]>();
      for await (const [, { agent, knowledgeBases }] of store.entries(keyOf(project, ""))) {
        found.set(agent, knowledgeBases);
      }
      return found;
    },
    set: async ({ project, name }: Pick<Agent, "project" | "name">, knowledgeBases: readonly string[]) => {
      const key = keyOf(project, name);
      if (knowledgeBases.length === 0) return store.delete(key);
      await store.set(key, { version: 1, agent: name, knowledgeBases: [...new Set(knowledgeBases)] });
    },
  };
}
