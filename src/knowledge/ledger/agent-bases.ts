/** Finds the knowledge bases that an agent looks in, from memory where it's known. */
import type { Named } from "../../core/access.ts";
import type { Agent, AgentService } from "../../core/ports/agent-service.ts";
import { splitName } from "../../core/tools/split-name.ts";

/** Throws ParleyError if the agent has to be asked for and can't be. */
export type BasesOf = (agent: Named) => Promise<readonly Named[]>;

export function createBasesOf(options: {
  readonly service: Pick<AgentService, "getAgent">;
  /** What is known of `project` without asking the service. */
  readonly names: {
    readonly agent: (name: string) => Pick<Agent, "knowledgeBases"> | undefined;
    readonly knowledgeBases: () => readonly { readonly name: string }[];
  };
  readonly project: string;
}): BasesOf {
  const { service, names, project } = options;
  return async (agent) => {
    const known = agent.project === project ? names.agent(agent.name) : undefined;
    const { knowledgeBases } = known ?? (await service.getAgent(agent.project, agent.name));
    const listed = knowledgeBases.map((entry) => splitName(entry, agent.project));
    const takesAll = listed.some((base) => base.project === project && base.name === "*");
    const all = takesAll ? names.knowledgeBases().map(({ name }) => ({ project, name })) : [];
    return [...listed.filter(({ name }) => name !== "*"), ...all];
  };
}
