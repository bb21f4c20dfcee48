/** The files that go with what is written: a line for each, with its progress, its problem and a button to remove it. */
import { render } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { startUpload, type Upload } from "../connection/upload.ts";
import { plain } from "../drawing/element.ts";
import { Icon } from "../parts/icon.tsx";
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

type Drop = (upload: Upload) => void;

function Line({ upload, drop }: { readonly upload: Upload; readonly drop: Drop }) {
  const line = useRef<HTMLLIElement>(null);
  const { state, share } = upload;
  const name = plain(upload.name);
  // Not a style attribute, which the page's policy forbids; a script may set it.
  useLayoutEffect(() => line.current?.style.setProperty("--share", String(share)), [share]);
  return (
    <li class="attached-file" data-state={state} ref={line}>
      <Icon name="file" />
      <span class="attached-name" title={name} dir="auto">
        {name}
      </span>
      <span class="attached-state">{saysOf(upload)}</span>
      <button
        type="button"
        class="icon-button"
        aria-label={`Remove ${name}`}
        title={`Remove ${name}`}
        onClick={() => drop(upload)}
      >
        <Icon name="cross" />
      </button>
    </li>
  );
}

function Lines({ uploads, drop }: { readonly uploads: readonly Upload[]; readonly drop: Drop }) {
  return (
    <>
      {uploads.map((upload) => (
        <Line key={upload.key} upload={upload} drop={drop} />
      ))}
    </>
  );
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

  function show(): void {
    render(<Lines uploads={uploads} drop={drop} />, list);
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
    const buttons = list.querySelectorAll("button");
    const neighbour = buttons[at] ?? buttons[at - 1];
    if (neighbour === undefined) list.dispatchEvent(new CustomEvent("emptied", { bubbles: true }));
    else neighbour.focus();
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
