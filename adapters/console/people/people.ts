/** Remembers who has used the page, and their role then: schedules and checks act for people who aren't there. */
import type { Actor } from "../../../src/ports/model/place.ts";
import type { KeyValue } from "../../../src/ports/state.ts";
import { putNewest } from "../../../src/ports/tools/newest.ts";
import { workspaceName } from "../intake/inbound.ts";
import { maxKnownPeople } from "../limits.ts";
import { type HeaderSettings, visitorNamed } from "./user-header.ts";
import { actorOf, localVisitor, type Visitor } from "./visitor.ts";

export type KnownPerson = { readonly version: 1; readonly visitor: Visitor };

const keyOf = ({ id }: { readonly id: string }) => `${workspaceName}/${encodeURIComponent(id)}`;

export function createPeople({
  store,
  wayOf,
  userHeader,
}: {
  readonly store: KeyValue<KnownPerson>;
  /** Undefined if that way to sign in is closed. */
  readonly wayOf: (visitor: Visitor) => string | undefined;
  readonly userHeader: HeaderSettings | undefined;
}) {
  // So that a header, which comes with every request, costs no write each time.
  const written = new Map<string, string>();

  return {
    saw: async (visitor: Visitor): Promise<void> => {
      const text = JSON.stringify(visitor);
      if (written.get(visitor.id) === text) return;
      await store.set(keyOf(visitor), { version: 1, visitor });
      putNewest(written, visitor.id, text, maxKnownPeople);
    },

    /** That person as the settings see them now; "gone" if their way to sign in is closed. */
    now: async (actor: Actor): Promise<Actor | "gone" | undefined> => {
      // Records of the version before, when everyone on the page was this person.
      if (actor.id === localVisitor.id) return actor;
      const known = (await store.get(keyOf(actor)))?.visitor;
      if (known === undefined) return undefined;
      if (known.how === "header")
        return userHeader === undefined ? "gone" : actorOf(visitorNamed(known.id, userHeader));
      return wayOf(known) === undefined ? "gone" : actorOf(known);
    },
  };
}
