/** Updates channels, workspaces and threads when an agent they use is renamed or deleted. */
import type { Bindings } from "../../ports/access.ts";
import type { Place } from "../../ports/model/place.ts";
import { withLane } from "../../ports/tools/with-lane.ts";
import type { CommandPorts } from "../ports.ts";

/** The workspace's default agent; undefined without one. */
export async function workspaceAgent(
  bindings: Pick<Bindings, "resolve">,
  { platform, workspace }: Place,
): Promise<string | undefined> {
  // No channel has an empty name, so this resolves to the workspace's binding.
  const resolved = await bindings.resolve({ platform, workspace, channel: "" }).catch(() => undefined);
  return resolved?.kind === "bound" && resolved.from === "workspace" ? resolved.binding.agent : undefined;
}

/**
 * Moves bindings and threads to the new name. Without a new name they fall back to their earlier default instead of
 * failing on every question. Threads follow in the background, each once no question is running in it.
 */
export async function replaceAgent(ports: CommandPorts, from: string, to: string | undefined): Promise<void> {
  const { bindings, conversations, settings, log } = ports;
  const { project } = settings;
  await bindings.replaceAgent(project, from, to);
  conversations
    .replaceAgent(project, from, to, (lane, work) => withLane(lane, ports, work))
    .catch((failure: unknown) => log.warn({ err: failure, agent: from }, "A thread still names an agent that is gone"));
}
