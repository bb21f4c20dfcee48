/** What a person may do, in the words of both parts of the page. */
import type { Visitor } from "../../people/visitor.ts";

export const roleWords: Readonly<Record<Visitor["role"], string>> = {
  manage: "manager",
  ingest: "can add knowledge",
  ask: "can ask",
  nobody: "no rights",
};
