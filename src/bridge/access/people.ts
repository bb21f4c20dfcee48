/**
 * People as they were last seen. A question may wait or run for long, and its asker may become a guest meanwhile: what
 * is decided about it later goes by what was heard of them since.
 */
import { type Actor, type Place, workspaceKey } from "../../ports/model/place.ts";

export type People = {
  readonly saw: (actor: Actor, place: Place) => void;
  /** The actor as last seen there, or as given. */
  readonly newest: (actor: Actor, place: Place) => Actor;
};

/** People, not kB: about 2 MB. The one that was seen first is forgotten. */
const maxPeople = 10_000;

export function createPeople(): People {
  const seen = new Map<string, Actor>();
  const keyOf = ({ id }: Actor, place: Place) => `${workspaceKey(place)}/${encodeURIComponent(id)}`;
  return {
    saw: (actor, place) => {
      // A guess is no news.
      if (actor.isUnverified === true) return;
      const key = keyOf(actor, place);
      seen.delete(key);
      seen.set(key, actor);
      if (seen.size > maxPeople) seen.delete(seen.keys().next().value ?? "");
    },
    newest: (actor, place) => seen.get(keyOf(actor, place)) ?? actor,
  };
}
