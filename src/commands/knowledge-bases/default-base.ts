/** Finds the default knowledge base of a place: the channel's, else the agent's first, else the first that exists. */
import type { AccessAction, Named, ResolvedBinding } from "../../ports/access.ts";
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
  /** Whether it is to be added to. Nobody can add to Parley's own manual. */
  action: AccessAction,
): Promise<Named | undefined> {
  const { service, bindings, names, settings } = ports;
  const { project } = settings;
  const isSuitable = (base: Named) =>
    action !== "ingest" || base.project !== project || base.name !== settings.ownDocsBase;
  const own = await bindings.own(place);
  const chosen = own?.knowledgeBase ?? (resolved.kind === "bound" ? resolved.binding.knowledgeBase : undefined);
  if (chosen !== undefined && isSuitable({ project, name: chosen })) return { project, name: chosen };
  if (resolved.kind === "bound") {
    const agent =
      names.agent(resolved.binding.agent) ?? (await agentOf(resolved.binding.project, resolved.binding.agent));
    const own = agent?.knowledgeBases.filter((name) => !name.endsWith("*")).map((name) => splitName(name, project));
    const first = own?.find(isSuitable);
    if (first !== undefined) return first;
  }
  const first = (await listBases()).find(isSuitable);
  return first === undefined ? undefined : { project: first.project, name: first.name };

  async function agentOf(agentProject: string, name: string) {
    // A deleted agent is reported when it is asked; here any knowledge base will do.
    return service.getAgent(agentProject, name).catch(() => undefined);
  }
}
