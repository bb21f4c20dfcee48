/** What the pages show of the agent service: everything in the projects that a viewer sees. */
import { noProject } from "../core/access.ts";
import type { Place } from "../core/model/place.ts";
import type { Agent, KnowledgeBase } from "../core/ports/agent-service.ts";
import type { OverviewApp } from "./app.ts";

/** Rejects if the service doesn't list them, and its older lists are too old. */
export async function agentsIn(
  projects: readonly string[],
  { reach }: Pick<OverviewApp, "reach">,
): Promise<readonly Agent[]> {
  return (await Promise.all(projects.map((project) => reach.lists(project).agents()))).flat();
}

export async function basesIn(
  projects: readonly string[],
  { reach }: Pick<OverviewApp, "reach">,
): Promise<readonly KnowledgeBase[]> {
  return (await Promise.all(projects.map((project) => reach.lists(project).knowledgeBases()))).flat();
}

/** A workspace that has the project, as a whole. Undefined: every workspace has it, also that of the page. */
export function placeOfProject({ settings }: Pick<OverviewApp, "settings">, project: string): Place | undefined {
  const found = settings.workspaceProjects?.find((entry) => entry.project === project);
  return found && { platform: found.platform, workspace: found.id, channel: "" };
}

/** Names are written without this project. Where workspaces have different ones, every name has its project. */
export function unwritten({ settings }: Pick<OverviewApp, "settings">): string {
  const [project = noProject] = settings.projects;
  return settings.workspaceProjects !== undefined ? noProject : project;
}
