/**
 * Says that the session has ended while the page is open. Everything typed stays on the page: the person signs in again
 * in another tab and comes back.
 */
import type { Me } from "../../people/routes.ts";
import { at } from "../connection/address.ts";
import { onSignedOut, request, signedInAgain } from "../connection/connection.ts";
import { element } from "../drawing/element.ts";

/** `box` shows the sentence; `onBack` is called once this person has signed in again. */
export function watchSession({
  box,
  me,
  onBack,
}: {
  readonly box: HTMLElement;
  readonly me: Me;
  readonly onBack: () => void;
}): void {
  let isOut = false;

  async function look(): Promise<void> {
    if (!isOut) return;
    const { body } = await request<Me>("GET", "api/me");
    if (body === undefined || !isOut) return;
    // Someone else: nothing of this page is theirs.
    if (body.id !== me.id || body.role !== me.role) return location.reload();
    isOut = false;
    box.replaceChildren();
    signedInAgain();
    onBack();
  }

  onSignedOut(() => {
    if (isOut) return;
    isOut = true;
    const link = element("a", { href: at("sign-in"), target: "_blank", rel: "opener" }, "Sign in");
    box.replaceChildren("You're signed out. ", link, " again, then come back here. What you typed is saved.");
  });
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && look());
  addEventListener("focus", look);
}
