/** The files that go with what is written: a line for each, with its progress, its problem and a button to remove it. */
import { startUpload, type Upload } from "../connection/upload.ts";
import { element, icon, plain } from "../drawing/element.ts";
import { sizeText, sorted } from "./file-limits.ts";

/** What a screen reader and the line say about an upload. */
export function saysOf({ state, share, sizeBytes, problem = "" }: Upload): string {
  switch (state) {
    case "uploading":
      return `Uploading, ${Math.floor(share * 100)}%`;
    case "waiting":
      return "Not uploaded yet, retrying…";
    case "failed":
      return problem;
    default:
      return sizeText(sizeBytes);
  }
}

export function createBasket({
  list,
  say,
  onProblem,
  onChange = () => {},
}: {
  /** An empty `ul`. */
  readonly list: HTMLElement;
  /** Tells screen readers. */
  readonly say: (text: string) => void;
  /** Shows why files were not taken, "" if all were. */
  readonly onProblem: (text: string) => void;
  readonly onChange?: (uploads: readonly Upload[]) => void;
}) {
  let uploads: readonly Upload[] = [];
  const lines = new Map<string, HTMLElement>();

  function drawLine(upload: Upload): HTMLElement {
    const name = plain(upload.name);
    const remove = element(
      "button.icon-button",
      { type: "button", "aria-label": `Remove ${name}`, title: `Remove ${name}`, click: () => drop(upload) },
      icon("cross"),
    );
    return element(
      "li.attached-file",
      {},
      icon("file"),
      element("span.attached-name", { title: name, dir: "auto" }, name),
      element("span.attached-state"),
      remove,
    );
  }

  function show(): void {
    const keys = new Set(uploads.map(({ key }) => key));
    for (const [key, line] of lines) {
      if (keys.has(key)) continue;
      line.remove();
      lines.delete(key);
    }
    for (const upload of uploads) {
      const line = lines.get(upload.key) ?? drawLine(upload);
      if (!lines.has(upload.key)) list.append(line);
      lines.set(upload.key, line);
      line.dataset["state"] = upload.state;
      const state = line.querySelector(".attached-state");
      if (state !== null) state.textContent = saysOf(upload);
      // Not a style attribute, which the page's policy forbids; a script may set it.
      line.style.setProperty("--share", String(upload.share));
    }
    list.hidden = uploads.length === 0;
    onChange(uploads);
  }

  function drop(upload: Upload): void {
    const at = uploads.indexOf(upload);
    uploads = uploads.filter((other) => other !== upload);
    upload.remove();
    show();
    say(`Removed ${plain(upload.name)}.`);
    onProblem("");
    const neighbour = lines.get((uploads[at] ?? uploads[at - 1])?.key ?? "");
    if (neighbour === undefined) list.dispatchEvent(new CustomEvent("emptied", { bubbles: true }));
    else neighbour.querySelector("button")?.focus();
  }

  /** Tells the end of each upload once. */
  function watch(upload: Upload): void {
    let isTold = upload.state !== "uploading";
    upload.changed = () => {
      if (!uploads.includes(upload)) return;
      if (upload.state === "done" && !isTold) say(`Uploaded ${plain(upload.name)}.`);
      if (upload.state === "failed" && !isTold) say(upload.problem ?? "");
      isTold = upload.state === "done" || upload.state === "failed";
      show();
    };
  }

  return {
    /** Begins to upload them, as far as they can be attached. */
    add: (files: Iterable<File>) => {
      const { fitting, problem } = sorted(files, uploads.length);
      for (const file of fitting) {
        const upload = startUpload(file, () => undefined);
        watch(upload);
        uploads = [...uploads, upload];
      }
      show();
      onProblem(problem);
      if (fitting.length > 0) say(`Attached ${fitting.map(({ name }) => plain(name)).join(", ")}.`);
    },
    uploads: () => uploads,
    /** Shows these instead. */
    replace: (others: readonly Upload[]) => {
      uploads = others;
      for (const upload of uploads) watch(upload);
      show();
    },
  };
}
