/** Finds the default knowledge base of a place: the channel's, else the agent's first, else the first that exists. */
import type { Named, ResolvedBinding } from "../../ports/access.ts";
import type { Place } from "../../ports/model/place.ts";
import { splitName } from "../../ports/tools/split-name.ts";
import type { CommandPorts } from "../ports.ts";

/**
 * `resolved`: who answers there; `listBases`: the knowledge bases within the person's reach. Undefined when there are
 * none.
 */
export async function defaultBase(
  ports: Pick<CommandPorts, "service" | "bindings" | "names" | "settings">,
  place: Place,
  resolved: ResolvedBinding,
  listBases: () => Promise<readonly Named[]>,
): Promise<Named | undefined> {
  const { service, bindings, names, settings } = ports;
  const { project } = settings;
  const own = await bindings.own(place);
  const chosen = own?.knowledgeBase ?? (resolved.kind === "bound" ? resolved.binding.knowledgeBase : undefined);
  if (chosen !== undefined) return { project, name: chosen };
  if (resolved.kind === "bound") {
    const agent =
      names.agent(resolved.binding.agent) ?? (await agentOf(resolved.binding.project, resolved.binding.agent));
    const first = agent?.knowledgeBases.find((name) => !name.endsWith("*"));
    if (first !== undefined) return splitName(first, project);
  }
  const [first] = await listBases();
  return first === undefined ? undefined : { project: first.project, name: first.name };

  async function agentOf(agentProject: string, name: string) {
    // A deleted agent is reported when it is asked; here any knowledge base will do.
    return service.getAgent(agentProject, name).catch(() => undefined);
  }
}
