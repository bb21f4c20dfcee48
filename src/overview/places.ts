/** Remembers what channels are called, so that lists with many of them don't wait for their platforms. */
import { LRUCache } from "lru-cache";
import type { App } from "../app.ts";
import { channelKey, type Place } from "../core/model/place.ts";
import type { ChatPlatform } from "../core/ports/chat-platform.ts";
import type { Overview } from "../core/ports/overview.ts";
import { byClock } from "../core/tools/cache-time.ts";
import { withTimeout } from "../core/tools/timeout.ts";
import { cleanText } from "../presentation/drawing.ts";
import { shorten } from "../presentation/sentences.ts";

const keptMs = 10 * 60_000;
/** A list of many channels waits no longer for their platforms. */
const withinMs = 150;
const maxRemembered = 5_000;
const maxNameChars = 100;
/** Names outlive a restart, and a platform that is down. */
const storedMs = 90 * 86_400_000;

export type PlaceName = {
  /** "front-desk", as the platform says it; cleaned. Absent: the platform hasn't said it yet. */
  readonly name?: string;
  /** It was deleted or archived, or Parley was removed from it. */
  readonly isGone?: true;
};

export type Places = Pick<Overview, "kindOf" | "isPublic"> & {
  /** Channels that Parley is in, as far as platforms say so within a moment. Never rejects. */
  readonly all: () => Promise<readonly Place[]>;
  /** Within a moment: what isn't known by then is looked up for the next time. Never rejects. */
  readonly nameOf: (place: Place) => Promise<PlaceName>;
};

export type StoredName = { readonly version: 1 } & PlaceName;

/** Whether every message there is for Parley, whatever the mode. */
export const answersAll = (kind: ReturnType<Places["kindOf"]>): boolean => kind === "own" || kind === "direct";

export function createPlaces(app: App): Places {
  const { clock } = app;
  const platforms = () => [...app.sites.values()].map(({ platform }) => platform);
  const names = app.state.keyValue<StoredName>("channel-names");

  const known = new LRUCache<string, Promise<PlaceName>>({ max: maxRemembered, ttl: keptMs, ...byClock(clock) });

  async function ask(place: Place): Promise<PlaceName | undefined> {
    const told = await app.sites.get(place.platform)?.platform.channelName?.(place);
    if (told === undefined) return undefined;
    if (told !== "gone") return { name: shorten(cleanText(told.name), maxNameChars) };
    // A channel that is gone keeps the name that people know.
    const before = await names.get(channelKey(place));
    return { name: before?.name, isGone: true };
  }

  async function look(place: Place): Promise<PlaceName> {
    const key = channelKey(place);
    const told = await ask(place).catch(() => undefined);
    if (told === undefined) {
      known.delete(key);
      return (await names.get(key)) ?? {};
    }
    await names.set(key, { version: 1, ...told }, storedMs);
    return told;
  }

  /** The last answer of each platform stands until the next one comes. */
  const joined = new Map<Pick<ChatPlatform, "ownChannels">, readonly Place[]>();
  async function channelsOf(platform: Pick<ChatPlatform, "ownChannels">): Promise<readonly Place[]> {
    const asked = platform.ownChannels?.().then((found) => {
      if (found !== undefined) joined.set(platform, found);
    });
    if (asked !== undefined) await withTimeout(asked, withinMs, clock);
    return joined.get(platform) ?? [];
  }

  return {
    all: async () => (await Promise.all(platforms().map(channelsOf))).flat().slice(0, maxRemembered),
    kindOf: (place) => {
      const platform = app.sites.get(place.platform)?.platform;
      if (platform === undefined) return "unknown";
      if (platform.isOwnPage === true) return "own";
      return platform.isDirect?.(place) === true ? "direct" : "shared";
    },
    isPublic: async (place) => {
      if (place.channel === "") return false;
      const platform = app.sites.get(place.platform)?.platform;
      const told = await platform?.visibility?.(place).catch(() => undefined);
      return told === "public";
    },
    nameOf: async (place) => {
      if (place.channel === "") return {};
      const key = channelKey(place);
      const looked = known.get(key) ?? look(place).catch(() => ({}));
      if (!known.has(key)) known.set(key, looked);
      const found = await withTimeout(looked, withinMs, clock);
      return found ?? (await names.get(key).catch(() => undefined)) ?? {};
    },
  };
}
