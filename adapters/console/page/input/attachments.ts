/**
 * Attaches files to the message box: by a button, by pasting and by dropping them on the page. They belong to a
 * conversation's draft, like its text; what is uploaded survives a reload.
 */
import { named } from "../connection/address.ts";
import { type KnownFile, type Upload, uploaded } from "../connection/upload.ts";
import { byId, icon } from "../drawing/element.ts";
import { createBasket } from "./basket.tsx";
import { maxPastedChars } from "./file-limits.ts";
import { mayBeScaled, scaledPicture } from "./scaled-picture.ts";

const draftPrefix = named("files.");
/** The server removes what isn't sent within a day. */
const draftMs = 22 * 3_600_000;

const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes("Files") === true;

/** It takes files of its own. */
const isFileField = (target: EventTarget | null) => target instanceof HTMLInputElement && target.type === "file";

/** `say` tells screen readers. */
export function createAttachments({
  box,
  say,
}: {
  readonly box: HTMLTextAreaElement;
  readonly say: (text: string) => void;
}) {
  const button = byId("attach", HTMLButtonElement);
  const input = byId("files", HTMLInputElement);
  const list = byId("attached", HTMLElement);
  const target = byId("composer", HTMLElement);
  const problem = byId("box-problem", HTMLElement);
  const onProblem = (text: string) => {
    problem.textContent = text;
  };
  /** Conversation -> its uploads. */
  const drafts = new Map<string, readonly Upload[]>();
  let key = "";
  let depth = 0;

  function save(uploads: readonly Upload[]): void {
    drafts.set(key, uploads);
    const done = uploads.filter(({ state }) => state === "done");
    try {
      if (done.length === 0) localStorage.removeItem(draftPrefix + key);
      else {
        const files = done.map(({ id, name, sizeBytes }) => ({ id, name, sizeBytes }));
        localStorage.setItem(draftPrefix + key, JSON.stringify({ atMs: Date.now(), files }));
      }
    } catch {}
  }

  function saved(): readonly Upload[] {
    try {
      const kept: { readonly atMs: number; readonly files: readonly KnownFile[] } = JSON.parse(
        localStorage.getItem(draftPrefix + key) ?? "",
      );
      const { atMs, files } = kept;
      return Date.now() - atMs < draftMs ? files.map(uploaded) : [];
    } catch {
      return [];
    }
  }

  button.append(icon("clip"));
  const basket = createBasket({ list, say, onProblem, onChange: save });

  function add(files: Iterable<File>): void {
    const all = [...files];
    box.focus();
    if (!all.some(mayBeScaled)) {
      basket.add(all);
      return;
    }
    const to = key;
    void Promise.all(all.map(scaledPicture)).then((scaled) => {
      if (key === to) basket.add(scaled);
      else onProblem("You opened another conversation, so the picture isn't attached. Attach it there again.");
    });
  }

  function paste(event: ClipboardEvent) {
    const text = event.clipboardData?.getData("text/plain") ?? "";
    const files = [...(event.clipboardData?.files ?? [])];
    // A spreadsheet copies its cells as text and as a picture.
    if (text === "" && files.length > 0) {
      event.preventDefault();
      return add(files);
    }
    if (text.length + box.value.length <= maxPastedChars || text.length <= 1_000) return;
    event.preventDefault();
    add([new File([text], "pasted.txt", { type: "text/plain" })]);
    onProblem("The pasted text is long, so it's attached as a file.");
  }

  function setDropping(isDropping: boolean): void {
    if (!isDropping) depth = 0;
    target.classList.toggle("is-dropping", isDropping);
  }

  const isDialogOpen = () => document.querySelector("dialog[open]") !== null;

  addEventListener("dragenter", (event) => {
    if (!hasFiles(event) || isDialogOpen()) return;
    depth += 1;
    setDropping(true);
  });
  addEventListener("dragleave", (event) => {
    if (!hasFiles(event) || depth === 0) return;
    depth -= 1;
    if (depth === 0) setDropping(false);
  });
  // Without these the browser opens the file instead of the page. A dialog's own file field takes it without help.
  addEventListener("dragover", (event) => {
    if (hasFiles(event) && !isFileField(event.target)) event.preventDefault();
  });
  addEventListener("drop", (event) => {
    setDropping(false);
    if (!hasFiles(event) || isFileField(event.target)) return;
    event.preventDefault();
    if (isDialogOpen()) return;
    const items = [...(event.dataTransfer?.items ?? [])].filter(({ kind }) => kind === "file");
    const isFolder = (item: DataTransferItem) => item.webkitGetAsEntry?.()?.isDirectory === true;
    const hasFolder = items.some(isFolder);
    add(items.filter((item) => !isFolder(item)).flatMap((item) => item.getAsFile() ?? []));
    if (hasFolder) onProblem("A folder can't be attached. Attach the files in it.");
  });
  box.addEventListener("paste", paste);
  button.addEventListener("click", () => input.click());
  input.addEventListener("change", () => {
    add([...(input.files ?? [])]);
    input.value = "";
  });
  list.addEventListener("emptied", () => box.focus());

  return {
    add,
    /** Uploads of files that are sent at once, without those of the draft. */
    begin: (files: Iterable<File>) => {
      const others = basket.uploads();
      basket.replace([]);
      basket.add(files);
      const begun = basket.uploads();
      basket.replace(others);
      return begun;
    },
    /** Lets people choose files. */
    choose: () => input.click(),
    /** Switches to another conversation. */
    open: (newKey: string) => {
      if (key === newKey) return;
      key = newKey;
      basket.replace(drafts.get(key) ?? saved());
    },
    uploads: () => basket.uploads(),
    /** They were sent. */
    clear: () => basket.replace([]),
    /** They were not sent after all. */
    giveBack: (uploads: readonly Upload[]) => basket.replace([...uploads, ...basket.uploads()]),
  };
}
