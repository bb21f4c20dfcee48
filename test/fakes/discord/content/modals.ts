/** What Discord refuses in a modal: its labels and the fields in them. */
import { type Json, listOf } from "../world.ts";

const maxOption = 100;

export function modalProblems(modal: Json): readonly string[] {
  const problems: string[] = [];
  const title = String(modal["title"] ?? "");
  const customId = String(modal["custom_id"] ?? "");
  if (title === "" || title.length > 45) problems.push("title has 1 to 45 characters");
  if (customId === "" || customId.length > 100) problems.push("custom_id has 1 to 100 characters");
  const rows = listOf(modal["components"]);
  if (rows.length < 1 || rows.length > 5) problems.push("a modal has 1 to 5 components");
  const taken = new Set<string>();
  for (const row of rows) {
    if (row["type"] !== 18) problems.push("a modal takes labels");
    const label = String(row["label"] ?? "");
    if (label.length < 1 || label.length > 45) problems.push("label has 1 to 45 characters");
    if (String(row["description"] ?? "").length > 100) problems.push("description is longer than 100");
    problems.push(...fieldProblems((row["component"] ?? {}) as Json, taken));
  }
  return problems;
}

function fieldProblems(field: Json, taken: Set<string>): readonly string[] {
  const customId = String(field["custom_id"] ?? "");
  const isOwn = customId !== "" && customId.length <= 100 && !taken.has(customId);
  taken.add(customId);
  const problems = isOwn ? [] : ["a field needs a custom_id of its own"];
  if (field["label"] !== undefined) problems.push("TEXT_INPUT_LABEL_IN_LABEL");
  switch (field["type"]) {
    case 3:
      return [...problems, ...optionProblems(field, 1, 25), ...countProblems(field, 25)];
    case 4:
      return [...problems, ...textProblems(field)];
    case 19:
      return [...problems, ...countProblems(field, 10), ...fileTypeProblems(field)];
    case 21:
      return [...problems, ...optionProblems(field, 2, 10)];
    case 22:
      return [...problems, ...optionProblems(field, 1, 10), ...countProblems(field, 10)];
    case 23:
      return field["required"] === undefined ? problems : [...problems, "a checkbox is never required"];
    default:
      return [...problems, "a field of no known type"];
  }
}

function textProblems(field: Json): readonly string[] {
  const problems: string[] = [];
  const min = Number(field["min_length"] ?? 0);
  const max = Number(field["max_length"] ?? 4_000);
  if (![1, 2].includes(Number(field["style"]))) problems.push("style is 1 or 2");
  if (max < 1 || max > 4_000) problems.push("max_length is 1 to 4000");
  if (min < 0 || min > max) problems.push("TEXT_INPUT_MIN_MAX");
  if (String(field["value"] ?? "").length > max) problems.push("value is longer than max_length");
  if (String(field["placeholder"] ?? "").length > 100) problems.push("placeholder is longer than 100");
  return problems;
}

function optionProblems(field: Json, min: number, max: number): readonly string[] {
  const options = listOf(field["options"]);
  const problems: string[] = [];
  if (options.length < min || options.length > max) problems.push(`${min} to ${max} options`);
  const values = options.map(({ value }) => String(value));
  if (new Set(values).size < values.length) problems.push("SELECT_COMPONENT_OPTION_VALUE_DUPLICATED");
  for (const { label, value, description = "" } of options) {
    const lengths = [label, value].map((words) => String(words ?? "").length);
    if (lengths.some((length) => length < 1 || length > maxOption) || String(description).length > maxOption) {
      problems.push("the words of an option have 1 to 100 characters");
    }
  }
  const most = field["type"] === 22 ? Number(field["max_values"] ?? options.length) : Number(field["max_values"] ?? 1);
  if (options.filter((option) => option["default"] === true).length > most)
    problems.push("more defaults than max_values");
  if (field["type"] !== 21 && most > options.length) problems.push("max_values beyond the options");
  return problems;
}

/** How many may be chosen: none only where nothing is required. */
function countProblems(field: Json, most: number): readonly string[] {
  const min = Number(field["min_values"] ?? 1);
  const max = Number(field["max_values"] ?? (field["type"] === 22 ? listOf(field["options"]).length : 1));
  const isGood = min >= 0 && min <= most && max >= 1 && max <= most && min <= max;
  const problems = isGood ? [] : [`min_values and max_values are 0 to ${most}`];
  return min === 0 && field["required"] !== false ? [...problems, "required, but min_values 0"] : problems;
}

function fileTypeProblems(field: Json): readonly string[] {
  const types = (field["file_types"] ?? []) as readonly unknown[];
  const areKnown = types.every((type) => /^(image|video|audio|\.\w+)$/.test(String(type)));
  return types.length > 10 || !areKnown ? ["file_types"] : [];
}
