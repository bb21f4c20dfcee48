/**
 * The agent view's own "processing", which makes Slack show its native Stop. A courtesy: nothing else depends on it, it
 * has a budget of its own (Tier 3 as well), and a workspace that does not know agents is asked once only.
 */
import { webApi } from "@slack/bolt";
import type { Clock } from "../../../src/ports/clock.ts";
import type { Log } from "../../../src/ports/log.ts";
import type { Place } from "../../../src/ports/model/place.ts";
import type { WebClient } from "../connection/clients.ts";
import { threadTs } from "../ids.ts";
import { sessionBurst, sessionIntervalMs } from "../limits.ts";
import { slackCode, toPlatformError } from "./api-errors.ts";
import { createRateLimiter } from "./rate-limiter.ts";

export type AgentStatus = "processing" | "active";

export type AgentSessions = {
  /** Returns at once; never throws. */
  readonly show: (place: Place, status: AgentStatus) => void;
};

type Thread = { readonly channel: string; readonly thread: string; readonly status: AgentStatus };

const maxRememberedThreads = 2_000;
const maxPauseMs = 60_000;
/** Says that this workspace, app or API has no agent sessions: docs.slack.dev, agents.sessions.setStatus, 2026-11-22. */
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

export function createAgentSessions(options: {
  readonly client: WebClient;
  readonly clock: Clock;
  readonly log: Log;
}): AgentSessions {
  const { client, clock, log } = options;
  const limiter = createRateLimiter({ clock, burst: sessionBurst, intervalMs: sessionIntervalMs });
  /** What Slack was told last; a thread that another process left processing is told again. */
  const told = new Map<string, AgentStatus>();
  /** What is to be told; latest wins. */
  const waiting = new Map<string, Thread>();
  let isTelling = false;
  let isRefused = false;

  const remember = (key: string, status: AgentStatus) => {
    told.delete(key);
    told.set(key, status);
    if (told.size > maxRememberedThreads) told.delete(told.keys().next().value ?? key);
  };

  const tellAll = async () => {
    isTelling = true;
    while (waiting.size > 0 && !isRefused) {
      await limiter.turn("");
      const [key, next] = waiting.entries().next().value ?? [];
      // What was short has ended meanwhile.
      if (key === undefined || next === undefined) break;
      waiting.delete(key);
      const { channel, thread, status } = next;
      try {
        await client.agents.sessions.setStatus({ channel_id: channel, thread_ts: thread, status });
        remember(key, status);
      } catch (thrown) {
        const error = toPlatformError(thrown);
        isRefused = isForGood(thrown);
        log.debug({ code: slackCode(thrown) ?? error.code }, "the agent view was not told");
        if (error.code !== "platform_rate_limited") continue;
        if (!waiting.has(key)) waiting.set(key, next);
        await clock.sleep(Math.min(error.retryAfterMs ?? maxPauseMs, maxPauseMs));
      }
    }
    isTelling = false;
  };

  return {
    show: (place, status) => {
      const thread = threadTs(place);
      if (thread === undefined || isRefused) return;
      const key = `${place.channel}/${thread}`;
      const isKnown = told.get(key) === status;
      // Never told that it began, it need not be told that it ended.
      const isOver = status === "active" && waiting.get(key)?.status === "processing" && told.get(key) !== "processing";
      if (isKnown || isOver) {
        waiting.delete(key);
        if (isOver) remember(key, status);
        return;
      }
      waiting.set(key, { channel: place.channel, thread, status });
      if (!isTelling) void tellAll();
    },
  };
}

function isForGood(thrown: unknown): boolean {
  if (thrown instanceof webApi.WebAPIHTTPError) return thrown.statusCode === 404;
  return refusals.has(slackCode(thrown) ?? "");
}
