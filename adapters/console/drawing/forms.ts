/**
 * Sends forms to the page and parses submitted ones. The page draws the neutral form itself. Values are never logged,
 * because a field may be a secret.
 */
import { z } from "zod";
import type { Form } from "../../../src/ports/document.ts";
import { present } from "../../../src/ports/tools/present.ts";
import { cleanText } from "../../../src/presentation/drawing.ts";

/** The form with every text cleaned, for the body of the acknowledgement. */
export function renderForm(form: Form): Form {
  return {
    ...form,
    title: cleanText(form.title),
    submitLabel: cleanText(form.submitLabel),
    fields: form.fields.map((field) => ({
      ...field,
      label: cleanText(field.label),
      ...present({ hint: field.hint && cleanText(field.hint) }),
    })),
  };
}

/** Values of a submitted form, by field name. */
export const formValues = z.record(z.string().max(200), z.union([z.string(), z.array(z.string())]));
