/** What Discord refuses in a message or a command: each broken rule, in words. */
import { componentProblems } from "./content/components.ts";
import { type Json, listOf, v2Flag } from "./world.ts";

export { fileProblems } from "./content/attachments.ts";
export { modalProblems } from "./content/modals.ts";
export { listOf } from "./world.ts";

export function messageProblems(body: Json, before: { readonly flags: number } | undefined): readonly string[] {
  const problems: string[] = [];
  const flags = Number(body["flags"] ?? before?.flags ?? 0);
  const isV2 = (flags & v2Flag) !== 0;
  if (before !== undefined && (before.flags & v2Flag) !== 0 && body["flags"] !== undefined && !isV2) {
    problems.push("MESSAGE_COMPONENTS_V2_FLAG_CANNOT_BE_REMOVED");
  }
  const content = String(body["content"] ?? "");
  if ([...content].length > 2_000) problems.push("content is longer than 2000");
  if (isV2 && content !== "") problems.push("content beside components V2");
  if (isV2 && Array.isArray(body["embeds"]) && body["embeds"].length > 0) problems.push("embeds beside components V2");
  if (String(body["nonce"] ?? "").length > 25) problems.push("nonce is longer than 25");
  if (body["components"] === undefined && before !== undefined) return problems;
  const components = listOf(body["components"]);
  if (isV2 && components.length === 0) problems.push("components V2 without components");
  problems.push(...componentProblems(components, isV2));
  return problems;
}

export function commandProblems(commands: readonly Json[]): readonly string[] {
  return commands.flatMap((command) => {
    const isMenu = command["type"] === 3;
    const problems = isMenu ? [] : namedProblems(command);
    if (String(command["name"]).length > 32) problems.push(`${String(command["name"])} is longer than 32`);
    const chars = JSON.stringify(command).length;
    return chars > 16_000 ? [...problems, "a command has at most 8000 characters"] : problems;
  });
}

function namedProblems(one: Json): string[] {
  const name = String(one["name"] ?? "");
  const problems = /^[-_'\p{Ll}\p{N}]{1,32}$/u.test(name) ? [] : [`the name ${name}`];
  const description = String(one["description"] ?? "");
  if (description.length < 1 || description.length > 100) problems.push(`the description of ${name}`);
  const options = listOf(one["options"]);
  if (options.length > 25) problems.push(`${name} has more than 25 options`);
  const firstOptional = options.findIndex((option) => option["required"] !== true);
  if (firstOptional !== -1 && options.slice(firstOptional).some((option) => option["required"] === true)) {
    problems.push(`${name}: required options come first`);
  }
  return [...problems, ...options.flatMap(namedProblems)];
}

/** Documented as "only for globally-scoped commands". */
export function globalOnly(command: Json): readonly string[] {
  return ["contexts", "integration_types"]
    .filter((field) => command[field] !== undefined)
    .map((field) => `${String(command["name"])}: ${field} in a command of one server`);
}
