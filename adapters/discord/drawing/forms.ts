/**
 * Forms as modals and back. A modal has room for five fields, so a longer form has pages; a field of which entries of
 * one's own are allowed is a choice and a line below it. Values may be secrets: nothing here logs.
 */
import {
  type APILabelComponent,
  type APIModalInteractionResponseCallbackData,
  type APIStringSelectComponent,
  type APITextInputComponent,
  ComponentType,
  TextInputStyle,
} from "discord.js";
import type { Form, FormField, FormValues } from "../../../src/ports/document.ts";
import type { ModalData } from "../intake/events.ts";
import * as limits from "../limits.ts";
import { within } from "./markup.ts";

const formPrefix = "form";
/** Of the line for entries of one's own. */
const ownSuffix = "+";
const keepHint = "Too long to be shown here: leave it empty to keep it as it is.";

/** The fields of each page. */
export function formPages(form: Form): readonly (readonly FormField[])[] {
  const pages: FormField[][] = [];
  let room = 0;
  for (const field of form.fields) {
    const size = takesBoth(field) ? 2 : 1;
    const page = pages.at(-1);
    if (page === undefined || size > room) {
      pages.push([field]);
      room = limits.maxModalFields - size;
    } else {
      page.push(field);
      room -= size;
    }
  }
  return pages;
}

/** `values`: what was filled in before; a secret is never shown again. */
export function modalOf(
  form: Form,
  draftId: string,
  page: number,
  values: FormValues,
): APIModalInteractionResponseCallbackData {
  const pages = formPages(form);
  const count = pages.length > 1 ? ` (${page + 1} of ${pages.length})` : "";
  return {
    custom_id: `${formPrefix}:${draftId}:${page}`,
    title: within(form.title, limits.maxModalTitleChars - count.length) + count,
    components: (pages[page] ?? []).flatMap((field) => fieldComponents(field, values[field.name] ?? field.initial)),
  };
}

type Value = string | readonly string[] | undefined;

function fieldComponents(field: FormField, value: Value): APILabelComponent[] {
  if (field.type === "select" && isChoosable(field.choices)) return [label(field, select(field, list(value)))];
  if (field.type !== "multiselect" || !isChoosable(field.choices)) return [label(field, input(field, value))];
  const chosen = list(value);
  const choice = label(field, select(field, chosen));
  if (!field.allowsFree) return [choice];
  const own = chosen.filter((entry) => !field.choices.some((known) => known.value === entry));
  return [
    choice,
    {
      type: ComponentType.Label,
      label: within(`${field.label}: others`, limits.maxFieldLabelChars),
      description: "What is not among the choices, separated by commas",
      component: {
        type: ComponentType.TextInput,
        custom_id: field.name + ownSuffix,
        style: TextInputStyle.Short,
        required: false,
        max_length: limits.maxInputChars,
        ...(own.length === 0 ? {} : { value: own.join(", ") }),
      },
    },
  ];
}

function label(field: FormField, component: APILabelComponent["component"]): APILabelComponent {
  const hint = isTooLongToEdit(field) ? keepHint : field.hint;
  return {
    type: ComponentType.Label,
    label: within(field.label === "" ? field.name : field.label, limits.maxFieldLabelChars),
    ...(hint === undefined || hint === "" ? {} : { description: within(hint, limits.maxFieldDescriptionChars) }),
    component,
  };
}

function select(
  field: Extract<FormField, { type: "select" | "multiselect" }>,
  chosen: readonly string[],
): APIStringSelectComponent {
  const options = field.choices.map(({ value, label: shown }) => ({
    value,
    label: within(shown === "" ? value : shown, limits.maxOptionChars),
    default: chosen.includes(value),
  }));
  return {
    type: ComponentType.StringSelect,
    custom_id: field.name,
    options,
    required: field.isRequired,
    min_values: field.isRequired ? 1 : 0,
    max_values: field.type === "multiselect" ? options.length : 1,
  };
}

function input(field: FormField, value: Value): APITextInputComponent {
  const shown = field.type === "secret" || isTooLongToEdit(field) ? "" : list(value).join(", ");
  const maxChars =
    "maxChars" in field ? Math.min(field.maxChars ?? limits.maxInputChars, limits.maxInputChars) : limits.maxInputChars;
  return {
    type: ComponentType.TextInput,
    custom_id: field.name,
    style: field.type === "multiline" ? TextInputStyle.Paragraph : TextInputStyle.Short,
    required: field.isRequired && !isTooLongToEdit(field),
    max_length: maxChars,
    ...(shown === "" ? {} : { value: shown.slice(0, maxChars) }),
    ...(field.type === "multiselect" ? { placeholder: "Separated by commas" } : {}),
  };
}

/** What a page was filled in with; what is left out was not changed. */
export function pageValues(form: Form, page: number, data: ModalData, earlier: FormValues): FormValues {
  const given = new Map<string, Value>();
  for (const component of data.components.flatMap((row) => [
    ...(row.component === undefined ? [] : [row.component]),
    ...(row.components ?? []),
  ])) {
    given.set(component.custom_id, component.values ?? component.value ?? "");
  }
  const values: Record<string, string | readonly string[]> = {};
  for (const field of formPages(form)[page] ?? []) {
    const value = given.get(field.name);
    const own = given.get(field.name + ownSuffix);
    if (value === undefined && own === undefined) continue;
    const isLeft = list(value).length === 0 && own === undefined;
    if (isLeft && isTooLongToEdit(field)) continue;
    // A secret is not shown again: left empty, it is what was typed before.
    if (isLeft && field.type === "secret" && earlier[field.name] !== undefined) continue;
    if (field.type === "multiselect") values[field.name] = [...new Set([...split(value), ...split(own)])];
    else values[field.name] = list(value)[0] ?? "";
  }
  return values;
}

/** Without what must never be stored. */
export function withoutSecrets(form: Form, values: FormValues): FormValues {
  const secret = new Set(form.fields.filter(({ type }) => type === "secret").map(({ name }) => name));
  return Object.fromEntries(Object.entries(values).filter(([name]) => !secret.has(name)));
}

/** The page that a field stands on; the first when there is none. */
export function pageOf(form: Form, fieldName: string): number {
  return Math.max(
    0,
    formPages(form).findIndex((page) => page.some(({ name }) => name === fieldName)),
  );
}

function takesBoth(field: FormField): boolean {
  return field.type === "multiselect" && field.allowsFree && isChoosable(field.choices);
}

function isChoosable(choices: readonly { readonly value: string }[]): boolean {
  const values = choices.map(({ value }) => value);
  const isWhole = values.every((value) => value !== "" && value.length <= limits.maxOptionChars);
  return isWhole && values.length > 0 && values.length <= limits.maxOptions && new Set(values).size === values.length;
}

function isTooLongToEdit(field: FormField): boolean {
  return field.type === "multiline" && typeof field.initial === "string" && field.initial.length > limits.maxInputChars;
}

function list(value: Value): readonly string[] {
  if (value === undefined || value === "") return [];
  return typeof value === "string" ? [value] : value;
}

function split(value: Value): readonly string[] {
  return list(value)
    .flatMap((entry) => (typeof value === "string" ? entry.split(/[,\n]/) : [entry]))
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
}
