/**
 * The knowledge base that is meant where none was named: the channel's, else the agent's first, else the first there is.
 */
import type { Place } from "../bridge/words.ts";
import type { CommandPorts } from "./ports.ts";

export type Target = { readonly project: string; readonly name: string };

/** Undefined when there is no knowledge base at all. */
export async function targetOf(
  ports: Pick<CommandPorts, "service" | "bindings" | "names" | "settings">,
  place: Place,
): Promise<Target | undefined> {
  const { service, bindings, names, settings } = ports;
  const { project } = settings;
  const [own, resolved] = await Promise.all([bindings.own(place), bindings.resolve(place)]);
  const chosen = own?.knowledgeBase ?? (resolved.kind === "bound" ? resolved.binding.knowledgeBase : undefined);
  if (chosen !== undefined) return { project, name: chosen };
  if (resolved.kind === "bound") {
    const agent =
      names.agent(resolved.binding.agent) ?? (await agentOf(resolved.binding.project, resolved.binding.agent));
    const first = agent?.knowledgeBases.find((name) => !name.endsWith("*"));
    if (first !== undefined) {
      const at = first.indexOf(".");
      return at <= 0 ? { project, name: first } : { project: first.slice(0, at), name: first.slice(at + 1) };
    }
  }
  const bases = await service.listKnowledgeBases(project);
  const only = bases[0];
  return only === undefined ? undefined : { project, name: only.name };

  async function agentOf(agentProject: string, name: string) {
    // A bound agent that is gone is said when it is asked; here any knowledge base will do.
    return service.getAgent(agentProject, name).catch(() => undefined);
  }
}
