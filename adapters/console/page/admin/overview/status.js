/** A strip that says what runs. */
import { element, plain } from "../../drawing/element.js";
import { numberText } from "../kit/numbers.js";
import { lamp } from "../kit/parts.js";

function fact(name, tone, says, text) {
  return element(
    "div.fact",
    {},
    element("dt", {}, lamp(tone, says), name),
    element("dd", { dir: "auto" }, plain(text)),
  );
}

export function stateStrip({ now }) {
  const isBusy = now.waiting > 0;
  return element(
    "dl.panel.strip",
    { "aria-label": "State" },
    fact(
      "Now",
      isBusy ? "warn" : "good",
      isBusy ? "questions wait" : "nothing waits",
      `${numberText(now.running)} running · ${numberText(now.waiting)} waiting`,
    ),
  );
}
