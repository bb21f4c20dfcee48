/** Encodes a knowledge base's name for a button's value, which holds 60 characters and has more to say. */

import { createHash } from "node:crypto";
import type { Named } from "../../core/access.ts";
import { ParleyError } from "../../core/errors.ts";
import { nameIn, splitName } from "../../core/tools/split-name.ts";
import type { CommandApp } from "../app.ts";

const maxPlainChars = 30;
const mark = "~";

/** Where its project needn't be written. */
type InProject = { readonly settings: { readonly project: string } };

/** As people type it: with its project if that is another one. */
export function typedBase({ settings }: InProject, { project, name }: Named): string {
  return nameIn({ project, name }, settings.project);
}

export function refOfBase(app: InProject, base: Named): string {
  const name = typedBase(app, base);
  if (name.length <= maxPlainChars && !name.startsWith(mark) && !name.includes(" ")) return name;
  return `${mark}${createHash("sha256").update(name).digest("hex").slice(0, 16)}`;
}

/** As people type it. A long name of another project can't be found again. Throws knowledge_base_not_found. */
export async function nameOfBaseRef(app: CommandApp, ref: string): Promise<string> {
  if (!ref.startsWith(mark)) return ref;
  const { project } = app.settings;
  const find = () => app.names.knowledgeBases().find(({ name }) => refOfBase(app, { project, name }) === ref)?.name;
  const known = find();
  if (known !== undefined) return known;
  await app.names.refresh();
  const name = find();
  if (name === undefined) throw new ParleyError("knowledge_base_not_found");
  return name;
}

/** Splits "base rest" of a button's value. */
export async function baseAndRest(
  app: CommandApp,
  value: string,
): Promise<{ readonly base: Named; readonly rest: string }> {
  const [ref = "", ...rest] = value.split(" ");
  const name = await nameOfBaseRef(app, ref);
  return { base: splitName(name, app.settings.project), rest: rest.join(" ") };
}
