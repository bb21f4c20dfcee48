/**
 * Discord's rate limits: a window per route and channel with its headers, 50 requests in any second for the bot, and a
 * 429 for a client that ignores them.
 */
export type Bucket = { readonly limit: number; readonly windowMs: number };

export const defaultRules: Readonly<Record<string, Bucket>> = {
  "POST /channels/:c/messages": { limit: 5, windowMs: 5_000 },
  "PATCH /channels/:c/messages/:m": { limit: 5, windowMs: 5_000 },
  "POST /channels/:c/messages/:m/threads": { limit: 50, windowMs: 300_000 },
  "GET /channels/:c/messages": { limit: 5, windowMs: 5_000 },
};

export type Verdict = {
  readonly headers: Readonly<Record<string, string>>;
  readonly refused?: { readonly afterS: number; readonly isGlobal: boolean };
};

/** Discord gives one name to buckets that it counts apart: here, to those of posts and of opening threads. */
function bucketName(route: string): string {
  const name = route.replace("/messages/:m/threads", "/messages");
  return Buffer.from(name).toString("hex").slice(0, 40);
}

export function createBuckets(nowMs: () => number, rules: Readonly<Record<string, Bucket>>) {
  const windows = new Map<string, { count: number; endsMs: number }>();
  const latest: number[] = [];

  return {
    /** `counts`: against the bot's 50 a second, which calls of interactions do not. */
    take: (route: string, major: string, counts: boolean): Verdict => {
      const now = nowMs();
      while (latest[0] !== undefined && latest[0] <= now - 1_000) latest.shift();
      if (counts && latest.length >= 50) {
        const afterS = ((latest[0] ?? now) + 1_000 - now) / 1_000;
        return {
          headers: { "x-ratelimit-global": "true", "x-ratelimit-scope": "global" },
          refused: { afterS, isGlobal: true },
        };
      }
      const rule = rules[route];
      if (rule === undefined) {
        if (counts) latest.push(now);
        return { headers: {} };
      }
      const key = `${route} ${major}`;
      const known = windows.get(key);
      const window = known === undefined || known.endsMs <= now ? { count: 0, endsMs: now + rule.windowMs } : known;
      windows.set(key, window);
      const isFull = window.count >= rule.limit;
      if (!isFull) window.count += 1;
      if (!isFull && counts) latest.push(now);
      const afterS = (window.endsMs - now) / 1_000;
      const headers = {
        "x-ratelimit-limit": String(rule.limit),
        "x-ratelimit-remaining": String(rule.limit - window.count),
        "x-ratelimit-reset-after": afterS.toFixed(3),
        "x-ratelimit-bucket": bucketName(route),
        "x-ratelimit-scope": "user",
      };
      return isFull ? { headers, refused: { afterS, isGlobal: false } } : { headers };
    },
  };
}
