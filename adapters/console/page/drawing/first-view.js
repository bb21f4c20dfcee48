/** Draws what an empty conversation shows: who answers there, questions to ask, and the next steps. */
import { element } from "./element.js";
import { drawInline } from "./inline.js";
import { drawBlock } from "./message.js";

export function createFirstView({ box, press }) {
  let shownKey;

  return {
    /** `payload`: undefined while it is being read. */
    show: (isEmpty, payload, channel) => {
      const shown = box.querySelector(":scope > .welcome");
      if (!isEmpty || payload === undefined) {
        shown?.remove();
        return;
      }
      const key = JSON.stringify([channel, payload]);
      if (shown !== null && key === shownKey) return;
      shownKey = key;
      const focused = shown?.contains(document.activeElement) ? document.activeElement.textContent : undefined;
      const context = { tone: payload.tone, sources: [], press };
      const drawn = element(
        "section.welcome",
        {},
        ...payload.blocks.map((block) =>
          block.kind === "headline" ? element("h2", {}, ...drawInline(block.text)) : drawBlock(block, context),
        ),
      );
      if (shown === null) box.append(drawn);
      else shown.replaceWith(drawn);
      if (focused !== undefined) {
        [...drawn.querySelectorAll("button")].find(({ textContent }) => textContent === focused)?.focus();
      }
    },
  };
}
