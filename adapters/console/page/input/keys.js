/**
 * The page's keys: Esc stops one's own running answer, the up arrow in an empty box edits the last own question, and ?
 * shows all keys. What something else handles, such as a list or a dialog, is left to it.
 */

const ownQuestion = '.message.is-you[aria-label="Your question"]';

/** The newest Stop below a question of one's own in the open conversation. */
function ownStop(thread) {
  return [...thread.querySelectorAll('[data-action="stop"]:not([aria-disabled="true"])')].findLast((button) => {
    let before = button.closest(".message");
    while (before !== null && !before.classList.contains("is-you")) before = before.previousElementSibling;
    return before?.matches(ownQuestion) === true;
  });
}

const isTyping = (target) => target.matches?.("input, textarea, select, [contenteditable]") === true;
const isPlain = ({ ctrlKey, metaKey, altKey, shiftKey }) => !ctrlKey && !metaKey && !altKey && !shiftKey;
/** An input method is composing, and the key is its own. */
const isComposing = (event) => event.isComposing || event.keyCode === 229;
/** The open drawer and a passage of a source close first. */
const isOccupied = () => document.querySelector(".has-menu, .passage:not([hidden])") !== null;

async function showKeys() {
  const { openKeys } = await import("./keys-dialog.js");
  openKeys();
}

/** `isEmpty`: nothing is typed or attached; `say` tells screen readers. */
export function createKeys({ box, thread, isEmpty, say }) {
  document.getElementById("keys").addEventListener("click", showKeys);

  addEventListener("keydown", (event) => {
    if (event.defaultPrevented || isComposing(event) || document.querySelector("dialog[open]") !== null) return;
    const { key, target } = event;
    if (key === "Escape" && isPlain(event)) {
      const stop = isOccupied() || (isTyping(target) && target !== box) ? undefined : ownStop(thread);
      if (stop === undefined) return;
      event.preventDefault();
      say("Stopping the answer.");
      stop.click();
    } else if (key === "ArrowUp" && isPlain(event) && target === box && isEmpty()) {
      const edit = [...thread.querySelectorAll('[aria-label="Edit your question"]')].at(-1);
      if (edit === undefined) return;
      event.preventDefault();
      edit.click();
    } else if (key === "?" && !event.ctrlKey && !event.metaKey && !event.altKey && !isTyping(target)) {
      event.preventDefault();
      showKeys();
    }
  });
}
