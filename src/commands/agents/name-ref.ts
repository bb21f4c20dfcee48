/**
 * Encodes an agent's name for a button's value. Values have little room, so long names become a digest that is looked
 * up again.
 */
import { createHash } from "node:crypto";
import { ParleyError } from "../../ports/errors.ts";
import type { CommandPorts } from "../ports.ts";

/** A button's value holds 60 characters, and up to 20 come before the name. */
const maxPlainChars = 40;
const mark = "~";

export function refOfName(name: string): string {
  if (name.length <= maxPlainChars && !name.startsWith(mark)) return name;
  return `${mark}${createHash("sha256").update(name).digest("hex").slice(0, 16)}`;
}

/** From the cache; undefined when it isn't there. */
export function knownNameOfRef(ports: Pick<CommandPorts, "names">, ref: string): string | undefined {
  if (!ref.startsWith(mark)) return ref;
  return ports.names.agents().find(({ name }) => refOfName(name) === ref)?.name;
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
