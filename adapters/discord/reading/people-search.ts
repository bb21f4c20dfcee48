/**
 * Finds people of a server by the names that a line seems to begin or end with. One search a name, remembered for an
 * hour; it needs no privileged intent.
 */
import { LRUCache } from "lru-cache";
import { z } from "zod";
import { byClock } from "../../../src/core/tools/cache-time.ts";
import { directWorkspace } from "../ids.ts";
import type { DiscordParts } from "../parts.ts";

const keptMs = 60 * 60_000;
/** After a failure. */
const againMs = 5 * 60_000;
const maxRemembered = 2_000;
/** Of one line. */
const maxSearches = 2;
const maxFound = 5;

const membersSchema = z.array(
  z.looseObject({
    nick: z.string().nullish(),
    user: z.looseObject({ username: z.string(), global_name: z.string().nullish(), bot: z.boolean().optional() }),
  }),
);

export function createPeopleSearch({ rest, clock, log }: DiscordParts) {
  const known = new LRUCache<string, readonly string[], { readonly server: string; readonly word: string }>({
    max: maxRemembered,
    ttl: keptMs,
    ...byClock(clock),
    ignoreFetchAbort: true,
    fetchMethod: (_key, _stale, { options, context: { server, word } }) =>
      search(server, word).catch((err: unknown) => {
        log.info({ err }, "The people of a Discord server can't be searched");
        options.ttl = againMs;
        return [];
      }),
  });

  async function search(server: string, word: string): Promise<readonly string[]> {
    const query = { query: word, limit: String(maxFound) };
    const found = membersSchema.parse(await rest.call("GET", `/guilds/${server}/members/search`, { query }));
    return found.flatMap(({ nick, user }) =>
      user.bot === true ? [] : [nick, user.global_name, user.username].flatMap((name) => name ?? []),
    );
  }

  return {
    /** `likely`: as typed. Never rejects. */
    names: async (server: string, likely: readonly string[]): Promise<readonly string[]> => {
      if (server === directWorkspace) return [];
      const found = likely
        .slice(0, maxSearches)
        .map((word) => known.forceFetch(`${server}/${word.toLowerCase()}`, { context: { server, word } }));
      return (await Promise.all(found)).flat();
    },
  };
}
