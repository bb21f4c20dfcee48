/** A form's field for files: they are uploaded while the form is filled in. */
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Upload } from "../connection/upload.ts";
import { createBasket } from "./basket.tsx";
import type { FieldOf } from "./shown-form.ts";

/** `onFiles` gets the function that tells what was chosen. */
export function FileField({
  field,
  id,
  described,
  onFiles,
}: {
  readonly field: FieldOf<"file">;
  readonly id: string;
  readonly described: string;
  readonly onFiles: (uploads: () => readonly Upload[]) => void;
}) {
  const list = useRef<HTMLUListElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const problem = useRef<HTMLParagraphElement>(null);
  // The page's own is out of reach while a dialog is open.
  const status = useRef<HTMLParagraphElement>(null);
  const basket = useRef<ReturnType<typeof createBasket>>(null);
  useLayoutEffect(() => {
    const { current } = list;
    if (current === null) return;
    const made = createBasket({
      list: current,
      say: (text) => {
        if (status.current !== null) status.current.textContent = text;
      },
      onProblem: (text) => {
        if (problem.current !== null) problem.current.textContent = text;
      },
    });
    basket.current = made;
    current.addEventListener("emptied", () => input.current?.focus());
    onFiles(made.uploads);
  }, []);
  return (
    <>
      <ul class="attached" role="list" hidden ref={list} />
      <input
        id={id}
        type="file"
        multiple={field.maxFiles > 1}
        aria-describedby={described}
        ref={input}
        onChange={({ currentTarget }) => {
          basket.current?.add([...(currentTarget.files ?? [])].slice(0, field.maxFiles));
          currentTarget.value = "";
        }}
      />
      <p class="field-problem" role="alert" ref={problem} />
      <p class="hidden" role="status" ref={status} />
    </>
  );
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
