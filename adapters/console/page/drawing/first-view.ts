/** Draws what an empty conversation shows: who answers there, questions to ask, and the next steps. */
import type { ConsolePayload } from "../../writing/messages.ts";
import { element } from "./element.ts";
import { drawInline } from "./inline.ts";
import { type Context, drawBlock, type Press } from "./message.ts";

export function createFirstView({ box, press }: { readonly box: HTMLElement; readonly press: Press }) {
  let shownKey: string | undefined;

  return {
    /** `payload`: undefined while it is being read. */
    show: (isEmpty: boolean, payload: ConsolePayload | undefined, channel: string) => {
      const shown = box.querySelector(":scope > .welcome");
      if (!isEmpty || payload === undefined) {
        shown?.remove();
        return;
      }
      const key = JSON.stringify([channel, payload]);
      if (shown !== null && key === shownKey) return;
      shownKey = key;
      const focused = shown?.contains(document.activeElement) ? document.activeElement?.textContent : undefined;
      const context: Context = { tone: payload.tone, sources: [], charts: [], press };
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
