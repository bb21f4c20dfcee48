/**
 * Shows a form in a dialog: a label for every field, errors beside their fields, the submit button inside.
 * Typed values stay until the form is accepted or the person closes the dialog.
 */
import { h, render } from "preact";
import type { FieldErrors, FormField, FormValues } from "../../../../src/core/document.ts";
import type { Upload } from "../connection/upload.ts";
import { type Children, element } from "../drawing/element.ts";
import { WithThumbs } from "../drawing/thumbs.tsx";
import { drawFileField, idsOf } from "./file-field.ts";
import type { FieldOf, FormHow, ShownForm } from "./shown-form.ts";

let count = 0;

type OnFiles = (name: string, uploads: () => readonly Upload[]) => void;

function drawControl(
  field: Exclude<FormField, { readonly type: "multiselect" | "file" }>,
  id: string,
  described: string,
) {
  const common = {
    id,
    name: field.name,
    required: field.isRequired,
    "aria-describedby": described,
  };
  const initial = String(field.initial ?? "");
  switch (field.type) {
    case "multiline":
      return element("textarea", { ...common, rows: 5, maxlength: field.maxChars }, initial);
    case "secret":
      return element("input", { ...common, type: "password", autocomplete: "new-password" });
    case "select": {
      if (field.choices.length === 0)
        return element("input", { ...common, type: "text", value: initial, list: `${id}-list` });
      const options = field.choices.map(({ value, label }) =>
        element("option", { value, selected: value === initial }, label),
      );
      return element(
        "select",
        common,
        field.isRequired ? undefined : element("option", { value: "" }, "None"),
        ...options,
      );
    }
    default:
      return element("input", { ...common, type: "text", value: initial, maxlength: field.maxChars });
  }
}

/** Radio buttons, and a text field for another entry where that is allowed. Without a choice nothing is sent. */
function drawRadios(field: FieldOf<"select">, id: string, described: string): HTMLElement[] {
  const radios = field.choices.map(({ value, label }) => {
    const radio = element("input", { type: "radio", name: field.name, value, checked: value === field.initial });
    return { radio, line: element("label.check", {}, radio, label) };
  });
  const lines = radios.map(({ line }) => line);
  if (field.allowsFree !== true) return lines;
  const isKnown = field.choices.some(({ value }) => value === field.initial);
  const other: HTMLInputElement = element("input", {
    id,
    type: "text",
    "data-free": field.name,
    value: isKnown ? "" : String(field.initial ?? ""),
    "aria-label": `${field.label}: another`,
    placeholder: "Another",
    "aria-describedby": described,
    // One of the two counts, so only one is shown as chosen.
    input: () => {
      if (other.value.trim() !== "") for (const { radio } of radios) radio.checked = false;
    },
  });
  for (const { radio } of radios) {
    radio.addEventListener("change", () => {
      other.value = "";
    });
  }
  return [...lines, other];
}

function drawMultiselect(field: FieldOf<"multiselect">, id: string, described: string): (HTMLElement | undefined)[] {
  const initial = [field.initial ?? []].flat();
  const known = new Set(field.choices.map(({ value }) => value));
  const boxes = field.choices.map(({ value, label }) =>
    element(
      "label.check",
      {},
      element("input", { type: "checkbox", name: field.name, value, checked: initial.includes(value) }),
      label,
    ),
  );
  const free = field.allowsFree
    ? element("input", {
        id,
        type: "text",
        "data-free": field.name,
        value: initial.filter((value) => !known.has(value)).join(", "),
        "aria-label": `${field.label}: add others, separated by commas`,
        placeholder: field.choices.length > 0 ? "Others, separated by commas" : "Separated by commas",
        "aria-describedby": described,
        list: field.completes === undefined ? undefined : `${id}-list`,
      })
    : undefined;
  return [...boxes, free];
}

function hintOf(text: string, id: string): HTMLElement {
  const hint = element("p.hint", { id });
  render(h(WithThumbs, { text }), hint);
  return hint;
}

function drawField(field: FormField, id: string, onFiles: OnFiles): HTMLElement {
  const described = `${field.hint === undefined ? "" : `${id}-hint `}${id}-error`;
  const hint = field.hint === undefined ? undefined : hintOf(field.hint, `${id}-hint`);
  const error = element("p.field-error", { id: `${id}-error`, "data-error": field.name });
  const list = "completes" in field ? element("datalist", { id: `${id}-list` }) : undefined;
  const optional = field.isRequired ? undefined : element("span.optional", {}, " optional");
  const isGroup = field.type === "multiselect" || (field.type === "select" && field.showsAll === true);
  if (isGroup) {
    return element(
      "fieldset.field",
      {},
      element("legend", {}, field.label, optional),
      hint,
      ...(field.type === "multiselect" ? drawMultiselect(field, id, described) : drawRadios(field, id, described)),
      error,
      list,
    );
  }
  return element(
    "div.field",
    {},
    element("label", { for: id }, field.label, optional),
    hint,
    field.type === "file" ? drawFiles(field, id, described, onFiles) : drawControl(field, id, described),
    error,
    list,
  );
}

/** `onFiles` gets the function that tells what was chosen. */
function drawFiles(field: FieldOf<"file">, id: string, described: string, onFiles: OnFiles): Children {
  const { nodes, uploads } = drawFileField(field, id, described);
  onFiles(field.name, uploads);
  return nodes;
}

function valuesOf(form: HTMLFormElement, fields: readonly FormField[]): FormValues {
  const data = new FormData(form);
  return Object.fromEntries(
    fields.map((field) => {
      const free = form.querySelector<HTMLInputElement>(`[data-free="${CSS.escape(field.name)}"]`)?.value ?? "";
      if (field.type !== "multiselect") return [field.name, free.trim() || String(data.get(field.name) ?? "")];
      const own = free.split(",").map((value) => value.trim());
      return [
        field.name,
        [...new Set([...data.getAll(field.name).map(String), ...own])].filter((value) => value !== ""),
      ];
    }),
  );
}

function showErrors(form: HTMLFormElement, errors: FieldErrors): void {
  let first: HTMLElement | null | undefined;
  const places = [...form.querySelectorAll<HTMLElement>("[data-error]")];
  for (const place of places) {
    const text = errors[place.dataset["error"] ?? ""] ?? "";
    place.textContent = text;
    const control = place.closest(".field")?.querySelector<HTMLElement>("input, textarea, select");
    if (text === "") control?.removeAttribute("aria-invalid");
    else {
      control?.setAttribute("aria-invalid", "true");
      first ??= control;
    }
  }
  const known = new Set(places.map((place) => place.dataset["error"]));
  const others = Object.entries(errors).filter(([name]) => !known.has(name));
  const problem = form.querySelector(".form-problem");
  if (problem !== null) problem.textContent = others.map(([, text]) => text).join(" ");
  first?.focus();
}

const isEmptyText = (control: HTMLElement) =>
  (control instanceof HTMLTextAreaElement || (control instanceof HTMLInputElement && control.type === "text")) &&
  control.required &&
  control.value === "";

/**
 * Opens the form. `submit(values)` resolves to undefined on success, to `{ errors }` by field, or to `{ problem }`;
 * `complete(kind, typed)` suggests names. Only one dialog is open at a time.
 */
export function openForm(form: ShownForm, { submit, complete, isDanger = false }: FormHow): void {
  document.querySelector<HTMLDialogElement>("dialog[open]")?.close();
  count += 1;
  const prefix = `form-${count}`;
  const problem = element("p.form-problem", { role: "alert" });
  const look = `action ${isDanger ? "is-danger" : "is-primary"}`;
  const submitButton = element("button", { type: "submit", class: look }, form.submitLabel);
  /** Name of a field for files -> what was chosen there. */
  const chosen = new Map<string, () => readonly Upload[]>();
  const fields = form.fields.map((field, index) =>
    drawField(field, `${prefix}-${index}`, (name, uploads) => chosen.set(name, uploads)),
  );
  const typed = form.fields.filter(({ type }) => type !== "file");
  const formElement = element(
    "form",
    { method: "dialog", autocomplete: "off", novalidate: true },
    element("h2", { id: `${prefix}-title` }, form.title),
    form.text === undefined ? undefined : element("p.soft", {}, form.text),
    ...fields,
    problem,
    element(
      "div.form-actions",
      {},
      element("button.action.is-plain", { type: "button", click: () => dialog.close() }, "Cancel"),
      submitButton,
    ),
  );
  let isAccepted = false;
  const opener = document.activeElement;
  const lineLink = opener?.closest(".line")?.querySelector("a")?.getAttribute("href");
  /** The browser gives the focus back, but not to a line of the list that was drawn anew. */
  const giveFocusBack = () => {
    if (lineLink == null || opener?.isConnected === true) return;
    const link = document.querySelector(`.line a[href="${CSS.escape(lineLink)}"]`);
    link?.closest(".line")?.querySelector<HTMLElement>(".more")?.focus({ preventScroll: true });
  };
  const close = () => {
    dialog.remove();
    giveFocusBack();
    if (!isAccepted) for (const uploads of chosen.values()) for (const upload of uploads()) upload.remove();
  };
  const dialog: HTMLDialogElement = element("dialog", { "aria-labelledby": `${prefix}-title`, close }, formElement);

  form.fields.forEach((field, index) => {
    const completes = "completes" in field ? field.completes : undefined;
    if (completes === undefined || complete === undefined) return;
    const list = fields[index]?.querySelector("datalist");
    const input = fields[index]?.querySelector<HTMLInputElement>("input[list]");
    input?.addEventListener("input", async () => {
      const typed = (input.value.split(",").at(-1) ?? "").trim();
      const before = input.value.slice(0, input.value.length - typed.length);
      const choices = await complete(completes, typed);
      list?.replaceChildren(...choices.map(({ value, label }) => element("option", { value: before + value }, label)));
    });
  });

  formElement.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (submitButton.disabled) return;
    const values = valuesOf(formElement, typed);
    const given = (name: string) => chosen.get(name)?.() ?? values[name] ?? "";
    const missing = form.fields.filter((field) => field.isRequired && given(field.name).length === 0);
    const lacks = ({ type, label }: FormField) => (type === "file" ? "Choose a file." : `${label} is required.`);
    showErrors(formElement, Object.fromEntries(missing.map((field) => [field.name, lacks(field)])));
    if (missing.length > 0) return;
    submitButton.disabled = true;
    if (chosen.size > 0) submitButton.textContent = "Uploading…";
    const files = await idsOf([...chosen.values()].flatMap((uploads) => uploads()));
    submitButton.textContent = form.submitLabel;
    const outcome = "problem" in files ? files : await submit(values, files.ids);
    submitButton.disabled = false;
    isAccepted = outcome === undefined;
    if (outcome === undefined) dialog.close();
    else if ("errors" in outcome) showErrors(formElement, outcome.errors);
    else problem.textContent = outcome.problem;
  });
  document.body.append(dialog);
  dialog.showModal();
  const controls = [...formElement.querySelectorAll<HTMLElement>("input, textarea, select")];
  // What is filled in is mostly right.
  const first = controls.find(isEmptyText) ?? controls[0] ?? submitButton;
  first.focus();
  // What is edited is mostly added to.
  if (first instanceof HTMLTextAreaElement) first.setSelectionRange(first.value.length, first.value.length);
}
