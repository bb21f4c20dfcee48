/** Shows at the sidebar's foot who is signed in, the way to the admin part, and how to sign out. */
import { at } from "../connection/address.js";
import { request } from "../connection/connection.js";
import { element, plain } from "../drawing/element.js";
import { openForm } from "../input/forms.js";
import { roleWords } from "./roles.js";

async function signOut(isEverywhere) {
  const { status, body } = await request("POST", "api/sign-out", { isEverywhere });
  if (status !== 200 && status !== 401) {
    return { problem: body?.error?.what ?? "Couldn't reach Parley, so you are still signed in. Try again." };
  }
  // The provider has a session of its own, which would sign the next person in again.
  location.assign(body?.goTo ?? at("signed-out"));
}

function askToSignOut({ isVerified }) {
  const where = {
    name: "where",
    label: "Where",
    type: "select",
    isRequired: true,
    initial: "here",
    choices: [
      { value: "here", label: "In this browser" },
      { value: "everywhere", label: "In every browser" },
    ],
  };
  const form = {
    title: "Sign out?",
    submitLabel: "Sign out",
    text: "What you typed and haven't sent stays in this browser. Only you will see it.",
    fields: isVerified ? [where] : [],
  };
  openForm(form, { submit: (values) => signOut(values.where === "everywhere") });
}

export function drawFoot(box, me) {
  if (me.adminPages.length > 0) box.querySelector("a").before(element("a", { href: at("admin") }, "Admin"));
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
