/**
 * Remembers the channels of recent direct messages, to read them after an outage.
 * Discord does not list a bot's direct messages.
 */
import type { KeyValue } from "../../../src/ports/state.ts";
import { keepNewest } from "../../../src/ports/tools/newest.ts";

const key = "dm/recent";
const maxChannels = 50;
const rememberedMs = 30 * 24 * 3_600_000;

export function createRecentDirectMessages(keyValue: KeyValue<string>) {
  const noted = new Set<string>();
  const read = async () => {
    const stored = await keyValue.get(key).catch(() => undefined);
    return stored === undefined ? [] : stored.split(",");
  };
  return {
    /** Channel ids. Never rejects. */
    all: async (): Promise<readonly string[]> => [...new Set([...(await read()), ...noted])],
    note: (channelId: string): void => {
      if (noted.has(channelId)) return;
      noted.add(channelId);
      keepNewest(noted, maxChannels);
      void read()
        .then((stored) =>
          keyValue.set(key, [...new Set([...stored, ...noted])].slice(-maxChannels).join(","), rememberedMs),
        )
        .catch(() => undefined);
    },
  };
}
