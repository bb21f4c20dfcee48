/**
 * Names what people would get for nothing: an edit that changes nothing, the same message more often than somebody
 * acted, a call that comes before the wait of an arranged 429 is over. Only one process that never connected again is
 * judged: another one can't know what was written or told before.
 */
import type { Json, StoredMessage } from "../world.ts";

/** What was sent before the refusal arrived comes a moment later. */
const underwayMs = 250;
/** A client's timer may fire that much early. */
const earlyMs = 40;

type Content = Pick<StoredMessage, "text" | "blocks">;

export function createRepeats({
  nowMs,
  speed = 1,
  ...options
}: {
  readonly violate: (what: string) => void;
  readonly nowMs: () => number;
  /** How much faster than time the app's clock is. */
  readonly speed?: number;
}) {
  let connections = 0;
  const violate = (what: string) => {
    if (connections <= 1) options.violate(what);
  };
  /** Acts of people by "channel/thread"; those in no thread, like commands, count everywhere. */
  const acts = new Map<string, number>();
  let actsAnywhere = 0;
  const posts = new Map<string, number>();
  /** Messages whose content the app can't be sure of. */
  const unsure = new Set<string>();
  const told = new Map<string, { readonly atMs: number; readonly untilMs: number }>();
  const callKey = (method: string, body: Json) => `${method} ${body["channel"] ?? ""}`;

  return {
    acted: (channel?: string, thread?: string): void => {
      if (channel === undefined || thread === undefined) actsAnywhere += 1;
      else acts.set(`${channel}/${thread}`, (acts.get(`${channel}/${thread}`) ?? 0) + 1);
    },
    posted: ({ channel, thread_ts: thread = "", text, blocks, ts }: StoredMessage): void => {
      const key = JSON.stringify([channel, thread, text, blocks]);
      const count = (posts.get(key) ?? 0) + 1;
      posts.set(key, count);
      const allowed = Math.max(1, (acts.get(`${channel}/${thread}`) ?? 0) + actsAnywhere);
      if (count > allowed) violate(`the same message ${count} times in one thread: ${ts} "${text.slice(0, 60)}"`);
    },
    edited: (message: StoredMessage, next: Content): void => {
      const isSame = JSON.stringify([message.text, message.blocks]) === JSON.stringify([next.text, next.blocks]);
      const wasUnsure = unsure.delete(message.ts);
      if (isSame && !wasUnsure) violate(`an edit of ${message.ts} changed nothing`);
    },
    /** The answer was lost, or whoever asked is gone. */
    unanswered: (ts: unknown): void => {
      unsure.add(String(ts));
    },
    connected: (): void => {
      connections += 1;
    },
    told: (method: string, body: Json, waitS: number): void => {
      told.set(callKey(method, body), { atMs: nowMs(), untilMs: nowMs() + (waitS * 1_000) / speed });
    },
    called: (method: string, body: Json): void => {
      const last = told.get(callKey(method, body));
      if (last === undefined) return;
      const now = nowMs();
      const earlyByMs = last.untilMs - earlyMs - now;
      if (earlyByMs <= 0) told.delete(callKey(method, body));
      else if (now - last.atMs > underwayMs) {
        violate(`${method} was called ${Math.ceil(earlyByMs)} ms too early after a 429`);
      }
    },
  };
}

export type Repeats = ReturnType<typeof createRepeats>;
