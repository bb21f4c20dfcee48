/**
 * The message box. Saves a draft per conversation until it is sent, so that neither a reload nor a visit to another
 * conversation loses it.
 */
import { named } from "../connection/address.ts";
import type { Upload } from "../connection/upload.ts";
import type { createAttachments } from "./attachments.ts";
import type { createCompletion } from "./completion.tsx";

const draftPrefix = named("draft.");

export function createComposer({
  form,
  box,
  problem,
  completion,
  attachments,
  kept,
  onSend,
}: {
  readonly form: HTMLElement;
  readonly box: HTMLTextAreaElement;
  readonly problem: HTMLElement;
  readonly completion: ReturnType<typeof createCompletion>;
  readonly attachments: ReturnType<typeof createAttachments>;
  /** Begins the keys of this person's drafts. */
  readonly kept: string;
  readonly onSend: (text: string, uploads: readonly Upload[]) => void;
}) {
  let key = "";
  /** What goes along to the conversation that is opened next. */
  let carried: { readonly text: string; readonly uploads: readonly Upload[] } | undefined;

  function adjustHeight(): void {
    // Grows with its text, up to 12 rows.
    box.rows = 1;
    const lineHeight = Number.parseFloat(getComputedStyle(box).lineHeight) || 24;
    const padding = box.offsetHeight - lineHeight;
    box.rows = Math.max(1, Math.min(12, Math.round((box.scrollHeight - padding) / lineHeight)));
  }

  function saveDraft(): void {
    try {
      if (box.value === "") localStorage.removeItem(draftPrefix + kept + key);
      else localStorage.setItem(draftPrefix + kept + key, box.value);
    } catch {}
  }

  function send(): void {
    const uploads = attachments.uploads();
    const failed = uploads.find(({ state }) => state === "failed");
    if (failed !== undefined) {
      problem.textContent = `${failed.problem} Remove it before you send.`;
      return;
    }
    if (box.value.trim() === "" && uploads.length === 0) {
      problem.textContent = "Write a question first.";
      box.focus();
      return;
    }
    const text = box.value;
    box.value = "";
    attachments.clear();
    saveDraft();
    adjustHeight();
    completion.close();
    onSend(text, uploads);
    box.focus();
  }

  box.addEventListener("input", () => {
    problem.textContent = "";
    saveDraft();
    adjustHeight();
    completion.update();
  });
  box.addEventListener("keydown", (event) => {
    if (completion.onKey(event)) return event.preventDefault();
    // Ignore the Enter that ends an input method's composition.
    if (event.key !== "Enter" || event.shiftKey || event.isComposing || event.keyCode === 229) return;
    event.preventDefault();
    send();
  });
  box.addEventListener("blur", () => completion.close());
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send();
  });

  return {
    /** Switches to another conversation and restores its draft, before what was typed while the page was loading. */
    open: (newKey: string) => {
      if (key === newKey) return;
      const { text, uploads } = carried ?? { text: key === "" ? box.value : "", uploads: [] };
      carried = undefined;
      key = newKey;
      attachments.open(kept + key);
      problem.textContent = "";
      try {
        box.value = localStorage.getItem(draftPrefix + kept + key) ?? "";
      } catch {
        box.value = "";
      }
      if (text !== "") {
        box.value = box.value === "" ? text : `${box.value}\n${text}`;
        saveDraft();
      }
      if (uploads.length > 0) attachments.giveBack(uploads);
      adjustHeight();
    },
    /** Another channel was chosen for what is typed and attached. */
    carry: () => {
      carried = { text: box.value, uploads: attachments.uploads() };
      box.value = "";
      attachments.clear();
      saveDraft();
    },
    /** Puts unsent text back, before anything typed since. */
    giveBack: (text: string, why: string, uploads: readonly Upload[] = []) => {
      attachments.giveBack(uploads);
      if (text !== "") box.value = box.value === "" ? text : `${text}\n${box.value}`;
      problem.textContent = why;
      saveDraft();
      adjustHeight();
      box.focus();
    },
    /** Nothing is typed or attached. */
    isEmpty: () => box.value === "" && attachments.uploads().length === 0,
    adjustHeight,
    focus: () => box.focus(),
  };
}
