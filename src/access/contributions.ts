/**
 * Remembers which knowledge bases a person created or added to. They stay within that person's reach, wherever the
 * agents that use them answer. One entry each, so that two instances do not overwrite each other.
 */
import type { Runtime } from "../app.ts";
import type { Contributions } from "../core/access.ts";
import { type Actor, type Place, personKey } from "../core/model/place.ts";

export type Contribution = { readonly atMs: number };

/** Per person; a new entry replaces the oldest. */
const maxContributions = 100;
/** Counted from the person's last addition. */
const keptMs = 365 * 86_400_000;

/** Keys begin with the workspace and the person. */
export function createContributions({ state, clock }: Runtime): Contributions {
  const store = state.keyValue<Contribution>("contributions");
  const prefixOf = (actor: Pick<Actor, "id">, place: Place) => `${personKey(place, actor)}/`;

  async function entriesOf(prefix: string): Promise<readonly (readonly [string, Contribution])[]> {
    const found: (readonly [string, Contribution])[] = [];
    for await (const entry of store.entries(prefix)) found.push(entry);
    return found;
  }

  return {
    of: async (actor, place) => {
      const prefix = prefixOf(actor, place);
      return (await entriesOf(prefix)).map(([key]) => {
        const [project = "", name = ""] = key.slice(prefix.length).split("/").map(decodeURIComponent);
        return { project, name };
      });
    },
    note: async (actor, place, { project, name }) => {
      const prefix = prefixOf(actor, place);
      const key = `${prefix}${encodeURIComponent(project)}/${encodeURIComponent(name)}`;
      await store.set(key, { atMs: clock.now() }, keptMs);
      const known = await entriesOf(prefix);
      const oldest = [...known]
        .sort(([, a], [, b]) => a.atMs - b.atMs)
        .slice(0, Math.max(0, known.length - maxContributions));
      for (const [old] of oldest) await store.delete(old);
    },
  };
}
