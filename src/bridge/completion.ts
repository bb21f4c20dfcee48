/** Which role somebody needs to be told names as they type. */
import type { Completion } from "../presentation/document.ts";
import type { AccessAction } from "./access.ts";

/** Tables stand in the forms of agents alone, which belong to those who manage. */
export function completionRole(completes: Completion): AccessAction {
  return completes === "table" ? "manage" : "see";
}
