/** Asks whether and where to sign out, and does it. It is loaded when it's opened. */
import { at } from "../connection/address.js";
import { request } from "../connection/connection.js";
import { openForm } from "../input/forms.js";

async function signOut(isEverywhere) {
  const { status, body } = await request("POST", "api/sign-out", { isEverywhere });
  if (status !== 200 && status !== 401) {
    return { problem: body?.error?.what ?? "Couldn't reach Parley, so you are still signed in. Try again." };
  }
  // The provider has a session of its own, which would sign the next person in again.
  location.assign(body?.goTo ?? at("signed-out"));
}

export function askToSignOut({ isVerified }) {
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
