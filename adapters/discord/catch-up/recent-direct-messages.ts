/**
 * The direct messages that Parley was last spoken to in. Discord lists them to no bot, so they are remembered here, to be
 * read when something was missed.
 */
import type { KeyValue } from "../../../src/ports/state.ts";
import { keepNewest } from "../../../src/ports/tools/newest.ts";

export type RecentDirectMessages = {
  /** Channel ids. Never rejects. */
  readonly all: () => Promise<readonly string[]>;
  readonly note: (channelId: string) => void;
};

const key = "dm/recent";
const maxDirects = 50;
const rememberedMs = 30 * 24 * 3_600_000;

export function createRecentDirectMessages(keyValue: KeyValue<string>): RecentDirectMessages {
  const here = new Set<string>();
  const read = async () => {
    const stored = await keyValue.get(key).catch(() => undefined);
    return stored === undefined ? [] : stored.split(",");
  };
  return {
    all: async () => [...new Set([...(await read()), ...here])],
    note: (channelId) => {
      if (here.has(channelId)) return;
      here.add(channelId);
      keepNewest(here, maxDirects);
      void read()
        .then((stored) =>
          keyValue.set(key, [...new Set([...stored, ...here])].slice(-maxDirects).join(","), rememberedMs),
        )
        .catch(() => undefined);
    },
  };
}
