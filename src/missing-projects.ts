/** Finds projects in WORKSPACE_PROJECTS that the agent service doesn't have: the start warns of them, and so does the doctor. */
import type { Config } from "./config/config.ts";
import type { AgentService } from "./core/ports/agent-service.ts";

/** One sentence without its period; undefined if the service has them all. Throws ParleyError if it can't say. */
export async function missingProjects(
  { workspaceProjects = [], project: only }: Pick<Config, "workspaceProjects" | "project">,
  service: Pick<AgentService, "listProjects"> & { readonly hasProjects: boolean },
): Promise<string | undefined> {
  if (workspaceProjects.length === 0) return undefined;
  const known = service.hasProjects ? await service.listProjects() : [only];
  const lost = workspaceProjects.filter(({ project }) => !known.includes(project));
  if (lost.length === 0) return undefined;
  const projects = [...new Set(lost.map(({ project }) => project))].join(", ");
  const workspaces = lost.map(({ platform, id }) => `${platform}:${id}`).join(", ");
  return `the service has no project ${projects}, so no agent answers in ${workspaces}: create it there, or correct WORKSPACE_PROJECTS`;
}
