/** Asks whether and where to sign out, and does it. It is loaded when it's opened. */
import type { Me } from "../../people/routes.ts";
import { at } from "../connection/address.ts";
import { request } from "../connection/connection.ts";
import { openForm } from "../input/forms.ts";
import type { FormOutcome, ShownForm } from "../input/shown-form.ts";

async function signOut(isEverywhere: boolean): Promise<FormOutcome> {
  const { status, body, refusal } = await request<{ readonly goTo?: string }>("POST", "api/sign-out", { isEverywhere });
  if (status !== 200 && status !== 401) {
    return { problem: refusal?.error?.what ?? "Couldn't reach Parley, so you are still signed in. Try again." };
  }
  // The provider has a session of its own, which would sign the next person in again.
  location.assign(body?.goTo ?? at("signed-out"));
  return undefined;
}

export function askToSignOut({ isVerified }: Me): void {
  const where: ShownForm["fields"][number] = {
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
  const form: ShownForm = {
    title: "Sign out?",
    submitLabel: "Sign out",
    text: "What you typed and haven't sent stays in this browser. Only you will see it.",
    fields: isVerified ? [where] : [],
  };
  openForm(form, { submit: (values) => signOut(values["where"] === "everywhere") });
}
