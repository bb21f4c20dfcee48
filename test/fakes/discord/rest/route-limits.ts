/** How often Discord takes what is neither a post nor an edit: deletions, reactions, answers by token, threads. */
import type { Bucket } from "../buckets.ts";

/** One after the other, each of them counted apart. */
const reaction: Bucket = { limit: 1, windowMs: 250 };

export const routeLimits: Readonly<Record<string, Bucket>> = {
  "DELETE /channels/:c/messages/:m": { limit: 5, windowMs: 1_000 },
  "GET /channels/:c/messages/:m": { limit: 5, windowMs: 5_000 },
  "PATCH /channels/:c": { limit: 5, windowMs: 15_000 },
  "PUT /channels/:c/messages/:m/reactions/*/@me": reaction,
  "DELETE /channels/:c/messages/:m/reactions/*/@me": reaction,
  "POST /channels/:c/threads": { limit: 50, windowMs: 300_000 },
  "POST /users/@me/channels": { limit: 10, windowMs: 10_000 },
  "POST /webhooks/*/*": { limit: 5, windowMs: 2_000 },
  "PATCH /webhooks/*/*/messages/:m": { limit: 5, windowMs: 5_000 },
};

/** Each interaction's token has limits of its own, as each channel has. */
export function majorOf(rule: string, params: readonly string[]): string {
  return rule.includes("/webhooks/") ? params.slice(0, 2).join("/") : (params[0] ?? "");
}

const oldMs = 3_600_000;
const oldEdits: Bucket = { limit: 3, windowMs: 6_000 };

/** Edits of messages that are older than an hour: fewer, by channel. Returns the seconds to wait, or 0. */
export function createOldEdits(nowMs: () => number) {
  const latest = new Map<string, number[]>();
  return (channelId: string, writtenAtMs: number): number => {
    const now = nowMs();
    if (now - writtenAtMs <= oldMs) return 0;
    const recent = (latest.get(channelId) ?? []).filter((at) => at > now - oldEdits.windowMs);
    latest.set(channelId, recent);
    const [first] = recent;
    if (first !== undefined && recent.length >= oldEdits.limit) return (first + oldEdits.windowMs - now) / 1_000;
    recent.push(now);
    return 0;
  };
}
