/** Tallies on Redis: a hash of counters per day and list, and one of contributions per day. They expire together. */
import type { Tallies } from "../../../core/ports/storage/tallies.ts";
import { tallyDays } from "../../../core/ports/storage/tallies.ts";
import { keyPrefix, type RedisConnection, redisScript } from "../connection.ts";

const daySeconds = 86_400;
/** Counters of a list. A day of 10,000 questions has twice as many by channel and quarter of an hour. */
const readAtOnce = 1_000;

/**
 * KEYS: the day's contributions, the prefix of its lists. ARGV: when they expire (Unix seconds), then of each
 * contribution: contributor, whether it has one, that one, the new one, the number of changes, and of each change: list,
 * counter, difference. Returns the contributors that are refused, because theirs changed meanwhile.
 */
const exchangeScript = redisScript(`
local refused = {}
local touched = {[KEYS[1]] = true}
local at = 2
while at <= #ARGV do
  local contributor, has, before, now, count = ARGV[at], ARGV[at + 1], ARGV[at + 2], ARGV[at + 3], tonumber(ARGV[at + 4])
  at = at + 5
  local known = redis.call('HGET', KEYS[1], contributor)
  if (has == '0' and not known) or (has == '1' and known == before) then
    redis.call('HSET', KEYS[1], contributor, now)
    for change = at, at + 3 * (count - 1), 3 do
      local list = KEYS[2] .. ARGV[change]
      if redis.call('HINCRBY', list, ARGV[change + 1], ARGV[change + 2]) == 0 then
        redis.call('HDEL', list, ARGV[change + 1])
      end
      touched[list] = true
    end
  else
    table.insert(refused, contributor)
  end
  at = at + 3 * count
end
for key in pairs(touched) do redis.call('EXPIREAT', key, ARGV[1]) end
return refused
`);

export function createRedisTallies({ run, evaluate }: Pick<RedisConnection, "run" | "evaluate">): Tallies {
  const contributionsOf = (day: number) => `${keyPrefix}contributions:${day}`;
  const listsOf = (day: number) => `${keyPrefix}tally:${day}:`;

  return {
    contributions: async (day, by) => {
      if (by.length === 0) return new Map();
      const found = await run((client) => client.hmGet(contributionsOf(day), [...by]));
      return new Map(by.flatMap((id, index) => (typeof found[index] === "string" ? [[id, found[index]]] : [])));
    },
    exchange: async (day, contributions) => {
      if (contributions.length === 0) return [];
      const args = contributions.flatMap(({ by, before, now, changes }) => [
        ...[by, before === undefined ? "0" : "1", before ?? "", now, String(changes.length)],
        ...changes.flatMap(({ list, counter, by: difference }) => [list, counter, String(difference)]),
      ]);
      const expiry = String((day + tallyDays + 1) * daySeconds);
      return (await evaluate(exchangeScript, [contributionsOf(day), listsOf(day)], [expiry, ...args])) as string[];
    },
    forget: async (day, by) => {
      if (by.length > 0) await run((client) => client.hDel(contributionsOf(day), [...by]));
    },
    read: async (day, list) => {
      const counters = new Map<string, number>();
      for (let from = "0"; ; ) {
        const key = `${listsOf(day)}${list}`;
        const { cursor, entries } = await run((client) => client.hScan(key, from, { COUNT: readAtOnce }));
        // One that is written meanwhile may come twice.
        for (const { field, value } of entries) counters.set(field, Number(value));
        if (cursor === "0") return counters;
        from = cursor;
      }
    },
  };
}
