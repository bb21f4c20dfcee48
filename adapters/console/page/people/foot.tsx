/** Shows at the sidebar's foot who is signed in, their tokens, the way to the admin part, and how to sign out. */
import { render } from "preact";
import type { Me } from "../../people/routes.ts";
import { plain } from "../drawing/element.ts";
import { loadPart } from "../input/problem.ts";
import { roleWords } from "./roles.ts";

const openAccess = () => loadPart(async () => (await import("./access-dialog.tsx")).openAccess());
const askToSignOut = (me: Me) => loadPart(async () => (await import("./sign-out.ts")).askToSignOut(me));

function Person({ me }: { readonly me: Me }) {
  return (
    <>
      <div class="me-text">
        <b class="me-name" dir="auto">
          {plain(me.name)}
        </b>
        <span class="me-role">{roleWords[me.role]}</span>
      </div>
      <button type="button" class="action is-plain" onClick={openAccess}>
        Tokens
      </button>
      {me.canSignOut ? (
        <button type="button" class="action is-plain" onClick={() => askToSignOut(me)}>
          Sign out
        </button>
      ) : undefined}
    </>
  );
}

/** `person` and `admin`: elements at the sidebar's foot, hidden until then. */
export function showFoot(person: HTMLElement, admin: HTMLElement, me: Me): void {
  admin.hidden = me.adminPages.length === 0;
  if (me.how === "loopback") return;
  person.className = "me";
  person.hidden = false;
  render(<Person me={me} />, person);
}
