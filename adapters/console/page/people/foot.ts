/** Shows at the sidebar's foot who is signed in, the way to the admin part, and how to sign out. */
import type { Me } from "../../people/routes.ts";
import { at } from "../connection/address.ts";
import { element, plain } from "../drawing/element.ts";
import { roleWords } from "./roles.ts";

const askToSignOut = async (me: Me) => (await import("./sign-out.ts")).askToSignOut(me);

export function drawFoot(box: HTMLElement, me: Me): void {
  if (me.adminPages.length > 0) box.querySelector("a")?.before(element("a", { href: at("admin") }, "Admin"));
  if (me.how === "loopback") return;
  const note = me.isVerified ? roleWords[me.role] : `unverified · ${roleWords[me.role]}`;
  box.prepend(
    element(
      "div.me",
      {},
      element(
        "div.me-text",
        {},
        element("b.me-name", { dir: "auto" }, plain(me.name)),
        element("span.me-role", {}, note),
      ),
      me.canSignOut
        ? element("button.action.is-plain", { type: "button", click: () => askToSignOut(me) }, "Sign out")
        : undefined,
    ),
  );
}
