/** Says that an address leads nowhere: its conversation or channel was deleted, or belongs to someone else. */
import { element } from "../drawing/element.ts";
import { hrefOf } from "./address.ts";
import type { Missing } from "./missing.ts";

/** `box` shows the conversation, `dock` is where people write. */
export function createGone({ box, dock }: { readonly box: HTMLElement; readonly dock: HTMLElement }) {
  return {
    /** `what` is missing; undefined: the address is fine. `channel` is where a new conversation begins. */
    show: (what: Missing | undefined, channel: string) => {
      const shown = box.querySelector(":scope > .gone");
      dock.hidden = what !== undefined;
      if (what === undefined) return shown?.remove();
      const drawn = element(
        "section.gone",
        {},
        element("h2", {}, `This ${what} no longer exists or isn’t yours.`),
        element("p.soft", {}, "It may have been deleted, or it may have expired."),
        element("a.action.is-primary.begin", { href: hrefOf({ channel }) }, "New conversation"),
      );
      if (shown === null) box.append(drawn);
      else shown.replaceWith(drawn);
      return undefined;
    },
  };
}
