/** Finds the agents that look in a knowledge base. */
import type { Named } from "../../core/access.ts";
import type { CommandContext } from "../../core/commands.ts";
import type { Agent } from "../../core/ports/agent-service.ts";
import { splitName } from "../../core/tools/split-name.ts";
import type { CommandApp } from "../app.ts";

/** Who could answer questions about a knowledge base in a place, in public. */
export type Readers = {
  /** The agents that people can ask there and that look in it: the channel's own first. */
  readonly agents: readonly Agent[];
  /** The agent that answers there when none is named. */
  readonly here?: Named;
  /** All agents that people can ask there. */
  readonly open: readonly Named[];
};

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

/** `who`: whose reach counts, beside what everyone there may see. */
export async function readersHere(
  { reach, service, names }: Pick<CommandApp, "reach" | "service" | "names">,
  base: Named,
  { actor, place }: Pick<CommandContext, "actor" | "place">,
): Promise<Readers> {
  const [reached, all, resolved] = await Promise.all([
    reach.agents(actor, place),
    names.current.agents(),
    reach.resolve(actor, place),
  ]);
  const inPublic = new Set(
    await reach.openAmong(
      actor,
      place,
      all.map(({ name }) => name),
    ),
  );
  // For a workspace as a whole, as on the admin pages, an agent of any of its channels counts.
  const open = place.channel === "" ? all : reached.filter(({ name }) => inPublic.has(name));
  const here =
    resolved.kind === "bound" ? { project: resolved.binding.project, name: resolved.binding.agent } : undefined;
  const isHere = (agent: Named) => agent.project === here?.project && agent.name === here.name;
  const listed = reached.find(isHere);
  // An agent of another project isn't listed; a deleted one doesn't answer.
  const own =
    listed ?? (here === undefined ? undefined : await service.getAgent(here.project, here.name).catch(() => undefined));
  const others = open.filter((agent) => !isHere(agent));
  return {
    agents: readersOf(own === undefined ? others : [own, ...others], base),
    open,
    ...(own === undefined ? {} : { here: { project: own.project, name: own.name } }),
  };
}
