/**
 * Shows a form in a dialog: a label for every field, errors beside their fields, the submit button inside.
 * Typed values stay until the form is accepted or the person closes the dialog.
 */
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Choice, FieldErrors, FormField, FormValues } from "../../../../src/core/document.ts";
import type { Upload } from "../connection/upload.ts";
import { WithThumbs } from "../drawing/thumbs.tsx";
import { showDialog } from "../parts/show-dialog.ts";
import { FileField, idsOf } from "./file-field.tsx";
import type { Complete, FieldOf, FormHow, ShownForm } from "./shown-form.ts";

let count = 0;

/** What every control of a field has. */
type Common = { readonly id: string; readonly described: string; readonly isInvalid: boolean };
type ControlProps<Field extends FormField> = Common & {
  readonly field: Field;
  readonly complete: Complete | undefined;
};

/** A text field, with names that are suggested while people type. */
function Suggesting({
  field,
  id,
  complete,
  isList = false,
  ...input
}: {
  readonly field: FormField;
  readonly id: string;
  readonly complete: Complete | undefined;
  /** Several entries, with commas between them: the last one is completed. */
  readonly isList?: boolean;
} & Readonly<Record<string, unknown>>) {
  const [choices, setChoices] = useState<readonly Choice[]>([]);
  const completes = "completes" in field ? field.completes : undefined;
  const suggest = async (value: string) => {
    if (completes === undefined || complete === undefined) return;
    const typed = (value.split(",").at(-1) ?? "").trim();
    const before = value.slice(0, value.length - typed.length);
    const found = await complete(completes, typed);
    setChoices(found.map((choice) => ({ ...choice, value: before + choice.value })));
  };
  return (
    <>
      <input
        {...input}
        id={id}
        type="text"
        list={completes === undefined ? undefined : `${id}-list`}
        onInput={(event) => suggest(event.currentTarget.value)}
      />
      {completes === undefined ? undefined : (
        <datalist id={`${id}-list`}>
          {choices.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </datalist>
      )}
    </>
  );
}

type OneControl = Exclude<FormField, { readonly type: "multiselect" | "file" }>;

function Control({ field, id, described, isInvalid, complete }: ControlProps<OneControl>) {
  const { name, isRequired } = field;
  const common = {
    id,
    name,
    required: isRequired,
    "aria-describedby": described,
    "aria-invalid": isInvalid ? "true" : undefined,
  } as const;
  const initial = String(field.initial ?? "");
  switch (field.type) {
    case "multiline":
      return <textarea {...common} rows={5} maxlength={field.maxChars} defaultValue={initial} />;
    case "secret":
      return <input {...common} type="password" autocomplete="new-password" />;
    case "select":
      if (field.choices.length === 0) {
        return <Suggesting {...common} field={field} complete={complete} defaultValue={initial} />;
      }
      return (
        <select {...common}>
          {isRequired ? undefined : <option value="">None</option>}
          {field.choices.map(({ value, label }) => (
            <option key={value} value={value} selected={value === initial}>
              {label}
            </option>
          ))}
        </select>
      );
    default:
      return <input {...common} type="text" maxlength={field.maxChars} defaultValue={initial} />;
  }
}

/** Radio buttons, and a text field for another entry where that is allowed. Without a choice nothing is sent. */
function Radios({ field, id, described, isInvalid }: ControlProps<FieldOf<"select">>) {
  const free = useRef<HTMLInputElement>(null);
  const { name, label, choices, initial, allowsFree } = field;
  const isKnown = choices.some(({ value }) => value === initial);
  // One of the two counts, so only one is shown as chosen.
  const clearFree = () => {
    if (free.current !== null) free.current.value = "";
  };
  const clearChoice = (typed: HTMLInputElement) => {
    if (typed.value.trim() === "") return;
    const radios = typed.closest("fieldset")?.querySelectorAll<HTMLInputElement>("input[type='radio']") ?? [];
    for (const radio of radios) radio.checked = false;
  };
  return (
    <>
      {choices.map((choice) => (
        <label key={choice.value} class="check">
          <input
            type="radio"
            name={name}
            value={choice.value}
            defaultChecked={choice.value === initial}
            aria-invalid={isInvalid ? "true" : undefined}
            onChange={clearFree}
          />
          {choice.label}
        </label>
      ))}
      {allowsFree === true ? (
        <input
          id={id}
          type="text"
          data-free={name}
          defaultValue={isKnown ? "" : String(initial ?? "")}
          aria-label={`${label}: another`}
          placeholder="Another"
          aria-describedby={described}
          onInput={(event) => clearChoice(event.currentTarget)}
          ref={free}
        />
      ) : undefined}
    </>
  );
}

function Boxes({ field, id, described, isInvalid, complete }: ControlProps<FieldOf<"multiselect">>) {
  const { name, label, choices, allowsFree } = field;
  const initial = [field.initial ?? []].flat();
  const known = new Set(choices.map(({ value }) => value));
  return (
    <>
      {choices.map((choice) => (
        <label key={choice.value} class="check">
          <input
            type="checkbox"
            name={name}
            value={choice.value}
            defaultChecked={initial.includes(choice.value)}
            aria-invalid={isInvalid ? "true" : undefined}
          />
          {choice.label}
        </label>
      ))}
      {allowsFree ? (
        <Suggesting
          field={field}
          id={id}
          complete={complete}
          data-free={name}
          defaultValue={initial.filter((value) => !known.has(value)).join(", ")}
          aria-label={`${label}: add others, separated by commas`}
          placeholder={choices.length > 0 ? "Others, separated by commas" : "Separated by commas"}
          aria-describedby={described}
        />
      ) : undefined}
    </>
  );
}

type OnFiles = (name: string, uploads: () => readonly Upload[]) => void;

function Field({
  field,
  id,
  error = "",
  complete,
  onFiles,
}: {
  readonly field: FormField;
  readonly id: string;
  readonly error: string | undefined;
  readonly complete: Complete | undefined;
  readonly onFiles: OnFiles;
}) {
  const described = `${field.hint === undefined ? "" : `${id}-hint `}${id}-error`;
  const common = { id, described, isInvalid: error !== "", complete };
  const name = (
    <>
      {field.label}
      {field.isRequired ? undefined : <span class="optional"> optional</span>}
    </>
  );
  const hint =
    field.hint === undefined ? undefined : (
      <p class="hint" id={`${id}-hint`}>
        <WithThumbs text={field.hint} />
      </p>
    );
  const problem = (
    <p class="field-error" id={`${id}-error`}>
      {error}
    </p>
  );
  const isGroup = field.type === "multiselect" || (field.type === "select" && field.showsAll === true);
  if (isGroup) {
    return (
      <fieldset class="field">
        <legend>{name}</legend>
        {hint}
        {field.type === "multiselect" ? <Boxes {...common} field={field} /> : <Radios {...common} field={field} />}
        {problem}
      </fieldset>
    );
  }
  return (
    <div class="field">
      <label for={id}>{name}</label>
      {hint}
      {field.type === "file" ? (
        <FileField field={field} id={id} described={described} onFiles={(uploads) => onFiles(field.name, uploads)} />
      ) : (
        <Control {...common} field={field} />
      )}
      {problem}
    </div>
  );
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

const lacks = ({ type, label }: FormField) => (type === "file" ? "Choose a file." : `${label} is required.`);

const isEmptyText = (control: HTMLElement) =>
  (control instanceof HTMLTextAreaElement || (control instanceof HTMLInputElement && control.type === "text")) &&
  control.required &&
  control.value === "";

function FormDialog({
  form,
  how: { submit, complete, isDanger = false },
  prefix,
  onClosed,
}: {
  readonly form: ShownForm;
  readonly how: FormHow;
  readonly prefix: string;
  readonly onClosed: () => void;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const formElement = useRef<HTMLFormElement>(null);
  const isAccepted = useRef(false);
  /** Name of a field for files -> what was chosen there. */
  const chosen = useRef(new Map<string, () => readonly Upload[]>());
  const [errors, setErrors] = useState<FieldErrors>({});
  const [problem, setProblem] = useState("");
  const [state, setState] = useState<"filling in" | "uploading" | "sending">("filling in");
  const { fields, title, text, submitLabel } = form;
  const names = new Set(fields.map(({ name }) => name));
  const others = Object.entries(errors).filter(([name]) => !names.has(name));

  useLayoutEffect(() => {
    dialog.current?.showModal();
    const controls = [...(formElement.current?.querySelectorAll<HTMLElement>("input, textarea, select") ?? [])];
    const button = formElement.current?.querySelector<HTMLElement>("[type='submit']");
    // What is filled in is mostly right.
    const first = controls.find(isEmptyText) ?? controls[0] ?? button;
    first?.focus();
    // What is edited is mostly added to.
    if (first instanceof HTMLTextAreaElement) first.setSelectionRange(first.value.length, first.value.length);
  }, []);
  useLayoutEffect(() => {
    formElement.current?.querySelector<HTMLElement>("[aria-invalid]")?.focus();
  }, [errors]);

  const send = async (event: Event) => {
    event.preventDefault();
    if (state !== "filling in" || formElement.current === null) return;
    const values = valuesOf(
      formElement.current,
      fields.filter(({ type }) => type !== "file"),
    );
    const given = (name: string) => chosen.current.get(name)?.() ?? values[name] ?? "";
    const missing = fields.filter((field) => field.isRequired && given(field.name).length === 0);
    setErrors(Object.fromEntries(missing.map((field) => [field.name, lacks(field)])));
    setProblem("");
    if (missing.length > 0) return;
    setState(chosen.current.size > 0 ? "uploading" : "sending");
    const files = await idsOf([...chosen.current.values()].flatMap((uploads) => uploads()));
    setState("sending");
    const outcome = "problem" in files ? files : await submit(values, files.ids);
    setState("filling in");
    isAccepted.current = outcome === undefined;
    if (outcome === undefined) dialog.current?.close();
    else if ("errors" in outcome) setErrors(outcome.errors);
    else setProblem(outcome.problem);
  };
  const onClose = () => {
    onClosed();
    if (isAccepted.current) return;
    for (const uploads of chosen.current.values()) for (const upload of uploads()) upload.remove();
  };

  return (
    <dialog aria-labelledby={`${prefix}-title`} onClose={onClose} ref={dialog}>
      <form method="dialog" autocomplete="off" noValidate onSubmit={send} ref={formElement}>
        <h2 id={`${prefix}-title`}>{title}</h2>
        {text === undefined ? undefined : <p class="soft">{text}</p>}
        {fields.map((field, index) => (
          <Field
            key={field.name}
            field={field}
            id={`${prefix}-${index}`}
            error={errors[field.name]}
            complete={complete}
            onFiles={(name, uploads) => chosen.current.set(name, uploads)}
          />
        ))}
        <p class="form-problem" role="alert">
          {problem === "" ? others.map(([, error]) => error).join(" ") : problem}
        </p>
        <div class="form-actions">
          <button type="button" class="action is-plain" onClick={() => dialog.current?.close()}>
            Cancel
          </button>
          <button
            type="submit"
            class={`action ${isDanger ? "is-danger" : "is-primary"}`}
            disabled={state !== "filling in"}
          >
            {state === "uploading" ? "Uploading…" : submitLabel}
          </button>
        </div>
      </form>
    </dialog>
  );
}

/** Opens the form. Only one dialog is open at a time. */
export function openForm(form: ShownForm, how: FormHow): void {
  document.querySelector<HTMLDialogElement>("dialog[open]")?.close();
  count += 1;
  const prefix = `form-${count}`;
  showDialog((onClosed) => <FormDialog form={form} how={how} prefix={prefix} onClosed={onClosed} />);
}
