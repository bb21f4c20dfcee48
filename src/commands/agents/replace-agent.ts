/**
 * Who has chosen an agent: what happens to them when it changes its name or is gone.
 */

import type { Bindings } from "../../ports/access.ts";
import type { Place } from "../../ports/model/place.ts";
import { inLane } from "../../ports/tools/in-lane.ts";
import type { CommandPorts } from "../ports.ts";

/** The agent that the workspace itself has; undefined when it has none. */
export async function workspaceAgent(
  bindings: Pick<Bindings, "resolve">,
  { platform, workspace }: Place,
): Promise<string | undefined> {
  // No channel has the empty name: what such a place resolves to is the workspace's.
  const resolved = await bindings.resolve({ platform, workspace, channel: "" }).catch(() => undefined);
  return resolved?.kind === "bound" && resolved.from === "workspace" ? resolved.binding.agent : undefined;
}

/**
 * Channels, workspaces and threads that had chosen the agent keep it by its new name, or, without one, go back to what
 * they had before instead of to an error at each question. Threads follow in the background, each when nothing is
 * being answered there.
 */
export async function replaceAgent(ports: CommandPorts, from: string, to: string | undefined): Promise<void> {
  const { bindings, conversations, settings, log } = ports;
  const { project } = settings;
  await bindings.replaceAgent(project, from, to);
  conversations
    .replaceAgent(project, from, to, (lane, work) => inLane(lane, ports, work))
    .catch((failure: unknown) => log.warn({ err: failure, agent: from }, "A thread still names an agent that is gone"));
}
