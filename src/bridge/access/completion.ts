/** Which role somebody needs to be told names as they type. */

import type { AccessAction } from "../../ports/access.ts";
import type { Completion } from "../../ports/document.ts";

/** Tables stand in the forms of agents alone, jobs in the command that cancels one. */
export function completionRole(completes: Completion): AccessAction {
  if (completes === "table") return "manage";
  return completes === "job" ? "ingest" : "see";
}
