/** Opens the search by its button, Ctrl+K or Cmd+K. The search itself is loaded when it's first opened. */
import { icon } from "../drawing/element.js";

/** `state` knows the channels' names. */
export function createSearchButton(button, state) {
  button.prepend(icon("search"));

  async function open() {
    const { openSearch } = await import("./search.js");
    openSearch(state);
  }

  button.addEventListener("click", open);
  addEventListener("keydown", (event) => {
    const isWanted = event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey);
    if (!isWanted || event.shiftKey || event.altKey) return;
    event.preventDefault();
    if (document.querySelector("dialog[open]") === null) open();
  });
}
