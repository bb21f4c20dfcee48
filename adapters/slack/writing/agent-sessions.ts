/**
 * Tells Slack's agent view that an answer is under way, and what the session is called.
 * While it is "processing", Slack shows its native Stop button. A session is called after its first question, unless a
 * person has named it. Optional: nothing else depends on it. Each method has its own rate limit (Tier 3), and where
 * Slack says that a workspace has no agent sessions, they are left alone for a day.
 */
import { LRUCache } from "lru-cache";
import type { Place } from "../../../src/core/model/place.ts";
import { upTo } from "../../../src/core/tools/cache-time.ts";
import { shorten } from "../../../src/presentation/sentences.ts";
import type { WebClient } from "../connection/clients.ts";
import { withoutBrackets } from "../drawing/markup.ts";
import { threadTs } from "../ids.ts";
import { maxSessionTitleChars, sessionBurst, sessionIntervalMs } from "../limits.ts";
import type { SlackParts } from "../parts.ts";
import { slackCode, toPlatformError } from "./api-errors.ts";
import { createRateLimiter } from "./rate-limiter.ts";
import { isRefusedMethod, type Refusals } from "./refusals.ts";

export type AgentStatus = "processing" | "active";

export type AgentSessions = ReturnType<typeof createAgentSessions>;

type Thread = {
  readonly workspace: string;
  readonly channel: string;
  readonly thread: string;
  readonly status: AgentStatus;
  readonly title: string | undefined;
};

const maxRememberedThreads = 2_000;
const maxPauseMs = 60_000;
/** How long a thread's title is known to be set: nobody asks there much later. */
const titleKnownMs = 90 * 86_400_000;
/** What `refusals` calls them. */
const refusedNames = { status: "sessions", title: "session-titles" } as const;

export function createAgentSessions(options: SlackParts & { readonly client: WebClient; readonly refusals: Refusals }) {
  const { client, refusals, keyValue, clock, log } = options;
  /** By method. */
  const limiter = createRateLimiter({ clock, burst: sessionBurst, intervalMs: sessionIntervalMs });
  /** The last status sent per thread, or being sent; a thread that another process left in processing is not in it. */
  const sent = new LRUCache<string, AgentStatus>(upTo(maxRememberedThreads));
  /** The status to send per thread; the latest wins. */
  const waiting = new Map<string, Thread>();
  /** Threads whose session has a title, by a person or by Parley. */
  const titled = new LRUCache<string, true>(upTo(maxRememberedThreads));
  let isSending = false;

  const keyOf = ({ workspace, channel, thread }: Thread | Required<Place>) =>
    `${workspace}/session/${channel}/${thread}`;

  const rememberTitled = (key: string, by: "person" | "parley") => {
    titled.set(key, true);
    void keyValue.set(key, by, titleKnownMs).catch(() => undefined);
  };

  /** The title to set, if the session has none yet. While the store is away, a person may have set one. */
  const missingTitle = async (key: string, next: Thread): Promise<string | undefined> => {
    if (next.title === undefined || next.status === "active") return undefined;
    if ((await refusals.of(next.workspace)).has(refusedNames.title)) return undefined;
    return (await lacksTitle(key)) ? next.title : undefined;
  };

  const lacksTitle = async (key: string): Promise<boolean> => {
    if (titled.has(key)) return false;
    const known = await keyValue.get(key).catch(() => "unknown");
    return known === undefined && !titled.has(key);
  };

  /** For a session that existed before, such as one that Slack began: its first status could give it no title. */
  const rename = async (key: string, { workspace, channel, thread }: Thread, title: string): Promise<void> => {
    await limiter.wait("rename");
    // A person may have been faster, and another process may have been told of it.
    if (!(await lacksTitle(key))) return;
    try {
      await client.agents.sessions.rename({ channel_id: channel, thread_ts: thread, title });
      rememberTitled(key, "parley");
    } catch (thrown) {
      const code = slackCode(thrown) ?? toPlatformError(thrown).code;
      if (isRefusedMethod(thrown)) refusals.remember(workspace, refusedNames.title, code);
      log.debug({ code }, "The title in Slack's agent view could not be set");
    }
  };

  const send = async (key: string, next: Thread): Promise<void> => {
    const { workspace, channel, thread, status } = next;
    try {
      const title = await missingTitle(key, next);
      const place = { channel_id: channel, thread_ts: thread };
      sent.set(key, status);
      const answer = await client.agents.sessions.setStatus({ ...place, status, title });
      if (title === undefined) return;
      if (answer.title === title) rememberTitled(key, "parley");
      else void rename(key, next, title);
    } catch (thrown) {
      sent.delete(key);
      const error = toPlatformError(thrown);
      const code = slackCode(thrown) ?? error.code;
      if (isRefusedMethod(thrown)) refusals.remember(workspace, refusedNames.status, code);
      log.debug({ code }, "The status in Slack's agent view could not be set");
      if (error.code !== "platform_rate_limited") return;
      if (!waiting.has(key)) waiting.set(key, next);
      await clock.sleep(Math.min(error.retryAfterMs ?? maxPauseMs, maxPauseMs));
    }
  };

  const sendAll = async () => {
    isSending = true;
    for (;;) {
      const [key, next] = waiting.entries().next().value ?? [];
      if (key === undefined || next === undefined) break;
      if ((await refusals.of(next.workspace)).has(refusedNames.status)) {
        waiting.delete(key);
        continue;
      }
      await limiter.wait("status");
      // A short run can have ended meanwhile.
      const newest = waiting.get(key);
      waiting.delete(key);
      if (newest !== undefined) await send(key, newest);
    }
    isSending = false;
  };

  return {
    /** Returns at once; never throws. */
    show: (place: Place, status: AgentStatus, topic?: string): void => {
      const thread = threadTs(place);
      if (thread === undefined) return;
      const { workspace, channel } = place;
      const title = topic === undefined ? undefined : withoutBrackets(shorten(topic, maxSessionTitleChars));
      const next: Thread = { workspace, channel, thread, status, title };
      const key = keyOf(next);
      const isKnown = sent.get(key) === status;
      // If "processing" was never sent, its end need not be sent.
      const isOver = status === "active" && waiting.get(key)?.status === "processing" && sent.get(key) !== "processing";
      if (isKnown || isOver) {
        waiting.delete(key);
        if (isOver) sent.set(key, status);
        return;
      }
      waiting.set(key, next);
      if (!isSending) void sendAll();
    },
    /** A person has named the session: its title is theirs from now on. */
    renamed: (place: Place): void => {
      const thread = threadTs(place);
      if (thread !== undefined) rememberTitled(keyOf({ ...place, thread }), "person");
    },
  };
}
