/**
 * Shows the beginning of a source's passage beside its number: on hover, on keyboard focus and on touch. One box for
 * the page, placed within the window; Escape hides it, and the pointer may move onto it.
 */
import { element } from "./element.js";

const gapPx = 6;
const edgePx = 12;
/** Enough to move the pointer from the number to the box. */
const leaveMs = 150;

let box;
let owner;
let leaving;

function hide() {
  clearTimeout(leaving);
  owner = undefined;
  if (box !== undefined) box.hidden = true;
}

function leave() {
  clearTimeout(leaving);
  leaving = setTimeout(hide, leaveMs);
}

/** A finger leaves when it lifts; the box then stays until the next touch elsewhere. */
function onLeave({ pointerType }) {
  if (pointerType !== "touch") leave();
}

function makeBox() {
  const made = element("div.passage", { hidden: true, "aria-hidden": "true", dir: "auto" });
  made.addEventListener("pointerenter", () => clearTimeout(leaving));
  made.addEventListener("pointerleave", onLeave);
  addEventListener("keydown", (event) => event.key === "Escape" && hide());
  addEventListener("pointerdown", ({ target }) => {
    if (owner !== undefined && !owner.contains(target) && !made.contains(target)) hide();
  });
  // Also when focus scrolls the number into view.
  addEventListener("scroll", follow, true);
  addEventListener("resize", follow);
  addEventListener("hashchange", hide);
  document.body.append(made);
  return made;
}

/** Below the number, or above it where there is no room; never beyond the window's edges. */
function place(number) {
  const at = number.getBoundingClientRect();
  const { offsetWidth, offsetHeight } = box;
  const isBelow = at.bottom + gapPx + offsetHeight <= innerHeight || at.top < offsetHeight + gapPx;
  const left = Math.max(edgePx, Math.min(at.left, innerWidth - offsetWidth - edgePx));
  box.style.left = `${left}px`;
  box.style.top = `${isBelow ? at.bottom + gapPx : at.top - gapPx - offsetHeight}px`;
}

function follow() {
  if (owner?.isConnected === true) place(owner);
  else hide();
}

function show(number, excerpt) {
  clearTimeout(leaving);
  box ??= makeBox();
  owner = number;
  box.textContent = excerpt;
  box.hidden = false;
  place(number);
}

/** `number`: what can be focused, a link or a button. Screen readers get the passage as its description. */
export function showsPassage(number, excerpt) {
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
export function passageButton(label, excerpt) {
  return showsPassage(element("button.number", { type: "button" }, label), excerpt);
}
