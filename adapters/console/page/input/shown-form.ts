/** A form as the dialog shows it: one of the server's, or one of the page's own. */

import type { Choice, Completion, FieldErrors, Form, FormField, FormValues } from "../../../../src/core/document.ts";
import type { ConsolePayload } from "../../writing/messages.ts";

export type ShownForm = Pick<Form, "title" | "submitLabel" | "fields"> & {
  /** What it is about, above its fields. */
  readonly text?: string;
};

/** Suggests names for a field. */
export type Complete = (kind: Completion, typed: string) => Promise<readonly Choice[]>;

/** Undefined: accepted. */
export type FormOutcome = { readonly errors: FieldErrors } | { readonly problem: string } | undefined;

export type FormHow = {
  /** `files`: ids of what was uploaded for its fields. */
  readonly submit: (values: FormValues, files: readonly string[]) => Promise<FormOutcome>;
  readonly complete?: Complete;
  readonly isDanger?: boolean;
};

/** The form as it was filled in, so that nobody types a refused one twice. Secrets and files are given again. */
export function filledIn<F extends Pick<Form, "fields">>(form: F, values: FormValues): F {
  const fields = form.fields.map((field): FormField => {
    const typed = values[field.name];
    const isLost = typed === undefined || field.type === "secret" || field.type === "file";
    return isLost ? field : { ...field, initial: typed };
  });
  return { ...form, fields };
}

/** It refuses a form, and offers no other way back to it. */
export const refusesForm = ({ tone, actions }: ConsolePayload): boolean =>
  tone === "failed" && !actions.some(({ id }) => id === "open-form");

export type FieldOf<Type extends FormField["type"]> = Extract<FormField, { readonly type: Type }>;
