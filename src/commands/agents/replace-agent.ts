/** Updates channels, workspaces and threads when an agent they use is renamed or deleted. */
import type { Bindings, Named } from "../../ports/access.ts";
import type { Place } from "../../ports/model/place.ts";
import { withLane } from "../../ports/tools/with-lane.ts";
import type { CommandPorts } from "../ports.ts";

/** The workspace's default agent; undefined without one. */
export async function workspaceAgent(
  bindings: Pick<Bindings, "resolve">,
  { platform, workspace }: Place,
): Promise<Named | undefined> {
  // No channel has an empty name, so this resolves to the workspace's binding.
  const resolved = await bindings.resolve({ platform, workspace, channel: "" }).catch(() => undefined);
  if (resolved?.kind !== "bound" || resolved.from !== "workspace") return undefined;
  return { project: resolved.binding.project, name: resolved.binding.agent };
}

/**
 * Moves bindings and threads to the new name. Without a new name they fall back to their earlier default instead of
 * failing on every question. Threads follow in the background, each once no question is running in it.
 */
export async function replaceAgent(ports: CommandPorts, from: Named, to: string | undefined): Promise<void> {
  const { bindings, conversations, log } = ports;
  const { project, name } = from;
  await bindings.replaceAgent(project, name, to);
  conversations
    .replaceAgent(project, name, to, (lane, work) => withLane(lane, ports, work))
    .catch((failure: unknown) => log.warn({ err: failure, agent: name }, "A thread still names an agent that is gone"));
}
