/**
 * Remembers who has used the page, and their role then: schedules and checks act for people who aren't there. Guests,
 * who are known by their browser only, are forgotten a session's time after they were last seen.
 */
import { LRUCache } from "lru-cache";
import type { Actor } from "../../../src/core/model/place.ts";
import type { Clock } from "../../../src/core/ports/clock.ts";
import type { KeyValue } from "../../../src/core/ports/state.ts";
import { workspaceName } from "../intake/inbound.ts";
import { maxKnownPeople, sessionMs } from "../limits.ts";
import { isBrowserId } from "./tokens.ts";
import { type HeaderSettings, visitorNamed } from "./user-header.ts";
import { actorOf, isGuest, localVisitor, type Visitor } from "./visitor.ts";

export type KnownPerson = { readonly version: 1; readonly visitor: Visitor; readonly seenAtMs: number };

/** Ms after which a visit is written down again. */
const seenEveryMs = 3_600_000;

const keyOf = ({ id }: { readonly id: string }) => `${workspaceName}/${encodeURIComponent(id)}`;

export function createPeople({
  store,
  wayOf,
  userHeader,
  clock,
}: {
  readonly store: KeyValue<KnownPerson>;
  /** Undefined if that way to sign in is closed. */
  readonly wayOf: (visitor: Visitor) => string | undefined;
  readonly userHeader: HeaderSettings | undefined;
  readonly clock: Pick<Clock, "now">;
}) {
  // So that a request costs no write each time.
  const written = new LRUCache<string, { readonly text: string; readonly atMs: number }>({ max: maxKnownPeople });

  const write = (visitor: Visitor): Promise<void> =>
    store.set(keyOf(visitor), { version: 1, visitor, seenAtMs: clock.now() }, isGuest(visitor) ? sessionMs : undefined);

  /** As the settings see them now; "gone" if their way to sign in is closed. */
  async function known(id: string): Promise<KnownPerson | "gone" | undefined> {
    const found = await store.get(keyOf({ id }));
    if (found === undefined) return isBrowserId(id) ? "gone" : undefined;
    if (found.visitor.how !== "header") return wayOf(found.visitor) === undefined ? "gone" : found;
    return userHeader === undefined ? "gone" : { ...found, visitor: visitorNamed(found.visitor.id, userHeader) };
  }

  return {
    signedIn: write,

    saw: async (visitor: Visitor): Promise<void> => {
      const text = JSON.stringify(visitor);
      const last = written.get(visitor.id);
      // Also if the clock was set back meanwhile.
      const isRecent = last !== undefined && Math.abs(clock.now() - last.atMs) < seenEveryMs;
      if (last?.text === text && isRecent) return;
      await write(visitor);
      written.set(visitor.id, { text, atMs: clock.now() });
    },

    known,

    /** That person as the settings see them now; "gone" if their way to sign in is closed. */
    now: async (actor: Actor): Promise<Actor | "gone" | undefined> => {
      // Everyone on the page, where nobody signs in.
      if (actor.id === localVisitor.id) return actor;
      const found = await known(actor.id);
      return found === undefined || found === "gone" ? found : actorOf(found.visitor);
    },
  };
}
