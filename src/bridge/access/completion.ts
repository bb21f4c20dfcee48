/** The role a person needs before names are completed for them. */

import type { AccessAction } from "../../ports/access.ts";
import type { Completion } from "../../ports/document.ts";

/** Tables appear only in the forms of agents, jobs only in the command that cancels one. */
export function completionRole(completes: Completion): AccessAction {
  if (completes === "table") return "manage";
  return completes === "job" ? "ingest" : "see";
}
