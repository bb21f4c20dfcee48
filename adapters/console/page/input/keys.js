/**
 * The page's keys: Esc stops one's own running answer, the up arrow in an empty box edits the last own question, and ?
 * shows all keys. What something else handles, such as a list or a dialog, is left to it.
 */

/** The newest Stop of an answer to one's own question in the open conversation, where several people may ask. */
function ownStop(thread, me) {
  const stops = '[data-action="stop"]:not([aria-disabled="true"])';
  return [...thread.querySelectorAll(stops)].findLast(({ dataset }) => dataset.asker === me.id);
}

/** Edit of one's own last question. While that isn't sent yet it has none, and an earlier one isn't the last. */
const ownEdit = (thread) => [...thread.querySelectorAll(".message.is-own")].at(-1)?.querySelector(".is-edit");

const isTyping = (target) => target.matches?.("input, textarea, select, [contenteditable]") === true;
const isPlain = ({ ctrlKey, metaKey, altKey, shiftKey }) => !ctrlKey && !metaKey && !altKey && !shiftKey;
/** An input method is composing, and the key is its own. */
const isComposing = (event) => event.isComposing || event.keyCode === 229;
/** The open drawer and a passage of a source close first. */
const isOccupied = () => document.querySelector(".has-menu, .passage:not([hidden])") !== null;

async function showKeys() {
  const { openKeys } = await import("./keys-dialog.js");
  await openKeys();
}

/** `me` reads this page; `isEmpty`: nothing is typed or attached; `say` tells screen readers. */
export function createKeys({ box, thread, me, isEmpty, say }) {
  document.getElementById("keys").addEventListener("click", showKeys);

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
