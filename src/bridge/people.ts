/**
 * Remembers people as they were last seen. A question can wait or run for a long time, and its asker may become a guest
 * meanwhile; later decisions use the newest data.
 */

import { LRUCache } from "lru-cache";
import { type Actor, type Place, personKey, workspaceKey } from "../core/model/place.ts";
import type { Clock } from "../core/ports/clock.ts";
import { systemClock } from "../core/tools/system-clock.ts";
import { withTimeout } from "../core/tools/timeout.ts";
import { wordsOfName } from "./overheard/spoken-to.ts";

export type People = {
  readonly saw: (actor: Actor, place: Place) => void;
  /** The actor as last seen there, or as given. */
  readonly newest: (actor: Actor, place: Place) => Actor;
  /** What the people are called by that this process has seen in that workspace, as `nameWord` has it. */
  readonly calledBy: (place: Place) => ReadonlySet<string>;
  /** Undefined: not seen there by this process, and the platform didn't say in time. Never rejects. */
  readonly nameOf: (id: string, place: Place) => Promise<string | undefined>;
};

/** Asks the platform for a name. */
export type LookUpName = (id: string, place: Place) => Promise<string | undefined>;

/** About 2 MB. The person seen least recently is forgotten. */
const maxPeople = 10_000;

/** A refusal waits no longer for the names in it. */
const nameMs = 800;

export function createPeople(lookUp: LookUpName = async () => undefined, clock: Clock = systemClock): People {
  const seen = new LRUCache<string, Actor>({ max: maxPeople });
  const callNames = new WeakMap<Actor, readonly string[]>();
  const keyOf = (actor: Pick<Actor, "id">, place: Place) => personKey(place, actor);
  return {
    saw: (actor, place) => {
      // An unverified actor is a guess, so it replaces nothing.
      if (actor.isUnverified === true) return;
      seen.set(keyOf(actor, place), actor);
    },
    calledBy: (place) => {
      const workspace = `${workspaceKey(place)}/`;
      const names = new Set<string>();
      for (const [key, actor] of seen) {
        if (actor.isBot || !key.startsWith(workspace)) continue;
        const known = callNames.get(actor) ?? wordsOfName(actor.name);
        callNames.set(actor, known);
        for (const name of known) names.add(name);
      }
      return names;
    },
    newest: (actor, place) => seen.get(keyOf(actor, place)) ?? actor,
    nameOf: async (id, place) => seen.get(keyOf({ id }, place))?.name ?? withTimeout(lookUp(id, place), nameMs, clock),
  };
}
