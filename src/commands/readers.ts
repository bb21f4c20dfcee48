/** Finds the agents that look in a knowledge base. */
import type { Named } from "../ports/access.ts";
import type { Agent } from "../ports/agent-service.ts";
import { splitName } from "../ports/tools/split-name.ts";

/** Wildcards count: "shop.*" looks in every knowledge base of the project shop. */
export function readersOf<A extends Pick<Agent, "project" | "knowledgeBases">>(
  agents: readonly A[],
  base: Named,
): readonly A[] {
  return agents.filter((agent) =>
    agent.knowledgeBases.some((entry) => {
      const { project, name } = splitName(entry, agent.project);
      return project === base.project && (name === "*" || name === base.name);
    }),
  );
}
