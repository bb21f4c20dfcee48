/** Merges the lists of gaps that a person may read into pages, heaviest first. */
import type { Named } from "../../core/access.ts";
import type { Audience, Gaps, WeighedGap } from "../../core/content/gaps.ts";
import type { Gap, GapScope } from "../../core/model/insight.ts";
import type { Actor, Place } from "../../core/model/place.ts";
import type { GapReader, GapSight } from "./gap-sight.ts";
import type { SeenGap } from "./visibility.ts";

/** With their buttons, four fit into one message of any platform. */
const gapsPerPage = 4;
/** Up to so many are counted one by one. */
const maxCounted = 200;
/** Later pages would cost more each. */
const maxPages = 200;

export type ListedGap = { readonly gap: Gap; readonly seen: Extract<SeenGap, { kind: "listed" }> };

export type GapPage = {
  readonly gaps: readonly ListedGap[];
  /** Open ones of these agents. */
  readonly total: number;
  /** Of those, how many this person can't read. Absent: too many to count. */
  readonly hidden?: number;
  readonly pages: number;
};

export type GapList = {
  /** `page`: from 1. */
  readonly page: (reader: GapReader, agents: readonly Named[], page: number) => Promise<GapPage>;
  /** Open ones of the same agent that may be read as well, heaviest first. */
  readonly others: (reader: GapReader, gap: Gap, count: number) => Promise<readonly ListedGap[]>;
  /** How many that person may read there; all that are open, if those are too many to count. */
  readonly count: (actor: Actor, place: Place, agents: readonly Named[]) => Promise<number>;
};

type List = { readonly scope: GapScope; readonly audience: Audience; readonly count: number };

export function createGapList({ gaps, sight }: { readonly gaps: Gaps; readonly sight: GapSight }): GapList {
  /** Heaviest first, each once. */
  async function candidates(lists: readonly List[], count: number): Promise<readonly WeighedGap[]> {
    const found = await Promise.all(lists.map(({ scope, audience }) => gaps.list(scope, "open", audience, count)));
    const unique = new Map(found.flat().map((one) => [one.id, one]));
    return [...unique.values()].sort((one, other) => other.weight - one.weight || (one.id < other.id ? 1 : -1));
  }

  async function look(reader: GapReader, id: string): Promise<ListedGap | undefined> {
    const gap = await gaps.get(reader.place, id);
    // Something became of it meanwhile.
    if (gap?.state !== "open") return undefined;
    const seen = await sight.see(reader, gap);
    return seen.kind === "listed" ? { gap, seen } : undefined;
  }

  async function pageOf(
    reader: GapReader,
    agents: readonly Named[],
    page: number,
    perPage = gapsPerPage,
  ): Promise<GapPage> {
    const { actor, place } = reader;
    const { platform, workspace } = place;
    const scopes = agents.map(({ project, name }): GapScope => ({ platform, workspace, agent: { project, name } }));
    const audiences: readonly Audience[] = [
      { kind: "public" },
      { kind: "channel", channel: place.channel },
      // What everyone in a channel reads has nothing of one person's direct messages.
      ...(reader.kind === "person" ? [{ kind: "person" as const, person: actor.id }] : []),
    ];
    const counted = await Promise.all(
      scopes.flatMap((scope) =>
        audiences.map(async (audience) => ({ scope, audience, count: await gaps.count(scope, "open", audience) })),
      ),
    );
    const lists = counted.filter(({ count }) => count > 0);
    const totals = await Promise.all(scopes.map((scope) => gaps.count(scope, "open", { kind: "all" })));
    const total = sum(totals);
    const atMost = sum(lists.map(({ count }) => count));
    const isCounted = atMost <= maxCounted;
    const merged = await candidates(lists, isCounted ? maxCounted : Math.min(page, maxPages) * perPage);
    const readable = isCounted ? merged.length : atMost;
    const on = merged.slice((page - 1) * perPage, page * perPage);
    const looked = await Promise.all(on.map(({ id }) => look(reader, id)));
    const listed = looked.filter((one) => one !== undefined);
    const unseen = on.length - listed.length;
    return {
      gaps: listed,
      total,
      ...(isCounted ? { hidden: Math.max(0, total - readable + unseen) } : {}),
      pages: Math.min(maxPages, Math.max(1, Math.ceil(readable / perPage))),
    };
  }

  return {
    page: (reader, agents, page) => pageOf(reader, agents, page),
    others: async (reader, { id, ...scope }, count) => {
      const found = await pageOf(reader, [scope.agent], 1, Math.min(maxCounted, count + 1));
      return found.gaps.filter(({ gap }) => gap.id !== id).slice(0, count);
    },
    count: async (actor, place, agents) => {
      const { total, hidden = 0 } = await pageOf({ kind: "person", actor, place }, agents, 1);
      return total - hidden;
    },
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}
