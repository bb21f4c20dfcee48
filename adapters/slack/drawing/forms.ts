/**
 * Draws forms as Slack modals.
 * Each block has its field's name as id, so that an error finds its field; the form's context travels in the view's
 * private metadata.
 */

import type { types } from "@slack/bolt";
import { z } from "zod";
import type { Choice, Form, FormField } from "../../../src/core/document.ts";
import { dialogSentences, numberText, shorten } from "../../../src/presentation/sentences.ts";
import type { SlackView } from "../intake/events.ts";
import * as limits from "../limits.ts";
import { beginning } from "./markup.ts";

const says = {
  /** For an entry that is no known name. */
  useTyped: (typed: string): string => `Use “${typed}”`,
};

export const formCallback = "parley-form";
/** Followed by a colon and the kind of completion: "suggest:agent". */
const suggestAction = "suggest";
/** Also accepts typed values that are not suggested. */
export const suggestFreeAction = "suggest-free";
const inputAction = "input";
/** Its text is a list, separated by commas. */
export const listAction = "comma-list";
export const fileInput = "file_input";
/** Added to a field's name for its text input with other entries. */
export const ownSuffix = "+";

const metadataSchema = z.object({
  form: z.string(),
  context: z.string(),
  channel: z.string(),
  thread: z.string().optional(),
  /** Reaches people in channels where the bot isn't a member. */
  responseUrl: z.string().optional(),
  /** Opened by a button in a message that only this person sees: what comes of it replaces that message. */
  replacesSource: z.boolean().optional(),
  /** Opened in the Home tab, beside which nobody reads private messages of a channel. */
  isHome: z.boolean().optional(),
  /** Fields whose value was too long to show; if left empty, they keep that value. */
  keep: z.array(z.string()).optional(),
});
export type FormMetadata = z.infer<typeof metadataSchema>;

/** `takesFiles`: Slack refuses the whole view with a file field if the app may not read files. */
export function formView(
  form: Form,
  where: Omit<FormMetadata, "form" | "context" | "keep">,
  takesFiles: boolean,
): types.ModalView {
  const fields = form.fields.filter(({ type }) => type !== "file" || takesFiles);
  const keep = form.fields.filter(isTooLongToEdit).map((field) => field.name);
  const about = { ...where, form: form.id, context: form.context, keep: keep.length === 0 ? undefined : keep };
  const { responseUrl: _optional, replacesSource: _with, ...without } = about;
  const metadata = JSON.stringify(about);
  return {
    type: "modal",
    callback_id: formCallback,
    title: plain(form.title, limits.maxViewTitleChars),
    submit: plain(form.submitLabel, limits.maxViewTitleChars),
    close: plain("Cancel", limits.maxViewTitleChars),
    private_metadata: metadata.length <= limits.maxMetadataChars ? metadata : JSON.stringify(without),
    blocks: fields.flatMap(fieldBlocks),
  };
}

function fieldBlocks(field: FormField): readonly types.InputBlock[] {
  const block = fieldBlock(field);
  return takesBoth(field) ? [{ ...block, optional: true }, ownBlock(field)] : [block];
}

type Choosable = Extract<FormField, { type: "select" | "multiselect" }>;

/** Choices that are all shown, and a text input for others. */
function takesBoth(field: FormField): field is Choosable {
  return (field.type === "select" || field.type === "multiselect") && field.allowsFree === true && isAllShown(field);
}

function isAllShown({ showsAll, choices }: Choosable): boolean {
  return showsAll === true && choices.every(({ value }) => value !== "" && value.length <= limits.maxOptionValueChars);
}

function ownBlock(field: Choosable): types.InputBlock {
  const isOne = field.type === "select";
  const own = initials(field).filter((value) => !field.choices.some((choice) => choice.value === value));
  return {
    type: "input",
    block_id: field.name + ownSuffix,
    label: plain(isOne ? dialogSentences.other(field.label) : dialogSentences.others(field.label), 2_000),
    optional: true,
    element: {
      type: "plain_text_input",
      action_id: isOne ? inputAction : listAction,
      initial_value: own.length === 0 ? undefined : beginning(own.join(", "), limits.maxInputChars),
    },
    hint: plain(isOne ? dialogSentences.otherHint : dialogSentences.othersHint, 2_000),
  };
}

function fieldBlock(field: FormField): types.InputBlock {
  const hint = isTooLongToEdit(field) ? dialogSentences.tooLongToShow : field.hint;
  return {
    type: "input",
    block_id: field.name,
    label: plain(field.label, 2_000),
    optional: !field.isRequired || isTooLongToEdit(field),
    element: fieldElement(field),
    ...(hint === undefined || hint === "" ? {} : { hint: plain(hint, 2_000) }),
  };
}

function fieldElement(field: FormField): types.InputBlock["element"] {
  switch (field.type) {
    case "text":
    case "multiline":
      return {
        type: "plain_text_input",
        action_id: inputAction,
        multiline: field.type === "multiline",
        max_length: Math.min(field.maxChars ?? limits.maxInputChars, limits.maxInputChars),
        ...initialText(field),
      };
    case "secret":
      return { type: "plain_text_input", action_id: inputAction };
    case "select":
      return select(field);
    case "multiselect":
      return multiselect(field);
    case "file":
      return { type: fileInput, action_id: inputAction, max_files: Math.min(field.maxFiles, limits.maxFormFiles) };
    default:
      return field satisfies never;
  }
}

function select(
  field: Extract<FormField, { type: "select" }>,
): types.ExternalSelect | types.StaticSelect | types.RadioButtons | types.PlainTextInput {
  const { choices, completes } = field;
  const [initial] = initials(field).map((value) => option(labelled(value, choices)));
  const known = initial !== undefined && choices.some(({ value }) => value === initial.value);
  const chosen = known ? { initial_option: initial } : {};
  if (isAllShown(field)) {
    return { type: "radio_buttons", action_id: inputAction, options: choices.map(option), ...chosen };
  }
  if (completes !== undefined) {
    return {
      type: "external_select",
      action_id: `${suggestAction}:${completes}`,
      min_query_length: 0,
      initial_option: initial,
    };
  }
  if (choices.length === 0) return { type: "plain_text_input", action_id: inputAction, ...initialText(field) };
  return { type: "static_select", action_id: inputAction, ...grouped(choices), ...chosen };
}

function multiselect(field: Extract<FormField, { type: "multiselect" }>) {
  const initial = initials(field).map((value) => option(labelled(value, field.choices)));
  const known = initial.filter(({ value }) => field.choices.some((choice) => choice.value === value));
  const chosen = known.length === 0 ? {} : { initial_options: known };
  if (isAllShown(field)) {
    return { type: "checkboxes" as const, action_id: inputAction, options: field.choices.map(option), ...chosen };
  }
  if (field.completes !== undefined) {
    return {
      type: "multi_external_select" as const,
      action_id: `${field.allowsFree ? suggestFreeAction : suggestAction}:${field.completes}`,
      min_query_length: 0,
      initial_options: initial.length === 0 ? undefined : initial,
    };
  }
  if (field.allowsFree || field.choices.length === 0) {
    const text = initials(field).join(", ");
    return {
      type: "plain_text_input" as const,
      action_id: listAction,
      initial_value: text === "" ? undefined : beginning(text, limits.maxInputChars),
    };
  }
  return { type: "multi_static_select" as const, action_id: inputAction, ...grouped(field.choices), ...chosen };
}

/** A select can have 100 options, or 100 groups of 100. */
function grouped(choices: readonly Choice[]) {
  const options = choices.filter(({ value }) => value.length <= limits.maxOptionValueChars).map(option);
  if (options.length <= limits.maxOptions) return { options };
  const groups = Array.from({ length: Math.ceil(options.length / limits.maxOptions) }, (_, index) => {
    const from = index * limits.maxOptions;
    const part = options.slice(from, from + limits.maxOptions);
    return { label: plain(`${numberText(from + 1)} to ${numberText(from + part.length)}`, 75), options: part };
  });
  return { option_groups: groups };
}

/** The options of an external select. With `allowsFree`, the typed text is offered last, as what it is: no known name. */
export function suggestions(choices: readonly Choice[], typed: string, allowsFree: boolean): types.PlainTextOption[] {
  const own = typed.trim();
  const isKnown = choices.some(({ value }) => value === own);
  const isFree = allowsFree && own !== "" && !isKnown && own.length <= limits.maxOptionValueChars;
  const known = choices
    .filter(({ value }) => value !== "" && value.length <= limits.maxOptionValueChars)
    .slice(0, limits.maxOptions - (isFree ? 1 : 0));
  const free = isFree ? [{ value: own, label: says.useTyped(own) }] : [];
  return [...known, ...free].map(option);
}

export function formMetadata(view: SlackView): FormMetadata | undefined {
  try {
    return metadataSchema.parse(JSON.parse(view.private_metadata));
  } catch {
    return undefined;
  }
}

function isTooLongToEdit(field: FormField): boolean {
  const isText = field.type === "text" || field.type === "multiline";
  return isText && typeof field.initial === "string" && field.initial.length > limits.maxInputChars;
}

function initialText(field: FormField): { initial_value?: string } {
  const [text] = initials(field);
  return text === undefined || text === "" || isTooLongToEdit(field) ? {} : { initial_value: text };
}

function initials(field: FormField): readonly string[] {
  if (field.initial === undefined || field.initial === "") return [];
  return typeof field.initial === "string" ? [field.initial] : field.initial;
}

function labelled(value: string, choices: readonly Choice[]): Choice {
  return choices.find((choice) => choice.value === value) ?? { value, label: value };
}

function option({ value, label }: Choice): types.PlainTextOption {
  return { text: plain(label === "" ? value : label, limits.maxOptionLabelChars), value };
}

export function plain(text: string, maxChars: number): types.PlainTextElement {
  const cut = text.length <= maxChars ? text : shorten(text, maxChars);
  return { type: "plain_text", text: cut === "" ? " " : cut, emoji: true };
}
