/**
 * Draws forms as Discord modals, and reads the values back from submitted ones.
 * A modal has room for five fields, so a longer form has several pages. A field that also accepts free entries becomes
 * its choices with a text input below them. Values can be secrets, so nothing here logs.
 */
import { ComponentType, TextInputStyle } from "@discordjs/core";
import type {
  APICheckboxGroupComponent,
  APIFileUploadComponent,
  APILabelComponent,
  APIModalInteractionResponseCallbackData,
  APIRadioGroupComponent,
  APIStringSelectComponent,
  APITextInputComponent,
} from "discord.js";
import type { Form, FormField, FormValues } from "../../../src/core/document.ts";
import { dialogSentences } from "../../../src/presentation/sentences.ts";
import type { DiscordAttachment, ModalData } from "../intake/events.ts";
import * as limits from "../limits.ts";
import { truncate } from "./markup.ts";

const formPrefix = "form";
/** Added to a field's name for its text input with free entries. */
const ownSuffix = "+";

/** The fields by page. */
export function formPages(form: Form): readonly (readonly FormField[])[] {
  const pages: FormField[][] = [];
  let room = 0;
  const fitsOne = form.fields.reduce((sum, field) => sum + (takesBoth(field) ? 2 : 1), 0) <= limits.maxModalFields;
  for (const field of form.fields) {
    const size = takesBoth(field) ? 2 : 1;
    const page = pages.at(-1);
    const beginsAdvanced = field.isAdvanced === true && page?.at(-1)?.isAdvanced !== true && !fitsOne;
    if (page === undefined || size > room || beginsAdvanced) {
      pages.push([field]);
      room = limits.maxModalFields - size;
    } else {
      page.push(field);
      room -= size;
    }
  }
  return pages;
}

/** `values`: entered earlier; a secret is never shown again. */
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
    title: truncate(form.title, limits.maxModalTitleChars - count.length) + count,
    components: (pages[page] ?? []).flatMap((field) => fieldComponents(field, values[field.name] ?? field.initial)),
  };
}

type Value = string | readonly string[] | undefined;

function fieldComponents(field: FormField, value: Value): APILabelComponent[] {
  if (field.type === "file") return [label(field, upload(field))];
  if ((field.type !== "select" && field.type !== "multiselect") || !isChoosable(field.choices)) {
    return [label(field, input(field, value))];
  }
  const chosen = list(value);
  const choice = label(field, field.showsAll === true ? group(field, chosen) : select(field, chosen));
  if (!takesBoth(field)) return [choice];
  const isOne = field.type === "select";
  const own = chosen.filter((entry) => !field.choices.some((known) => known.value === entry));
  return [
    choice,
    {
      type: ComponentType.Label,
      label: truncate(
        isOne ? dialogSentences.other(field.label) : dialogSentences.others(field.label),
        limits.maxFieldLabelChars,
      ),
      description: isOne ? dialogSentences.otherHint : dialogSentences.othersHint,
      component: {
        type: ComponentType.TextInput,
        custom_id: field.name + ownSuffix,
        style: TextInputStyle.Short,
        required: false,
        max_length: limits.maxInputChars,
        value: own.length === 0 ? undefined : own.join(", "),
      },
    },
  ];
}

function label(field: FormField, component: APILabelComponent["component"]): APILabelComponent {
  const hint = isTooLongToEdit(field) ? dialogSentences.tooLongToShow : field.hint;
  return {
    type: ComponentType.Label,
    label: truncate(field.label === "" ? field.name : field.label, limits.maxFieldLabelChars),
    ...(hint === undefined || hint === "" ? {} : { description: truncate(hint, limits.maxFieldDescriptionChars) }),
    component,
  };
}

function upload(field: Extract<FormField, { type: "file" }>): APIFileUploadComponent {
  return {
    type: ComponentType.FileUpload,
    custom_id: field.name,
    required: field.isRequired,
    min_values: field.isRequired ? 1 : 0,
    max_values: Math.min(field.maxFiles, limits.maxFormFiles),
  };
}

function select(
  field: Extract<FormField, { type: "select" | "multiselect" }>,
  chosen: readonly string[],
): APIStringSelectComponent {
  const options = optionsOf(field, chosen);
  return {
    type: ComponentType.StringSelect,
    custom_id: field.name,
    options,
    required: field.isRequired,
    min_values: field.isRequired ? 1 : 0,
    max_values: field.type === "multiselect" ? options.length : 1,
  };
}

function optionsOf({ choices }: Extract<FormField, { type: "select" | "multiselect" }>, chosen: readonly string[]) {
  return choices.map(({ value, label: shown }) => ({
    value,
    label: truncate(shown === "" ? value : shown, limits.maxOptionChars),
    default: chosen.includes(value),
  }));
}

function group(
  field: Extract<FormField, { type: "select" | "multiselect" }>,
  chosen: readonly string[],
): APIRadioGroupComponent | APICheckboxGroupComponent {
  const options = optionsOf(field, chosen);
  const common = { custom_id: field.name, options, required: field.isRequired };
  if (field.type === "select") return { type: ComponentType.RadioGroup, ...common };
  return { type: ComponentType.CheckboxGroup, ...common, min_values: field.isRequired ? 1 : 0 };
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
    value: shown === "" ? undefined : shown.slice(0, maxChars),
    ...(field.type === "multiselect" ? { placeholder: "Separated by commas" } : {}),
  };
}

/** The values of a submitted page. Fields that are missing in the result were not changed. */
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
    if (field.type === "file") continue;
    const value = given.get(field.name);
    const own = given.get(field.name + ownSuffix);
    if (value === undefined && own === undefined) continue;
    const isLeft = list(value).length === 0 && own === undefined;
    if (isLeft && isTooLongToEdit(field)) continue;
    // A secret is not shown again; if left empty, the earlier value is kept.
    if (isLeft && field.type === "secret" && earlier[field.name] !== undefined) continue;
    if (field.type === "multiselect") values[field.name] = [...new Set([...split(value), ...split(own)])];
    else values[field.name] = list(own).find((typed) => typed.trim() !== "") ?? list(value)[0] ?? "";
  }
  return values;
}

/** The files of a submitted page. */
export function pageFiles(form: Form, page: number, data: ModalData): readonly DiscordAttachment[] {
  const names = new Set((formPages(form)[page] ?? []).filter(({ type }) => type === "file").map(({ name }) => name));
  return data.components
    .flatMap(({ component }) => (component !== undefined && names.has(component.custom_id) ? component.values : []))
    .flatMap((id) => (id === undefined ? [] : (data.resolved?.attachments?.[id] ?? [])));
}

/** The values that can be stored. */
export function withoutSecrets(form: Form, values: FormValues): FormValues {
  const secret = new Set(form.fields.filter(({ type }) => type === "secret").map(({ name }) => name));
  return Object.fromEntries(Object.entries(values).filter(([name]) => !secret.has(name)));
}

/** The page of a field; the first page if no page has it. */
export function pageOf(form: Form, fieldName: string): number {
  return Math.max(
    0,
    formPages(form).findIndex((page) => page.some(({ name }) => name === fieldName)),
  );
}

function takesBoth(field: FormField): boolean {
  if (field.type !== "select" && field.type !== "multiselect") return false;
  return field.allowsFree === true && isChoosable(field.choices);
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
