/**
 * Caches which channels and workspaces bind which agent or knowledge base, to tell whether it is restricted. Every
 * change of a binding writes a new stamp to the store, so checking the cache costs one read.
 */
import { LRUCache } from "lru-cache";
import type { BoundPlace, Named, PlacesOf } from "../core/access.ts";
import type { Workspace } from "../core/model/place.ts";
import type { Clock } from "../core/ports/clock.ts";
import type { KeyValue } from "../core/ports/state.ts";
import { byClock } from "../core/tools/cache-time.ts";

export type BoundPlaces = {
  /** The current bindings. */
  readonly read: () => Promise<PlacesOf>;
  /** Those that chose that knowledge base. */
  readonly choosing: (knowledgeBase: Named) => Promise<readonly BoundPlace[]>;
  /** Must be called after each change of a binding. */
  readonly changed: () => Promise<void>;
};

/** Maximum age of the cache. It covers a process that died between a change and its stamp. */
const keptMs = 60_000;
const stampKey = "changed";

type Places = ReadonlyMap<string, readonly BoundPlace[]>;

type ByName = { readonly byAgent: Places; readonly byBase: Places };

export function createBoundPlaces(options: {
  readonly bindings: KeyValue<{ readonly project?: string; readonly agent?: string; readonly knowledgeBase?: string }>;
  readonly stamps: KeyValue<string>;
  /** For bindings that name no project. */
  readonly projectOf: (place: Workspace) => string;
  readonly clock: Pick<Clock, "now">;
  readonly newStamp: () => string;
}): BoundPlaces {
  const { bindings, stamps, projectOf, clock, newStamp } = options;
  /** By stamp. */
  const cache = new LRUCache<string, ByName>({
    max: 1,
    ttl: keptMs,
    ...byClock(clock),
    ignoreFetchAbort: true,
    fetchMethod: read,
  });

  async function read(): Promise<ByName> {
    const byAgent = new Map<string, BoundPlace[]>();
    const byBase = new Map<string, BoundPlace[]>();
    for await (const [key, binding] of bindings.entries("")) {
      const place = placeOfKey(key);
      const project = binding.project ?? projectOf(place);
      if (binding.agent !== undefined) note(byAgent, keyOf(project, binding.agent), place);
      if (binding.knowledgeBase !== undefined) note(byBase, keyOf(projectOf(place), binding.knowledgeBase), place);
    }
    return { byAgent, byBase };
  }

  async function current(): Promise<ByName> {
    return cache.forceFetch((await stamps.get(stampKey)) ?? "");
  }

  return {
    choosing: async ({ project, name }) => (await current()).byBase.get(keyOf(project, name)) ?? [],
    read: async () => {
      const { byAgent } = await current();
      return (ofProject, agent) => byAgent.get(keyOf(ofProject, agent)) ?? [];
    },
    changed: () => {
      cache.clear();
      return stamps.set(stampKey, newStamp());
    },
  };
}

/** The reverse of `channelKey` and `workspaceKey`. */
export function placeOfKey(key: string): BoundPlace {
  const [platform = "", workspace = "", channel = ""] = key.split("/").map(decodeURIComponent);
  return { platform, workspace, channel };
}

function note(places: Map<string, BoundPlace[]>, name: string, place: BoundPlace): void {
  const known = places.get(name) ?? [];
  known.push(place);
  places.set(name, known);
}

function keyOf(project: string, agent: string): string {
  return JSON.stringify([project, agent]);
}
