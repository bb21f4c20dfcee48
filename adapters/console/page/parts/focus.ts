/** Keeps the keyboard's place when what it is on is drawn again. */

const controls = "a[href], button, input, select, textarea, summary";
const nameOf = (node: Element) => `${node.tagName} ${node.getAttribute("aria-label") ?? node.textContent}`;

/**
 * Returns a function that, once `box` was drawn again, focuses the control of the same name in it, or the one that took
 * its place. Not if the focus went elsewhere meanwhile.
 */
export function rememberFocus(box: HTMLElement): () => void {
  const had = document.activeElement;
  const at = had === null ? -1 : [...box.querySelectorAll(controls)].indexOf(had);
  if (had === null || at < 0) return () => {};
  const name = nameOf(had);
  return () => {
    if (document.activeElement !== document.body) return;
    const now = [...box.querySelectorAll<HTMLElement>(controls)];
    const next = now.find((node) => nameOf(node) === name) ?? now[Math.min(at, now.length - 1)];
    next?.focus({ preventScroll: true });
  };
}
