/**
 * Encodes the names of agents and knowledge bases for a button's value. Values have little room, so long names become a
 * digest that is looked up again.
 */

import { createHash } from "node:crypto";
import type { Named } from "../../core/access.ts";
import { ParleyError } from "../../core/errors.ts";
import { splitName } from "../../core/tools/split-name.ts";
import type { CommandApp } from "../app.ts";
import { writtenName } from "./find-by-name.ts";

/** A button's value holds 60 characters, and up to 20 come before the name. */
const maxPlainChars = 40;
/** Of each of two names in one value. */
const maxSharedChars = 28;
const mark = "~";

/** `name`: as written, so "shop.helper" for an agent of another project. */
export function refOfName(name: string, maxChars = maxPlainChars): string {
  if (name.length <= maxChars && !name.startsWith(mark)) return name;
  return digestOf(name);
}

/** From memory; undefined when it isn't there. */
export function knownNameOfRef({ names, settings }: CommandApp, ref: string): string | undefined {
  if (!ref.startsWith(mark)) return ref;
  const written = [...names.agents(), ...names.elsewhere.known()].map((agent) => writtenName(agent, settings.project));
  return written.find((name) => digestOf(name) === ref);
}

/** Throws agent_not_found. */
export async function nameOfRef(app: CommandApp, ref: string): Promise<string> {
  const known = knownNameOfRef(app, ref);
  if (known !== undefined) return known;
  await app.names.refresh();
  await app.names.elsewhere.load();
  const name = knownNameOfRef(app, ref);
  if (name === undefined) throw new ParleyError("agent_not_found");
  return name;
}

/** One word, at most 28 characters, for a value that holds two. `project`: AGENT_PROJECT, which the ref omits. */
export function refOfNamed(named: Named, project: string): string {
  const isPlain = named.project === project && !named.name.includes(".");
  const full = isPlain ? named.name : `${named.project}.${named.name}`;
  const isFitting = full.length <= maxSharedChars && /^[^\s~]\S*$/.test(full);
  return isFitting ? full : digestOf(named.project === project ? named.name : full);
}

/** Throws agent_not_found or knowledge_base_not_found. A base's digest is looked up in AGENT_PROJECT only. */
export async function namedOfRef(app: CommandApp, kind: "agent" | "knowledge-base", ref: string): Promise<Named> {
  const { names, settings } = app;
  const { project } = settings;
  if (!ref.startsWith(mark)) return splitName(ref, project);
  const find = (): Named | undefined => {
    const own = kind === "agent" ? names.agents() : names.knowledgeBases();
    const others = kind === "agent" ? names.elsewhere.known() : [];
    return (
      own.find(({ name }) => digestOf(name) === ref) ??
      others.find((agent) => digestOf(`${agent.project}.${agent.name}`) === ref)
    );
  };
  let found = find();
  if (found === undefined) {
    await names.refresh();
    if (kind === "agent") await names.elsewhere.load();
    found = find();
  }
  if (found === undefined) throw new ParleyError(kind === "agent" ? "agent_not_found" : "knowledge_base_not_found");
  return { project: found.project, name: found.name };
}

function digestOf(name: string): string {
  return `${mark}${createHash("sha256").update(name).digest("hex").slice(0, 16)}`;
}
