/**
 * What happens to Bindings when an agent changes its name.
 */
import type { Bindings } from "../bridge/ports/bindings.ts";
import type { Place } from "../bridge/words.ts";

/** The agent that the workspace itself has; undefined when it has none. */
export async function workspaceAgent(
  bindings: Pick<Bindings, "resolve">,
  { platform, workspace }: Place,
): Promise<string | undefined> {
  // No channel has the empty name: what such a place resolves to is the workspace's.
  const resolved = await bindings.resolve({ platform, workspace, channel: "" }).catch(() => undefined);
  return resolved?.kind === "bound" && resolved.from === "workspace" ? resolved.binding.agent : undefined;
}

/** Whoever had chosen the agent by its old name keeps it by the new one. */
export async function rebind(
  bindings: Bindings,
  project: string,
  from: string,
  to: string,
  place: Place,
): Promise<void> {
  const { platform, workspace } = place;
  for (const channel of await bindings.channelsOf(project, from, place)) {
    await bindings.setChannel({ platform, workspace, channel }, { project, agent: to });
  }
  if ((await workspaceAgent(bindings, place)) === from) await bindings.setWorkspace(place, { project, agent: to });
}
