/** Finds the knowledge bases that an agent looks in, from memory where it's known. */
import type { Named } from "../../core/access.ts";
import type { Agent, AgentService } from "../../core/ports/agent-service.ts";
import { splitName } from "../../core/tools/split-name.ts";

/** Throws ParleyError if the agent has to be asked for and can't be. */
export type BasesOf = (agent: Named) => Promise<readonly Named[]>;

export function createBasesOf(options: {
  readonly service: Pick<AgentService, "getAgent">;
  /** What is known of a project without asking the service. */
  readonly namesOf: (project: string) => {
    readonly agent: (name: string) => Pick<Agent, "knowledgeBases"> | undefined;
    readonly knowledgeBases: () => readonly { readonly name: string }[];
  };
  /** Those whose names are in memory. */
  readonly projects: readonly string[];
}): BasesOf {
  const { service, namesOf, projects } = options;
  return async (agent) => {
    const known = projects.includes(agent.project) ? namesOf(agent.project).agent(agent.name) : undefined;
    const { knowledgeBases } = known ?? (await service.getAgent(agent.project, agent.name));
    const listed = knowledgeBases.map((entry) => splitName(entry, agent.project));
    const whole = projects.filter((project) => listed.some((base) => base.project === project && base.name === "*"));
    const all = whole.flatMap((project) =>
      namesOf(project)
        .knowledgeBases()
        .map(({ name }) => ({ project, name })),
    );
    return [...listed.filter(({ name }) => name !== "*"), ...all];
  };
}
