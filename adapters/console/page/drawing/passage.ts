/**
 * Shows the beginning of a source's passage beside its number: on hover, on keyboard focus and on touch. One box for
 * the page, placed within the window; Escape hides it, and the pointer may move onto it.
 */
import { element } from "./element.ts";

const gapPx = 6;
const edgePx = 12;
/** Enough to move the pointer from the number to the box. */
const leaveMs = 150;

let box: HTMLElement | undefined;
let owner: HTMLElement | undefined;
let leaving: ReturnType<typeof setTimeout> | undefined;

function hide(): void {
  clearTimeout(leaving);
  owner = undefined;
  if (box !== undefined) box.hidden = true;
}

function leave(): void {
  clearTimeout(leaving);
  leaving = setTimeout(hide, leaveMs);
}

/** A finger leaves when it lifts; the box then stays until the next touch elsewhere. */
function onLeave({ pointerType }: PointerEvent): void {
  if (pointerType !== "touch") leave();
}

function makeBox(): HTMLElement {
  const made = element("div.passage", { hidden: true, "aria-hidden": "true", dir: "auto" });
  made.addEventListener("pointerenter", () => clearTimeout(leaving));
  made.addEventListener("pointerleave", onLeave);
  addEventListener("keydown", (event) => event.key === "Escape" && hide());
  addEventListener("pointerdown", ({ target }) => {
    const isIn = (node: HTMLElement) => target instanceof Node && node.contains(target);
    if (owner !== undefined && !isIn(owner) && !isIn(made)) hide();
  });
  // Also when focus scrolls the number into view.
  addEventListener("scroll", follow, true);
  addEventListener("resize", follow);
  addEventListener("hashchange", hide);
  document.body.append(made);
  return made;
}

/** Below the number, or above it where there is no room; never beyond the window's edges. */
function place(shown: HTMLElement, number: HTMLElement): void {
  const at = number.getBoundingClientRect();
  const { offsetWidth, offsetHeight } = shown;
  const isBelow = at.bottom + gapPx + offsetHeight <= innerHeight || at.top < offsetHeight + gapPx;
  const left = Math.max(edgePx, Math.min(at.left, innerWidth - offsetWidth - edgePx));
  shown.style.left = `${left}px`;
  shown.style.top = `${isBelow ? at.bottom + gapPx : at.top - gapPx - offsetHeight}px`;
}

function follow(): void {
  if (box !== undefined && owner?.isConnected === true) place(box, owner);
  else hide();
}

function show(number: HTMLElement, excerpt: string): void {
  clearTimeout(leaving);
  box ??= makeBox();
  owner = number;
  box.textContent = excerpt;
  box.hidden = false;
  place(box, number);
}

/** `number`: what can be focused, a link or a button. Screen readers get the passage as its description. */
export function showsPassage<Number extends HTMLElement>(number: Number, excerpt: string): Number {
  number.setAttribute("aria-description", excerpt);
  number.classList.add("has-passage");
  number.removeAttribute("title");
  number.addEventListener("pointerenter", () => show(number, excerpt));
  number.addEventListener("pointerleave", onLeave);
  number.addEventListener("focus", () => show(number, excerpt));
  number.addEventListener("blur", () => owner === number && hide());
  return number;
}

/** The number of a source that leads nowhere. */
export function passageButton(label: string, excerpt: string): HTMLButtonElement {
  return showsPassage(element("button.number", { type: "button" }, label), excerpt);
}
