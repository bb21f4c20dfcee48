/**
 * The page's keys: Esc stops one's own running answer, the up arrow in an empty box edits the last own question, and ?
 * shows all keys. What something else handles, such as a list or a dialog, is left to it.
 */

import type { Me } from "../../people/routes.ts";
import { byId } from "../drawing/element.ts";
import { loadPart } from "./problem.ts";

/** The newest Stop of an answer to one's own question in the open conversation, where several people may ask. */
function ownStop(thread: HTMLElement, me: Me): HTMLElement | undefined {
  const stops = '[data-action="stop"]:not([aria-disabled="true"])';
  return [...thread.querySelectorAll<HTMLElement>(stops)].findLast(({ dataset }) => dataset["asker"] === me.id);
}

/** Edit of one's own last question. While that isn't sent yet it has none, and an earlier one isn't the last. */
const ownEdit = (thread: HTMLElement) =>
  [...thread.querySelectorAll(".message.is-own")].at(-1)?.querySelector<HTMLElement>(".is-edit");

const isTyping = (target: EventTarget | null) =>
  target instanceof Element && target.matches("input, textarea, select, [contenteditable]");
const isPlain = ({ ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent) => !ctrlKey && !metaKey && !altKey && !shiftKey;
/** An input method is composing, and the key is its own. */
const isComposing = (event: KeyboardEvent) => event.isComposing || event.keyCode === 229;
/** The open drawer and a passage of a source close first. */
const isOccupied = () => document.querySelector(".has-menu, .passage:not([hidden])") !== null;

async function showKeys(): Promise<void> {
  await loadPart(async () => (await import("./keys-dialog.tsx")).openKeys());
}

export function createKeys({
  box,
  thread,
  me,
  isEmpty,
  say,
}: {
  readonly box: HTMLTextAreaElement;
  readonly thread: HTMLElement;
  readonly me: Me;
  /** Nothing is typed or attached. */
  readonly isEmpty: () => boolean;
  /** Tells screen readers. */
  readonly say: (text: string) => void;
}): void {
  byId("keys", HTMLButtonElement).addEventListener("click", showKeys);

  addEventListener("keydown", (event) => {
    if (event.defaultPrevented || isComposing(event) || document.querySelector("dialog[open]") !== null) return;
    const { key, target } = event;
    if (key === "Escape" && isPlain(event)) {
      const stop = isOccupied() || (isTyping(target) && target !== box) ? undefined : ownStop(thread, me);
      if (stop === undefined) return;
      event.preventDefault();
      say("Stopping the answer.");
      stop.click();
    } else if (key === "ArrowUp" && isPlain(event) && target === box && isEmpty()) {
      const edit = ownEdit(thread);
      if (!edit) return;
      event.preventDefault();
      edit.click();
    } else if (key === "?" && !event.ctrlKey && !event.metaKey && !event.altKey && !isTyping(target)) {
      event.preventDefault();
      showKeys();
    }
  });
}
