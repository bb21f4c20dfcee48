/**
 * Slack's rate limits: a bucket for each limit of a method, by workspace or by channel. A call before Retry-After is
 * over gets the same refusal again, and is a violation.
 */
import type { Json } from "./world.ts";

export type Rate = { readonly perMinute: number; readonly burst: number; readonly per: "team" | "channel" };
/** By method, in place of the limits below; false: none at all. */
export type Rates = false | Readonly<Record<string, Rate | readonly Rate[]>>;

const tier2: Rate = { perMinute: 20, burst: 5, per: "team" };
const tier3: Rate = { perMinute: 50, burst: 10, per: "team" };
const tier4: Rate = { perMinute: 100, burst: 30, per: "team" };

/** What isn't named here is Tier 3. Slack publishes neither bursts nor the workspace's limit of posts: those are assumed. */
export const slackRates: Readonly<Record<string, readonly Rate[]>> = {
  "chat.postMessage": [
    { perMinute: 60, burst: 5, per: "channel" },
    { perMinute: 300, burst: 60, per: "team" },
  ],
  "chat.update": [tier3],
  "chat.delete": [tier3],
  "chat.postEphemeral": [tier4],
  "chat.getPermalink": [{ perMinute: 300, burst: 60, per: "team" }],
  "conversations.replies": [{ perMinute: 50, burst: 20, per: "team" }],
  "conversations.history": [{ perMinute: 50, burst: 20, per: "team" }],
  "conversations.info": [tier3],
  "users.conversations": [tier2],
  "users.info": [tier4],
  "users.list": [tier2],
  "reactions.add": [tier3],
  "reactions.remove": [{ perMinute: 20, burst: 10, per: "team" }],
  "views.open": [tier4],
  "views.update": [tier4],
  "views.publish": [tier4],
  "files.info": [tier4],
  "files.getUploadURLExternal": [tier4],
  "files.completeUploadExternal": [tier4],
  "assistant.threads.setStatus": [{ perMinute: 600, burst: 60, per: "team" }],
  "agents.sessions.setStatus": [tier3],
  "agents.sessions.rename": [tier3],
  "auth.test": [{ perMinute: 300, burst: 60, per: "team" }],
  "apps.connections.open": [{ perMinute: 60, burst: 20, per: "team" }],
};

/** Apps that are sold outside the Marketplace, since 29 May 2025. */
const oncePerMinute: Rate = { perMinute: 1, burst: 1, per: "team" };
export const restrictedRates: Rates = {
  "conversations.history": oncePerMinute,
  "conversations.replies": oncePerMinute,
};

/** What was sent before the refusal arrived comes a moment later. */
const underwayMs = 250;
/** A client's timer may fire that much early. */
const earlyMs = 40;

type Bucket = { tokens: number; atMs: number; refusedAtMs: number; blockedUntilMs: number };

export type RateOptions = {
  readonly rates?: Rates;
  /** How much faster than time the limits are counted, for a client whose clock is fast. Default: 1. */
  readonly speed?: number;
  readonly nowMs: () => number;
  /** Is told of each call that should have waited. */
  readonly tooEarly?: (what: string) => void;
};

export function createRatePolice({ rates, speed = 1, tooEarly, ...options }: RateOptions) {
  const nowMs = () => options.nowMs() * speed;
  const buckets = new Map<string, Bucket>();

  function limitsOf(method: string): readonly Rate[] {
    if (rates === false) return [];
    const own = rates?.[method];
    return own === undefined ? (slackRates[method] ?? [tier3]) : [own].flat();
  }

  function filled(method: string, body: Json, rate: Rate): { readonly rate: Rate; readonly bucket: Bucket } {
    const key = rate.per === "channel" ? `${method} ${body["channel"]}` : method;
    const now = nowMs();
    const bucket = buckets.get(key) ?? { tokens: rate.burst, atMs: now, refusedAtMs: 0, blockedUntilMs: 0 };
    buckets.set(key, bucket);
    bucket.tokens = Math.min(rate.burst, bucket.tokens + ((now - bucket.atMs) * rate.perMinute) / 60_000);
    bucket.atMs = now;
    return { rate, bucket };
  }

  return {
    /** 0, or the seconds of Retry-After. A refused call takes no token of any limit. */
    waitS: (method: string, body: Json): number => {
      const now = nowMs();
      const all = limitsOf(method).map((rate) => filled(method, body, rate));
      const blocked = all.find(({ bucket }) => now + earlyMs * speed < bucket.blockedUntilMs)?.bucket;
      if (blocked !== undefined) {
        const waitMs = blocked.blockedUntilMs - now;
        const sinceMs = now - blocked.refusedAtMs;
        if (sinceMs > underwayMs * speed) {
          tooEarly?.(`${method} was called ${Math.ceil(waitMs)} ms too early after a 429`);
        }
        return Math.max(1, Math.ceil(waitMs / 1000));
      }
      const empty = all.find(({ bucket }) => bucket.tokens < 1);
      if (empty === undefined) {
        for (const { bucket } of all) bucket.tokens -= 1;
        return 0;
      }
      const waitS = Math.max(1, Math.ceil(((1 - empty.bucket.tokens) * 60) / empty.rate.perMinute));
      empty.bucket.refusedAtMs = now;
      empty.bucket.blockedUntilMs = now + waitS * 1000;
      return waitS;
    },
  };
}
