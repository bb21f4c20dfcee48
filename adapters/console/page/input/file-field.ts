/** A form's field for files: they are uploaded while the form is filled in. */
import type { Upload } from "../connection/upload.ts";
import { element } from "../drawing/element.ts";
import { createBasket } from "./basket.ts";
import type { FieldOf } from "./shown-form.ts";

/** `nodes`: what to show; `uploads()`: what was chosen. */
export function drawFileField(field: FieldOf<"file">, id: string, described: string) {
  const list = element("ul.attached", { role: "list", hidden: true });
  const problem = element("p.field-problem", { role: "alert" });
  // The page's own is out of reach while a dialog is open.
  const status = element("p.hidden", { role: "status" });
  const input: HTMLInputElement = element("input", {
    id,
    type: "file",
    multiple: field.maxFiles > 1,
    "aria-describedby": described,
    change: () => {
      basket.add([...(input.files ?? [])].slice(0, field.maxFiles));
      input.value = "";
    },
  });
  const basket = createBasket({
    list,
    say: (text) => {
      status.textContent = text;
    },
    onProblem: (text) => {
      problem.textContent = text;
    },
  });
  list.addEventListener("emptied", () => input.focus());
  return { nodes: [list, input, problem, status], uploads: basket.uploads };
}

/** Waits for uploads; resolves to their ids, or to what is wrong with one of them. */
export async function idsOf(
  uploads: readonly Upload[],
): Promise<{ readonly problem: string } | { readonly ids: readonly string[] }> {
  await Promise.all(uploads.map(({ ended }) => ended));
  const failed = uploads.find(({ state }) => state === "failed");
  if (failed !== undefined) return { problem: failed.problem ?? "" };
  return { ids: uploads.filter(({ state }) => state === "done").flatMap(({ id }) => id ?? []) };
}
