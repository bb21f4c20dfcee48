/** Encodes a knowledge base's name for a button's value, which holds 60 characters and has more to say. */
import { createHash } from "node:crypto";
import type { Named } from "../../ports/access.ts";
import { ParleyError } from "../../ports/errors.ts";
import { splitName } from "../../ports/tools/split-name.ts";
import type { CommandPorts } from "../ports.ts";

type Ports = Pick<CommandPorts, "names" | "settings">;

const maxPlainChars = 30;
const mark = "~";

/** As people type it: with its project if that is another one. */
export function typedName({ settings }: Pick<Ports, "settings">, { project, name }: Named): string {
  return project === settings.project ? name : `${project}.${name}`;
}

export function refOfBase(ports: Pick<Ports, "settings">, base: Named): string {
  const name = typedName(ports, base);
  if (name.length <= maxPlainChars && !name.startsWith(mark) && !name.includes(" ")) return name;
  return `${mark}${createHash("sha256").update(name).digest("hex").slice(0, 16)}`;
}

/** As people type it. A long name of another project can't be found again. Throws knowledge_base_not_found. */
export async function nameOfBaseRef(ports: Ports, ref: string): Promise<string> {
  if (!ref.startsWith(mark)) return ref;
  const { project } = ports.settings;
  const find = () => ports.names.knowledgeBases().find(({ name }) => refOfBase(ports, { project, name }) === ref)?.name;
  const known = find();
  if (known !== undefined) return known;
  await ports.names.refresh();
  const name = find();
  if (name === undefined) throw new ParleyError("knowledge_base_not_found");
  return name;
}

/** Splits "base rest" of a button's value. */
export async function baseAndRest(
  ports: Ports,
  value: string,
): Promise<{ readonly base: Named; readonly rest: string }> {
  const [ref = "", ...rest] = value.split(" ");
  const name = await nameOfBaseRef(ports, ref);
  return { base: splitName(name, ports.settings.project), rest: rest.join(" ") };
}
