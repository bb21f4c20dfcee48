/**
 * Caches which channels and workspaces bind which agent, to tell whether an agent is restricted. Every change of a
 * binding writes a new stamp to the store, so checking the cache costs one read.
 */
import type { BoundPlace, PlacesOf } from "../../ports/access.ts";
import type { Clock } from "../../ports/clock.ts";
import type { KeyValue } from "../../ports/state.ts";

export type BoundPlaces = {
  /** The current bindings. */
  readonly read: () => Promise<PlacesOf>;
  /** Must be called after each change of a binding. */
  readonly changed: () => Promise<void>;
};

/** Maximum age of the cache. It covers a process that died between a change and its stamp. */
const keptMs = 60_000;
const stampKey = "changed";

type Read = {
  readonly stamp: string | undefined;
  readonly atMs: number;
  readonly byAgent: Promise<ReadonlyMap<string, readonly BoundPlace[]>>;
};

export function createBoundPlaces(options: {
  readonly bindings: KeyValue<{ readonly project?: string; readonly agent?: string }>;
  readonly stamps: KeyValue<string>;
  /** AGENT_PROJECT, for bindings that name none. */
  readonly project: string;
  readonly clock: Pick<Clock, "now">;
  readonly newStamp: () => string;
}): BoundPlaces {
  const { bindings, stamps, project, clock, newStamp } = options;
  let last: Read | undefined;

  async function read(): Promise<ReadonlyMap<string, readonly BoundPlace[]>> {
    const byAgent = new Map<string, BoundPlace[]>();
    for await (const [key, binding] of bindings.entries("")) {
      if (binding.agent === undefined) continue;
      const [platform = "", workspace = "", channel = ""] = key.split("/").map(decodeURIComponent);
      const name = keyOf(binding.project ?? project, binding.agent);
      const places = byAgent.get(name) ?? [];
      places.push({ platform, workspace, channel });
      byAgent.set(name, places);
    }
    return byAgent;
  }

  async function current(): Promise<ReadonlyMap<string, readonly BoundPlace[]>> {
    const stamp = await stamps.get(stampKey);
    if (last === undefined || last.stamp !== stamp || clock.now() - last.atMs > keptMs) {
      const next: Read = { stamp, atMs: clock.now(), byAgent: read() };
      last = next;
      next.byAgent.catch(() => {
        if (last === next) last = undefined;
      });
    }
    return last.byAgent;
  }

  return {
    read: async () => {
      const byAgent = await current();
      return (ofProject, agent) => byAgent.get(keyOf(ofProject, agent)) ?? [];
    },
    changed: () => {
      last = undefined;
      return stamps.set(stampKey, newStamp());
    },
  };
}

function keyOf(project: string, agent: string): string {
  return JSON.stringify([project, agent]);
}
