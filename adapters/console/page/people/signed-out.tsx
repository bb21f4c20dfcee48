/**
 * Says that the session has ended while the page is open. Everything typed stays on the page: the person signs in again
 * in another tab and comes back.
 */
import { render } from "preact";
import type { Me } from "../../people/routes.ts";
import { at } from "../connection/address.ts";
import { onSignedOut, request, signedInAgain } from "../connection/connection.ts";
import { reloadOnce } from "../connection/reload.ts";

function SignedOut() {
  return (
    <>
      You're signed out.{" "}
      <a href={at("sign-in")} target="_blank" rel="noopener opener">
        Sign in
      </a>{" "}
      again, then come back here. What you typed is saved.
    </>
  );
}

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
    if (body.id !== me.id || body.role !== me.role) return void reloadOnce();
    isOut = false;
    render(null, box);
    signedInAgain();
    onBack();
  }

  onSignedOut(() => {
    if (isOut) return;
    isOut = true;
    render(<SignedOut />, box);
  });
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && look());
  addEventListener("focus", look);
}
