/**
 * Maps user ids to the channel ids of their direct messages with Parley.
 * A post can be addressed to a user id and opens the direct message; every other call needs the channel id, which Slack
 * returns for that post.
 */
import { LRUCache } from "lru-cache";
import type { Place } from "../../../src/core/model/place.ts";
import type { KeyValue } from "../../../src/core/ports/state.ts";
import { upTo } from "../../../src/core/tools/cache-time.ts";

export type DirectMessages = ReturnType<typeof createDirectMessages>;

const maxRemembered = 1_000;

export function createDirectMessages(keyValue: KeyValue<string>) {
  const known = new LRUCache<string, string>(upTo(maxRemembered));
  const isPerson = ({ channel }: Place) => /^[UW]/.test(channel);
  const keyOf = ({ workspace, channel }: Place) => `${workspace}/direct/${channel}`;

  return {
    /** Records the channel that Slack returned for a post. Never rejects. */
    opened: async (place: Place, channel: string | undefined): Promise<void> => {
      if (!isPerson(place) || channel === undefined || channel === "") return;
      const key = keyOf(place);
      if (known.get(key) === channel) return;
      known.set(key, channel);
      await keyValue.set(key, channel).catch(() => undefined);
    },
    /** The same place with the channel id instead of the user id, once something was posted there. */
    resolve: async (place: Place): Promise<Place> => {
      if (!isPerson(place)) return place;
      const key = keyOf(place);
      const channel = known.get(key) ?? (await keyValue.get(key).catch(() => undefined));
      if (channel === undefined) return place;
      known.set(key, channel);
      return { ...place, channel };
    },
  };
}
