/** Gaps in memory, listed as the real ones are: by the audience of each asker, heaviest first. */
import type { Audience, Gaps } from "../../src/core/content/gaps.ts";
import type { Asker, Gap } from "../../src/core/model/insight.ts";

export function createMemoryGaps(): Gaps & { readonly put: (gap: Gap) => void } {
  const kept = new Map<string, Gap>();
  const isFor = (audience: Audience, { visibility, isShared, place, actor }: Asker) => {
    if (audience.kind === "public") return visibility === "public" || isShared === true;
    if (audience.kind === "person") return visibility === "direct" && actor.id === audience.person;
    if (audience.kind === "channel") return visibility !== "public" && place.channel === audience.channel;
    return true;
  };
  const listed = (scope: Pick<Gap, "platform" | "workspace" | "agent">, state: Gap["state"], audience: Audience) =>
    [...kept.values()]
      .filter((gap) => gap.state === state && gap.workspace === scope.workspace && gap.platform === scope.platform)
      .filter(({ agent }) => agent.project === scope.agent.project && agent.name === scope.agent.name)
      .filter(({ askers }) => audience.kind === "all" || askers.some((asker) => isFor(audience, asker)))
      .map((gap) => ({ gap, weight: gap.askerCount }))
      .sort((one, other) => other.weight - one.weight);
  return {
    put: (gap) => void kept.set(gap.id, gap),
    get: async ({ workspace }, id) => (kept.get(id)?.workspace === workspace ? kept.get(id) : undefined),
    ofTurn: async ({ id }) => [...kept.values()].find(({ askers }) => askers.some(({ turnId }) => turnId === id)),
    list: async (scope, state, audience, count) =>
      listed(scope, state, audience)
        .slice(0, count)
        .map(({ gap: { id }, weight }) => ({ id, weight })),
    count: async (scope, state, audience) => listed(scope, state, audience).length,
    everywhere: async (state, audience, count, after = "0") => {
      const found = [...kept.values()]
        .filter((gap) => gap.state === state)
        .filter(({ askers }) => audience === "all" || askers.some((asker) => isFor({ kind: "public" }, asker)))
        .map((gap) => ({ key: gap.id, gap }))
        .sort((one, other) => other.gap.askerCount - one.gap.askerCount);
      const until = Number(after) + count;
      return {
        gaps: found.slice(Number(after), until),
        ...(until < found.length ? { next: String(until) } : {}),
      };
    },
    countEverywhere: async (state) => [...kept.values()].filter((gap) => gap.state === state).length,
    byKey: async (key) => kept.get(key),
    merge: async (from, into) => {
      const [source, target] = [kept.get(from.id), kept.get(into.id)];
      if (source?.state !== "open" || target?.state !== "open" || source === target) return undefined;
      const turnIds = source.askers.map(({ turnId }) => turnId);
      const merged: Gap = {
        ...target,
        askers: [...source.askers, ...target.askers],
        askerCount: target.askerCount + source.askerCount,
        merged: [{ id: source.id, turnIds, askerCount: source.askerCount }],
      };
      kept.delete(source.id);
      kept.set(target.id, merged);
      return merged;
    },
    split: async ({ id }, mergedId) => {
      const gap = kept.get(id);
      const merged = gap?.merged?.find((one) => one.id === mergedId);
      if (gap === undefined || merged === undefined) return undefined;
      const isMoved = ({ turnId }: Asker) => merged.turnIds.includes(turnId);
      const again = { ...gap, id: mergedId, askers: gap.askers.filter(isMoved), askerCount: merged.askerCount };
      kept.set(mergedId, again);
      kept.set(id, { ...gap, merged: [], askers: gap.askers.filter((asker) => !isMoved(asker)) });
      return again;
    },
    change: async ({ id }, change) => {
      const newest = kept.get(id);
      const changed = newest === undefined ? undefined : change(newest);
      if (changed !== undefined) kept.set(id, changed);
      return kept.get(id);
    },
  };
}
