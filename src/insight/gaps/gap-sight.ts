/** Gathers the facts about a viewer and a gap for visibility.ts: roles, the agent's reach, channels and their members. */

import type { App } from "../../app.ts";
import type { Asker, Gap } from "../../core/model/insight.ts";
import { type Actor, channelKey, conversationKey, type Place, type Visibility } from "../../core/model/place.ts";
import { withTimeout } from "../../core/tools/timeout.ts";
import { gapFor, type SeenGap } from "./visibility.ts";

/** A person who reads it alone, or everyone in that channel, on behalf of the person who had it shown there. */
export type GapReader = { readonly kind: "person" | "channel"; readonly actor: Actor; readonly place: Place };

export type GapSight = {
  /** What may be shown to that reader now. What can't be found out within a second counts as a no. */
  readonly see: (reader: GapReader, gap: Gap) => Promise<SeenGap>;
};

const factsMs = 1_000;

export function createGapSight(app: App): GapSight {
  const { sites, reach, clock } = app;
  const { logPrivate } = app.settings;
  const inTime = <T>(work: Promise<T> | undefined) =>
    work === undefined ? undefined : withTimeout(work, factsMs, clock);

  /** For everyone in a channel, the agent must answer there in public. */
  async function reachesAgent({ kind, actor, place }: GapReader, { agent }: Gap): Promise<boolean> {
    const verdict = await inTime(reach.mayAgent(actor, "see", place, agent, { isKnown: true }));
    return verdict?.allowed === true && (kind === "person" || !verdict.isPrivate);
  }

  /** Who can read those places now. Where the answer changes nothing, the platform isn't asked. */
  async function visibilities(reader: GapReader, askers: readonly Asker[]): Promise<ReadonlyMap<string, Visibility>> {
    const asked = new Map<string, Place>();
    for (const { place, visibility } of askers) {
      if (visibility === "public" || channelKey(place) === channelKey(reader.place)) {
        asked.set(conversationKey(place), visibility === undefined ? place : channelOf(place));
      }
    }
    const byChannel = new Map<string, Promise<Visibility | undefined> | undefined>();
    const found = [...asked].map(async ([key, place]) => {
      const { platform } = sites.get(place.platform) ?? {};
      const known = conversationKey(place);
      if (!byChannel.has(known)) byChannel.set(known, inTime(platform?.visibility?.(place)));
      return [key, await byChannel.get(known)] as const;
    });
    const all = await Promise.all(found);
    return new Map(all.flatMap(([key, visibility]) => (visibility === undefined ? [] : [[key, visibility]])));
  }

  return {
    see: async (reader, gap) => {
      const { actor, place } = reader;
      const { platform } = sites.get(place.platform) ?? {};
      // A person who acts from Parley's own page is in no channel of another platform.
      const isAway = actor.signedInAs !== undefined && platform?.isOwnPage !== true;
      const [reaches, visible, isMember] = await Promise.all([
        reachesAgent(reader, gap),
        visibilities(reader, gap.askers),
        isAway ? undefined : inTime(platform?.isMember?.(actor, place)),
      ]);
      return gapFor(reader, gap, {
        mayIngest: reach.may(actor, "ingest", place).allowed,
        reachesAgent: reaches,
        readsPrivate: logPrivate && reach.oversees(actor, place),
        visibilityNow: (asked) => visible.get(conversationKey(asked)),
        isMember: (asked) => isMember === true && channelKey(asked) === channelKey(place),
      });
    },
  };
}

/** A thread is as public as it was when it was opened; its channel may have changed. */
function channelOf({ platform, workspace, channel }: Place): Place {
  return { platform, workspace, channel };
}
