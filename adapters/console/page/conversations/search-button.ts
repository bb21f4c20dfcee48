/**
 * Opens the search by its button, Ctrl+K or Cmd+K. The search itself is loaded when the browser has time, or when it's
 * first opened; what is typed until then is kept for it.
 */

import { element, icon } from "../drawing/element.ts";
import type { State } from "../state.ts";

const load = () => import("./search.tsx");

addEventListener("load", () => setTimeout(() => load().catch(() => undefined), 2_000));

/** Takes the focus, and with it what is typed, until the search is there. */
const catcher = () => element("input.hidden", { type: "text", "aria-label": "Search conversations", maxlength: 200 });

/** `state` knows the channels' names; `onProblem` says why the search doesn't open. */
export function createSearchButton(
  button: HTMLElement,
  { state, onProblem }: { readonly state: State; readonly onProblem: (text: string) => void },
): void {
  button.prepend(icon("search"));
  let isOpening = false;

  async function open(): Promise<void> {
    if (isOpening) return;
    isOpening = true;
    const before = document.activeElement as HTMLElement | null;
    const early = catcher();
    document.body.append(early);
    early.focus();
    try {
      const { openSearch } = await load();
      await openSearch(state, () => {
        const typed = early.value;
        early.remove();
        before?.focus({ preventScroll: true });
        return typed;
      });
    } catch {
      early.remove();
      before?.focus({ preventScroll: true });
      onProblem("The search couldn’t be loaded. Try again in a moment.");
    }
    isOpening = false;
  }

  button.addEventListener("click", open);
  addEventListener("keydown", (event) => {
    const isWanted = event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey);
    if (!isWanted || event.shiftKey || event.altKey) return;
    event.preventDefault();
    if (document.querySelector("dialog[open]") === null) open();
  });
}
