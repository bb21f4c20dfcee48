/** Opens forms. What draws them isn't part of the page's first load: it follows when the browser has time. */

import { loadStyle } from "../look/load-style.ts";
import { loadPart } from "./problem.ts";
import type { FormHow, ShownForm } from "./shown-form.ts";

async function load() {
  const [dialog] = await Promise.all([import("./dialog.tsx"), loadStyle("styles/forms.css")]);
  return dialog;
}

addEventListener("load", () => setTimeout(() => load().catch(() => undefined), 2_000));

/** As in dialog.tsx. */
export async function openForm(form: ShownForm, how: FormHow): Promise<void> {
  const dialog = await loadPart(load);
  dialog?.openForm(form, how);
}
