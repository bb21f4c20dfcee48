/**
 * Forms on their way to a dialog and back. The page shows the neutral form as it is; what comes back is parsed here.
 * A value is never logged: a field may be a secret.
 */
import { z } from "zod";
import type { Form } from "../../../src/ports/document.ts";
import { cleanText } from "../../../src/presentation/drawing.ts";

/** The form with every text made safe; what goes into the acknowledgement's body. */
export function renderForm(form: Form): Form {
  return {
    ...form,
    title: cleanText(form.title),
    submitLabel: cleanText(form.submitLabel),
    fields: form.fields.map((field) => ({
      ...field,
      label: cleanText(field.label),
      ...(field.hint === undefined ? {} : { hint: cleanText(field.hint) }),
    })),
  };
}

/** Values of a submitted form by field name, as the page sends them. */
export const formValues = z.record(z.string().max(200), z.union([z.string(), z.array(z.string())]));
