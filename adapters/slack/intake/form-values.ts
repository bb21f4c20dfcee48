/**
 * Reads the values and files of submitted forms, and finds the field of each error.
 * Values can be secrets, so nothing here logs.
 */
import { z } from "zod";
import type { FieldErrors, FormValues } from "../../../src/core/document.ts";
import { fileInput, listAction, ownSuffix } from "../drawing/forms.ts";
import { fileSchema, type SlackFile, type SlackView } from "./events.ts";

const stateSchema = z.looseObject({
  type: z.string(),
  files: z.array(fileSchema).nullish(),
  value: z.string().nullish(),
  selected_option: z.looseObject({ value: z.string() }).nullish(),
  selected_options: z.array(z.looseObject({ value: z.string() })).nullish(),
});

/** Values by field name; an empty field is "" or an empty list. */
export function formValues(view: SlackView, keep: readonly string[]): FormValues {
  const values: Record<string, string | readonly string[]> = {};
  for (const [field, actions] of Object.entries(view.state?.values ?? {})) {
    for (const [action, state] of Object.entries(actions)) {
      const parsed = stateSchema.parse(state);
      if (parsed.type === fileInput) continue;
      const value = fieldValue(action, parsed);
      if (value === "" && keep.includes(field)) continue;
      values[field] = value;
    }
  }
  return Object.fromEntries(
    Object.entries(values)
      .filter(([field]) => !field.endsWith(ownSuffix))
      .map(([field, value]) => [field, withOwn(value, values[field + ownSuffix])]),
  );
}

/** What was typed beside choices: one entry replaces the choice, several are added. */
function withOwn(chosen: string | readonly string[], own: string | readonly string[] | undefined) {
  if (own === undefined || own.length === 0) return chosen;
  if (typeof own === "string") return own.trim() === "" ? chosen : own;
  return [...new Set([...(typeof chosen === "string" ? [chosen] : chosen), ...own])];
}

/** The files of all file fields. */
export function formFiles(view: SlackView): readonly SlackFile[] {
  return Object.values(view.state?.values ?? {})
    .flatMap((actions) => Object.values(actions))
    .flatMap((state) => stateSchema.parse(state).files ?? []);
}

function fieldValue(action: string, state: z.infer<typeof stateSchema>): string | readonly string[] {
  if (state.type.startsWith("multi_") || state.type === "checkboxes")
    return (state.selected_options ?? []).map(({ value }) => value);
  if (state.type.endsWith("_select") || state.type === "radio_buttons") return state.selected_option?.value ?? "";
  const text = state.value ?? "";
  if (action !== listAction) return text;
  return text
    .split(/[,\n]/)
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

/** Slack shows errors only at input blocks of the view; an error for any other field goes to the first one. */
export function viewErrors(errors: FieldErrors, view: SlackView): Record<string, string> {
  const fields = view.blocks.flatMap(({ type, block_id }) => (type === "input" && block_id ? [block_id] : []));
  const shown: Record<string, string> = {};
  for (const [field, error] of Object.entries(errors)) {
    const at = fields.includes(field) ? field : fields[0];
    if (at !== undefined) shown[at] = [shown[at], error].filter((part) => part !== undefined).join(" ");
  }
  return shown;
}
