/** Budgets as a platform like Slack has them: what Parley is told, and what the platform itself allows. */

export const slackLike = {
  perWorkspace: { capacity: 9.5, refillPerMinute: 48, counts: "edits" },
  posts: {
    perWorkspace: { capacity: 55, refillPerMinute: 285 },
    perChannel: { capacity: 4, refillPerMinute: 60_000 / 1_050 },
  },
  removals: { capacity: 8, refillPerMinute: 46 },
  keptForFinals: 7,
  debounceMs: 75,
} as const;

export const strict = {
  edits: { capacity: 10, refillPerMinute: 50 },
  removals: { capacity: 10, refillPerMinute: 50 },
  posts: { perWorkspace: { capacity: 60, refillPerMinute: 300 }, perChannel: { capacity: 5, refillPerMinute: 60 } },
} as const;
