/** Rankings on Redis: a sorted set per list. */
import type { Ranked, Rankings } from "../../core/ports/storage/rankings.ts";
import { keyPrefix, type RedisConnection } from "./connection.ts";

export function createRedisRankings({ run }: RedisConnection): Rankings {
  const keyOf = (list: string) => `${keyPrefix}ranking:${list}`;
  const ranked = (found: readonly { readonly value: string; readonly score: number }[]): readonly Ranked[] =>
    found.map(({ value, score }) => ({ member: value, score }));

  return {
    put: async (list, member, score) => {
      await run((client) => client.zAdd(keyOf(list), { value: member, score }));
    },
    delete: async (list, member) => {
      await run((client) => client.zRem(keyOf(list), member));
    },
    highest: async (list, from, most) =>
      most <= 0
        ? []
        : ranked(await run((client) => client.zRangeWithScores(keyOf(list), from, from + most - 1, { REV: true }))),
    below: async (list, score, most) =>
      ranked(
        await run((client) =>
          client.zRangeWithScores(keyOf(list), `(${score}`, Number.NEGATIVE_INFINITY, {
            BY: "SCORE",
            REV: true,
            LIMIT: { offset: 0, count: most },
          }),
        ),
      ),
    upTo: async (list, score, most) =>
      ranked(
        await run((client) =>
          client.zRangeWithScores(keyOf(list), Number.NEGATIVE_INFINITY, score, {
            BY: "SCORE",
            LIMIT: { offset: 0, count: most },
          }),
        ),
      ),
    count: (list) => run((client) => client.zCard(keyOf(list))),
  };
}
