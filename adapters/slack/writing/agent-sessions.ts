/**
 * Sets the status "processing" in Slack's agent view, so that Slack shows its native Stop button.
 * Optional: nothing else depends on it. It has its own rate limit (Tier 3), and stops for good once Slack says that the
 * workspace has no agent sessions.
 */
import { webApi } from "@slack/bolt";
import type { Place } from "../../../src/ports/model/place.ts";
import { putNewest } from "../../../src/ports/tools/newest.ts";
import type { WebClient } from "../connection/clients.ts";
import { threadTs } from "../ids.ts";
import { sessionBurst, sessionIntervalMs } from "../limits.ts";
import type { SlackParts } from "../parts.ts";
import { slackCode, toPlatformError } from "./api-errors.ts";
import { createRateLimiter } from "./rate-limiter.ts";

export type AgentStatus = "processing" | "active";

export type AgentSessions = ReturnType<typeof createAgentSessions>;

type Thread = { readonly channel: string; readonly thread: string; readonly status: AgentStatus };

const maxRememberedThreads = 2_000;
const maxPauseMs = 60_000;
/**
 * Codes for: no agent sessions in this workspace, app or API (docs.slack.dev, agents.sessions.setStatus, 2026-11-22).
 */
const refusals = new Set([
  "feature_disabled",
  "not_allowed_token_type",
  "not_authorized",
  "no_permission",
  "missing_scope",
  "access_denied",
  "method_deprecated",
  "deprecated_endpoint",
  "unknown_method",
  "invalid_status",
  "invalid_arguments",
]);

export function createAgentSessions(options: SlackParts & { readonly client: WebClient }) {
  const { client, clock, log } = options;
  const limiter = createRateLimiter({ clock, burst: sessionBurst, intervalMs: sessionIntervalMs });
  /** The last status sent per thread; a thread that another process left in processing is not in it. */
  const sent = new Map<string, AgentStatus>();
  /** The status to send per thread; the latest wins. */
  const waiting = new Map<string, Thread>();
  let isSending = false;
  let isRefused = false;

  const remember = (key: string, status: AgentStatus) => {
    putNewest(sent, key, status, maxRememberedThreads);
  };

  const sendAll = async () => {
    isSending = true;
    while (waiting.size > 0 && !isRefused) {
      await limiter.wait("");
      const [key, next] = waiting.entries().next().value ?? [];
      // A short run can have ended meanwhile.
      if (key === undefined || next === undefined) break;
      waiting.delete(key);
      const { channel, thread, status } = next;
      try {
        await client.agents.sessions.setStatus({ channel_id: channel, thread_ts: thread, status });
        remember(key, status);
      } catch (thrown) {
        const error = toPlatformError(thrown);
        isRefused = isPermanent(thrown);
        log.debug({ code: slackCode(thrown) ?? error.code }, "The status in Slack's agent view could not be set");
        if (error.code !== "platform_rate_limited") continue;
        if (!waiting.has(key)) waiting.set(key, next);
        await clock.sleep(Math.min(error.retryAfterMs ?? maxPauseMs, maxPauseMs));
      }
    }
    isSending = false;
  };

  return {
    /** Returns at once; never throws. */
    show: (place: Place, status: AgentStatus): void => {
      const thread = threadTs(place);
      if (thread === undefined || isRefused) return;
      const key = `${place.channel}/${thread}`;
      const isKnown = sent.get(key) === status;
      // If "processing" was never sent, its end need not be sent.
      const isOver = status === "active" && waiting.get(key)?.status === "processing" && sent.get(key) !== "processing";
      if (isKnown || isOver) {
        waiting.delete(key);
        if (isOver) remember(key, status);
        return;
      }
      waiting.set(key, { channel: place.channel, thread, status });
      if (!isSending) void sendAll();
    },
  };
}

function isPermanent(thrown: unknown): boolean {
  if (thrown instanceof webApi.WebAPIHTTPError) return thrown.statusCode === 404;
  return refusals.has(slackCode(thrown) ?? "");
}
