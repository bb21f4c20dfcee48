/** Splits names of the agent service as people write them: "docs", "shop.docs", "shop.*". */
import type { Named } from "../access.ts";

/** `project`: used if the name has none. */
export function splitName(entry: string, project: string): Named {
  const at = entry.indexOf(".");
  return at <= 0 ? { project, name: entry } : { project: entry.slice(0, at), name: entry.slice(at + 1) };
}

/** The reverse: without the project if it is that one. */
export function nameIn({ project, name }: Named, own: string): string {
  return project === own ? name : `${project}.${name}`;
}
