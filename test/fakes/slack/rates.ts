/**
 * Slack's rate limits: a bucket for each method and workspace (posts: and channel). A call before Retry-After is over
 * gets the same refusal again.
 */
import type { Json } from "./world.ts";

export type Rate = { readonly perMinute: number; readonly burst: number; readonly per: "team" | "channel" };
/** False: none at all. */
export type Rates = false | Readonly<Record<string, Rate>>;

const tier2: Rate = { perMinute: 20, burst: 5, per: "team" };
const tier3: Rate = { perMinute: 50, burst: 10, per: "team" };
const defaults: Readonly<Record<string, Rate>> = {
  "chat.update": tier3,
  "chat.postMessage": { perMinute: 60, burst: 5, per: "channel" },
  "conversations.replies": { perMinute: 50, burst: 20, per: "team" },
  "conversations.history": { perMinute: 50, burst: 20, per: "team" },
  "conversations.info": tier3,
  "users.conversations": tier2,
  "users.info": { perMinute: 100, burst: 50, per: "team" },
  "reactions.remove": { perMinute: 20, burst: 10, per: "team" },
  "agents.sessions.setStatus": tier3,
};

/** Apps that are sold outside the Marketplace, since 29 May 2025. */
const oncePerMinute: Rate = { perMinute: 1, burst: 1, per: "team" };
export const restrictedRates: Rates = {
  "conversations.history": oncePerMinute,
  "conversations.replies": oncePerMinute,
};

export function createRatePolice(rates: Rates | undefined, nowMs: () => number) {
  const buckets = new Map<string, { tokens: number; atMs: number; blockedUntilMs: number }>();
  return {
    /** 0, or the seconds of Retry-After. */
    waitS: (method: string, body: Json): number => {
      if (rates === false) return 0;
      const rate = rates?.[method] ?? defaults[method];
      if (rate === undefined) return 0;
      const key = rate.per === "channel" ? `${method}/${body["channel"]}` : method;
      const now = nowMs();
      const bucket = buckets.get(key) ?? { tokens: rate.burst, atMs: now, blockedUntilMs: 0 };
      buckets.set(key, bucket);
      bucket.tokens = Math.min(rate.burst, bucket.tokens + ((now - bucket.atMs) * rate.perMinute) / 60_000);
      bucket.atMs = now;
      if (now < bucket.blockedUntilMs) return Math.max(1, Math.ceil((bucket.blockedUntilMs - now) / 1000));
      if (bucket.tokens >= 1) {
        bucket.tokens -= 1;
        return 0;
      }
      const waitS = Math.max(1, Math.ceil(((1 - bucket.tokens) * 60) / rate.perMinute));
      bucket.blockedUntilMs = now + waitS * 1000;
      return waitS;
    },
  };
}
