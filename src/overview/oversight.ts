/**
 * What a viewer of the pages sees: people who manage Parley everything, people who manage some of its workspaces those,
 * and others, where workspaces have projects of their own, Parley's page alone.
 */
import { ParleyError } from "../core/errors.ts";
import { type Actor, type Workspace, workspaceKey } from "../core/model/place.ts";
import { adminSentences } from "../presentation/sentences.ts";
import type { OverviewApp } from "./app.ts";
import { adminPlaceOf } from "./page.ts";

type Given = Pick<OverviewApp, "reach" | "settings">;

/** Undefined: every workspace. */
export function overseen(viewer: Actor): readonly Workspace[] | undefined {
  if (viewer.signedInAs === "manage") return undefined;
  return (viewer.managesIn ?? []).map((key) => {
    const [platform = "", workspace = ""] = key.split("/").map(decodeURIComponent);
    return { platform, workspace };
  });
}

/** Whether something of that workspace may be listed to a viewer at all; more may be asked for each thing. */
export function mayList({ reach, settings }: Given, viewer: Actor, place: Workspace): boolean {
  if (reach.oversees(viewer, place)) return true;
  const isOpenToAll = settings.workspaceProjects === undefined && viewer.signedInAs === "ingest";
  return isOpenToAll || workspaceKey(place) === workspaceKey(adminPlaceOf(viewer));
}

/** The projects of the agent service that a viewer sees. */
export function projectsFor({ settings }: Given, viewer: Actor): readonly string[] {
  const workspaces = overseen(viewer);
  if (workspaces === undefined || settings.workspaceProjects === undefined) return settings.projects;
  const own = [...workspaces, adminPlaceOf(viewer)].map((place) => settings.projectOf(place));
  return settings.projects.filter((project) => own.includes(project));
}

/**
 * The workspace that a list is about: the one that was asked for, or else the first that the viewer manages. Undefined:
 * all. Throws not_allowed for any other.
 */
export function workspaceFor(
  viewer: Actor,
  wanted: { readonly platform?: string | undefined; readonly workspace?: string | undefined },
): Workspace | undefined {
  const workspaces = overseen(viewer);
  if (workspaces === undefined) return undefined;
  const isWanted = ({ platform, workspace }: Workspace) =>
    platform === (wanted.platform ?? platform) && workspace === (wanted.workspace ?? workspace);
  const found = workspaces.find(isWanted);
  if (found === undefined) throw new ParleyError("not_allowed", adminSentences.noRight);
  return found;
}
