/** A form as the dialog shows it: one of the server's, or one of the page's own. */
import type { Choice, Completion, FieldErrors, Form, FormField, FormValues } from "../../../../src/core/document.ts";

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

export type FieldOf<Type extends FormField["type"]> = Extract<FormField, { readonly type: Type }>;
