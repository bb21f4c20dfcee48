/** What Discord refuses in a message, a modal or a command: each broken rule, in words. */
import { type Json, v2Flag } from "./world.ts";

const rowTypes = [2, 3, 5, 6, 7, 8];

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
  const components = listOf(body["components"]);
  if (isV2 && components.length === 0) problems.push("components V2 without components");
  problems.push(...componentProblems(components, isV2));
  return problems;
}

/**
 * A message of components shows exactly the files that its components name: those that are sent with it, and those that
 * an edit keeps.
 */
export function fileProblems(body: Json, files: readonly Json[], kept: readonly Json[] = []): readonly string[] {
  const problems: string[] = [];
  if (files.reduce((sum, { size }) => sum + Number(size), 0) > 10 * 1024 * 1024) problems.push("files over 10 MiB");
  const shown = listOf(body["components"]).flatMap(shownFiles);
  const sent = [...kept, ...files].map(({ filename }) => `attachment://${String(filename)}`);
  for (const url of shown)
    if (!sent.includes(url)) problems.push(`UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND: ${url}`);
  const isV2 = (Number(body["flags"] ?? 0) & v2Flag) !== 0;
  for (const url of isV2 ? sent : []) if (!shown.includes(url)) problems.push(`a file that no component shows: ${url}`);
  for (const { description } of listOf(body["attachments"]))
    if ([...String(description ?? "")].length > 1_024) problems.push("a description has at most 1024 characters");
  return problems;
}

function shownFiles(component: Json): readonly string[] {
  if (component["type"] === 13) return [String((component["file"] as Json)["url"])];
  if (component["type"] === 12) return listOf(component["items"]).map(({ media }) => String((media as Json)["url"]));
  return listOf(component["components"]).flatMap(shownFiles);
}

/** What an edit leaves of a message's files: those whose ids it names, or all if it doesn't say. */
export function keptFiles(body: Json, files: readonly Json[], before: readonly Json[]) {
  if (body["attachments"] === undefined) return { kept: before, problems: [] };
  const named = listOf(body["attachments"]).map(({ id }) => String(id));
  const kept = before.filter(({ id }) => named.includes(String(id)));
  const unknown = named.filter((id) => !kept.some((one) => one["id"] === id) && files[Number(id)] === undefined);
  return { kept, problems: unknown.map((id) => `ATTACHMENT_NOT_FOUND: ${id}`) };
}

function componentProblems(components: readonly Json[], isV2: boolean): readonly string[] {
  const problems: string[] = [];
  const customIds = new Set<string>();
  const ids = new Set<number>();
  let count = 0;
  let chars = 0;
  const walk = (component: Json, isTop: boolean) => {
    count += 1;
    const { type } = component;
    if (component["id"] !== undefined) {
      const id = Number(component["id"]);
      if (!Number.isInteger(id) || id < 0 || id > 2 ** 31 - 1) problems.push("id is not a positive 32-bit number");
      if (id !== 0 && ids.has(id)) problems.push("two components have one id");
      ids.add(id);
    }
    if (type === 10) {
      const length = [...String(component["content"] ?? "")].length;
      if (!isV2) problems.push("text display without the flag");
      if (length === 0) problems.push("an empty text display");
      chars += length;
    } else if (type === 17) {
      if (!isV2 || !isTop) problems.push("a container where none may be");
      const inside = listOf(component["components"]);
      if (inside.length === 0) problems.push("an empty container");
      for (const one of inside) walk(one, false);
    } else if (type === 1) {
      const inside = listOf(component["components"]);
      if (inside.length === 0 || inside.length > 5) problems.push("a row has 1 to 5 buttons");
      for (const one of inside) {
        if (!rowTypes.includes(Number(one["type"]))) problems.push("a row takes buttons and selects only");
        walk(one, false);
      }
    } else if (type === 14) {
      if (!isV2) problems.push("a separator without the flag");
    } else if (type === 12) {
      if (!isV2) problems.push("a media gallery without the flag");
      const items = listOf(component["items"]);
      if (items.length === 0 || items.length > 10) problems.push("a media gallery has 1 to 10 items");
      for (const { media, description } of items) {
        if (!/^(https?|attachment):\/\//.test(String((media as Json | undefined)?.["url"])))
          problems.push("no address");
        if ([...String(description ?? "x")].length > 1_024 || description === "")
          problems.push("a description has 1 to 1024 characters");
      }
    } else if (type === 13) {
      if (!isV2) problems.push("a file component without the flag");
      const { url } = (component["file"] ?? {}) as Json;
      if (!/^attachment:\/\/[\w.-]+$/.test(String(url)))
        problems.push("a file component takes an attachment:// address");
    } else if (type === 2) problems.push(...buttonProblems(component, customIds));
    else problems.push(`a component of type ${String(type)}`);
  };
  for (const component of components) walk(component, true);
  if (count > 40) problems.push(`${count} components`);
  if (chars > 4_000) problems.push(`COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED: ${chars}`);
  return problems;
}

function buttonProblems(button: Json, taken: Set<string>): readonly string[] {
  const problems: string[] = [];
  const customId = String(button["custom_id"] ?? "");
  if (customId === "" || customId.length > 100) problems.push("custom_id has 1 to 100 characters");
  if (taken.has(customId)) problems.push(`custom_id ${customId} twice`);
  taken.add(customId);
  if (String(button["label"] ?? "").length > 80) problems.push("label is longer than 80");
  if (button["label"] === undefined && button["emoji"] === undefined) problems.push("a button without label and emoji");
  return problems;
}

export function modalProblems(modal: Json): readonly string[] {
  const problems: string[] = [];
  const title = String(modal["title"] ?? "");
  if (title === "" || title.length > 45) problems.push("title has 1 to 45 characters");
  if (String(modal["custom_id"] ?? "").length > 100) problems.push("custom_id is longer than 100");
  const rows = listOf(modal["components"]);
  if (rows.length < 1 || rows.length > 5) problems.push("a modal has 1 to 5 components");
  const taken = new Set<string>();
  for (const row of rows) {
    if (row["type"] !== 18) problems.push("a modal takes labels");
    if (String(row["label"] ?? "").length < 1 || String(row["label"]).length > 45)
      problems.push("label has 1 to 45 characters");
    if (String(row["description"] ?? "").length > 100) problems.push("description is longer than 100");
    problems.push(...fieldProblems((row["component"] ?? {}) as Json, taken));
  }
  return problems;
}

function fieldProblems(field: Json, taken: Set<string>): readonly string[] {
  const problems: string[] = [];
  const customId = String(field["custom_id"] ?? "");
  if (customId === "" || taken.has(customId)) problems.push("a field needs a custom_id of its own");
  taken.add(customId);
  if (field["type"] === 4) {
    const max = Number(field["max_length"] ?? 4_000);
    if (max < 1 || max > 4_000) problems.push("max_length is 1 to 4000");
    if (String(field["value"] ?? "").length > max) problems.push("value is longer than max_length");
    if (String(field["placeholder"] ?? "").length > 100) problems.push("placeholder is longer than 100");
  } else if (field["type"] === 3) {
    const options = listOf(field["options"]);
    if (options.length < 1 || options.length > 25) problems.push("a select has 1 to 25 options");
    if (options.some((option) => String(option["label"]).length > 100)) problems.push("an option is longer than 100");
    if (Number(field["max_values"] ?? 1) > options.length) problems.push("max_values beyond the options");
    if (options.filter((option) => option["default"] === true).length > Number(field["max_values"] ?? 1)) {
      problems.push("more defaults than max_values");
    }
    if (field["required"] !== false && Number(field["min_values"] ?? 1) === 0)
      problems.push("required, but min_values 0");
  } else if (field["type"] === 19) {
    const min = Number(field["min_values"] ?? 1);
    const max = Number(field["max_values"] ?? 1);
    if (min < 0 || min > 10 || max < 1 || max > 10 || min > max) problems.push("a file upload takes 0 to 10 files");
    if (min === 0 && field["required"] !== false) problems.push("required, but min_values 0");
  } else if (field["type"] === 21 || field["type"] === 22) {
    const options = listOf(field["options"]);
    const isRadio = field["type"] === 21;
    if (options.length < (isRadio ? 2 : 1) || options.length > 10) problems.push("a group has at most 10 options");
    if (options.some((option) => String(option["label"]).length > 100)) problems.push("an option is longer than 100");
    if (isRadio && options.filter((option) => option["default"] === true).length > 1) problems.push("two defaults");
    if (!isRadio && field["required"] !== false && Number(field["min_values"] ?? 1) === 0)
      problems.push("required, but min_values 0");
  } else problems.push("a field of no known type");
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

export function listOf(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value : [];
}
