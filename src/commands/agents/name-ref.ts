/**
 * Encodes the names of agents and knowledge bases for a button's value. Values have little room, so long names become a
 * digest that is looked up again.
 */
import { createHash } from "node:crypto";
import type { Named } from "../../ports/access.ts";
import { ParleyError } from "../../ports/errors.ts";
import { splitName } from "../../ports/tools/split-name.ts";
import type { CommandPorts } from "../ports.ts";

/** A button's value holds 60 characters, and up to 20 come before the name. */
const maxPlainChars = 40;
/** Of each of two names in one value. */
const maxSharedChars = 28;
const mark = "~";

export function refOfName(name: string): string {
  if (name.length <= maxPlainChars && !name.startsWith(mark)) return name;
  return digestOf(name);
}

/** From the cache; undefined when it isn't there. */
export function knownNameOfRef(ports: Pick<CommandPorts, "names">, ref: string): string | undefined {
  if (!ref.startsWith(mark)) return ref;
  return ports.names.agents().find(({ name }) => digestOf(name) === ref)?.name;
}

/** Throws agent_not_found. */
export async function nameOfRef(ports: Pick<CommandPorts, "names">, ref: string): Promise<string> {
  const known = knownNameOfRef(ports, ref);
  if (known !== undefined) return known;
  await ports.names.refresh();
  const name = knownNameOfRef(ports, ref);
  if (name === undefined) throw new ParleyError("agent_not_found");
  return name;
}

/** One word, at most 28 characters, for a value that holds two. `project`: AGENT_PROJECT, which the ref omits. */
export function refOfNamed(named: Named, project: string): string {
  const isPlain = named.project === project && !named.name.includes(".");
  const full = isPlain ? named.name : `${named.project}.${named.name}`;
  return full.length <= maxSharedChars && /^[^\s~]\S*$/.test(full) ? full : digestOf(named.name);
}

/** Throws agent_not_found or knowledge_base_not_found. A digest is looked up in AGENT_PROJECT only. */
export async function namedOfRef(
  ports: Pick<CommandPorts, "names" | "settings">,
  kind: "agent" | "knowledge-base",
  ref: string,
): Promise<Named> {
  const { names, settings } = ports;
  const { project } = settings;
  if (!ref.startsWith(mark)) return splitName(ref, project);
  const find = () => {
    const all = kind === "agent" ? names.agents() : names.knowledgeBases();
    return all.find(({ name }) => digestOf(name) === ref)?.name;
  };
  let name = find();
  if (name === undefined) {
    await names.refresh();
    name = find();
  }
  if (name === undefined) throw new ParleyError(kind === "agent" ? "agent_not_found" : "knowledge_base_not_found");
  return { project, name };
}

function digestOf(name: string): string {
  return `${mark}${createHash("sha256").update(name).digest("hex").slice(0, 16)}`;
}
