/**
 * Remembers the channels of recent direct messages, to read them after an outage.
 * Discord does not list a bot's direct messages.
 */
import { LRUCache } from "lru-cache";
import type { KeyValue } from "../../../src/core/ports/state.ts";

const key = "dm/recent";
const maxChannels = 50;
const rememberedMs = 30 * 24 * 3_600_000;

export function createRecentDirectMessages(keyValue: KeyValue<string>) {
  const noted = new LRUCache<string, true>({ max: maxChannels });
  const read = async () => {
    const stored = await keyValue.get(key).catch(() => undefined);
    return stored === undefined ? [] : stored.split(",");
  };
  return {
    /** Channel ids. Never rejects. */
    all: async (): Promise<readonly string[]> => [...new Set([...(await read()), ...noted.rkeys()])],
    note: (channelId: string): void => {
      if (noted.has(channelId)) return;
      noted.set(channelId, true);
      void read()
        .then((stored) =>
          keyValue.set(key, [...new Set([...stored, ...noted.rkeys()])].slice(-maxChannels).join(","), rememberedMs),
        )
        .catch(() => undefined);
    },
  };
}
