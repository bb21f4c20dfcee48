/**
 * Forms of commands. A form is a zod object: each field says how it is drawn, reads what comes back and says what is
 * wrong with it.
 */
import { z } from "zod";
import type { CommandContext, CommandResult } from "../core/commands.ts";
import {
  allShown,
  type Choice,
  type FieldErrors,
  type Form,
  type FormField,
  type FormValues,
} from "../core/document.ts";
import { ParleyError } from "../core/errors.ts";
import type { Role } from "../core/model/place.ts";
import { cleanText } from "../presentation/drawing.ts";
import type { CommandApp } from "./app.ts";
import type { FormHandler } from "./command.ts";

type Kept<F> = F extends FormField ? Omit<F, "name" | "initial" | "showsAll"> : never;
type Drawing = Kept<FormField>;
const drawings = z.registry<Drawing>();

type About = Pick<FormField, "label" | "hint" | "isAdvanced"> & { readonly isRequired?: boolean };

/** Any field. `schema` reads what the platform returned: undefined if it left the field out. */
export function field<S extends z.ZodType>(schema: S, drawing: Drawing): S {
  drawings.add(schema, drawing);
  return schema;
}

/** Trimmed; "" if the platform left the field out. */
export const typed = z
  .union([z.string(), z.array(z.string())])
  .default("")
  .transform((value) => (typeof value === "string" ? value.trim() : ""));

/** `missing`: what is said when nothing visible was typed; then it is required. */
type Typed = About & { readonly missing?: string };

function typedField({ missing, ...about }: Typed, type: Partial<Drawing> & Pick<Drawing, "type">) {
  const schema = typed.refine((value) => missing === undefined || cleanText(value).trim() !== "", missing);
  return field(schema, { isRequired: missing !== undefined, ...about, ...type } as Drawing);
}

export function text({ maxChars, ...about }: Typed & { readonly maxChars?: number }) {
  return typedField(about, { type: "text", maxChars });
}

export function multiline({ maxChars, ...about }: Typed & { readonly maxChars?: number }) {
  return typedField(about, { type: "multiline", maxChars });
}

export function secret(about: About) {
  return typedField(about, { type: "secret" });
}

/** One of `choices`, which are often known only when the form opens. */
export function select({
  choices = [],
  ...about
}: Typed & Pick<SelectField, "completes"> & Partial<Pick<SelectField, "choices">>) {
  return typedField(about, { type: "select", choices });
}

type SelectField = Extract<FormField, { type: "select" }>;

/** They come as the submission's `attachments`, so their own field is left out. */
export function files({ maxFiles, ...about }: About & { readonly maxFiles: number }) {
  return field(z.unknown().optional(), { isRequired: false, ...about, type: "file", maxFiles });
}

/** What is known of a field only when the form opens. */
export type Opening = Partial<Omit<FormField, "name" | "showsAll">> & {
  readonly choices?: readonly Choice[];
  readonly allowsFree?: boolean;
  readonly maxChars?: number;
};

export function drawForm<F extends z.ZodObject>(
  { shape }: F,
  form: Omit<Form, "fields">,
  opening: { readonly [name in keyof F["shape"]]?: Opening | "left out" } = {},
): Form {
  const fields = Object.entries(shape).flatMap(([name, schema]): FormField[] => {
    const drawing = drawings.get(schema as z.ZodType);
    const known = opening[name];
    if (drawing === undefined || known === "left out") return [];
    const drawn = { name, ...drawing, ...known } as FormField;
    const isChoice = drawn.type === "select" || drawn.type === "multiselect";
    return [isChoice ? { ...drawn, ...allShown(drawn.type, drawn.choices) } : drawn];
  });
  return { ...form, fields };
}

/** The first problem of each field; undefined if there is none. */
export function problemsIn(form: z.ZodObject, values: FormValues): FieldErrors | undefined {
  const { error } = form.safeParse(values);
  if (error === undefined) return undefined;
  return Object.fromEntries(error.issues.toReversed().map(({ path, message }) => [String(path[0]), message]));
}

/** `check`: what can be found out only by looking something up. */
export function formHandler<F extends z.ZodObject>(
  form: F,
  handler: {
    readonly role: Role;
    readonly check?: (
      app: CommandApp,
      values: z.output<F>,
      formContext: string,
      context: CommandContext,
    ) => Promise<FieldErrors | undefined>;
    readonly submit: (
      app: CommandApp,
      values: z.output<F>,
      formContext: string,
      context: CommandContext,
    ) => Promise<CommandResult>;
  },
): FormHandler {
  const { role, check, submit } = handler;
  return {
    role,
    check: async (app, values, formContext, context) => {
      const problems = problemsIn(form, values);
      return problems ?? check?.(app, form.parse(values), formContext, context);
    },
    submit: async (app, values, formContext, context) => {
      const read = form.safeParse(values);
      if (!read.success) throw new ParleyError("command_invalid");
      return submit(app, read.data, formContext, context);
    },
  };
}
