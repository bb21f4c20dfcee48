/** Opens forms. What draws them isn't part of the page's first load: it follows when the browser has time. */

import { loadPart } from "./problem.ts";
import type { FormHow, ShownForm } from "./shown-form.ts";

const load = () => import("./dialog.tsx");

addEventListener("load", () => setTimeout(() => load().catch(() => undefined), 2_000));

/** As in dialog.tsx. */
export async function openForm(form: ShownForm, how: FormHow): Promise<void> {
  const dialog = await loadPart(load);
  dialog?.openForm(form, how);
}
