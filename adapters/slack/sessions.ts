/**
 * The agent view's own "processing", which makes Slack show its native Stop. A courtesy: nothing else depends on it, and
 * a workspace that does not know agents is asked once only.
 */
import type { Clock } from "../../src/bridge/ports/clock.ts";
import type { Place } from "../../src/bridge/words.ts";
import type { Log } from "../../src/operations/log.ts";
import { slackCode, toPlatformError } from "./api-errors.ts";
import type { WebClient } from "./clients.ts";
import { threadTs } from "./ids.ts";

export type AgentStatus = "processing" | "active";

export type Sessions = {
  /** Returns at once; never throws. */
  readonly show: (place: Place, status: AgentStatus) => void;
};

const maxRememberedThreads = 2_000;
const maxWaitMs = 60_000;

export function createSessions(options: {
  readonly client: WebClient;
  readonly clock: Clock;
  readonly log: Log;
}): Sessions {
  const { client, clock, log } = options;
  /** What Slack was told last; a thread that another process left processing is told again. */
  const told = new Map<string, AgentStatus>();
  let isRefused = false;

  const tell = async (channel: string, thread: string, status: AgentStatus) => {
    try {
      await client.agents.sessions.setStatus({ channel_id: channel, thread_ts: thread, status });
    } catch (thrown) {
      const error = toPlatformError(thrown);
      if (error.code === "platform_rate_limited" && status === "active") {
        await clock.sleep(Math.min(error.retryAfterMs ?? 1_000, maxWaitMs));
        if (told.get(`${channel}/${thread}`) === status) await tell(channel, thread, status);
        return;
      }
      const code = slackCode(thrown);
      if (["not_allowed", "unknown_method", "missing_scope", "invalid_arguments"].includes(code ?? ""))
        isRefused = true;
      log.debug({ code: code ?? error.code }, "the agent view was not told");
    }
  };

  return {
    show: (place, status) => {
      const thread = threadTs(place);
      if (thread === undefined || isRefused) return;
      const key = `${place.channel}/${thread}`;
      if (told.get(key) === status) return;
      told.delete(key);
      told.set(key, status);
      if (told.size > maxRememberedThreads) told.delete(told.keys().next().value ?? key);
      void tell(place.channel, thread, status);
    },
  };
}
