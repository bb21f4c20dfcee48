/**
 * What the agent view is told: always the end of what it was told had begun, and never more than Slack takes.
 */
import { describe, expect, it } from "vitest";
import { createClients } from "../../../adapters/slack/connection/clients.ts";
import { createAgentSessions } from "../../../adapters/slack/writing/agent-sessions.ts";
import { systemClock } from "../../../src/ports/tools/system-clock.ts";
import { memoryKeyValue } from "../../doubles/room-parts.ts";
import { until } from "../../doubles/until.ts";
import type { FakeSlack } from "../../fakes/slack/index.ts";
import { botToken } from "../../fakes/slack/index.ts";
import { openRoom } from "../room.ts";

const quiet = () => undefined;
const log = { debug: quiet, info: quiet, warn: quiet, error: quiet };

function sessionsOf(slack: FakeSlack) {
  const { progress } = createClients({ botToken, apiUrl: slack.apiUrl, log });
  const clock = { ...systemClock, sleep: (ms: number) => systemClock.sleep(ms / 50) };
  const sessions = createAgentSessions({ client: progress, keyValue: memoryKeyValue(), clock, log });
  const place = (thread: string) => ({ platform: "slack", workspace: "T0ACME", channel: "C0GENERAL", thread });
  return { show: (thread: string, status: "processing" | "active") => sessions.show(place(thread), status) };
}

/** Somebody began it. */
const threadIn = (slack: FakeSlack) => slack.person("U0ALICE").say("C0GENERAL", "a question").ts;

const calls = (slack: FakeSlack) =>
  slack.callsTo("agents.sessions.setStatus").map(({ body }) => `${body["thread_ts"]} ${body["status"]}`);

describe("the agent view", () => {
  it("is notified once when an answer begins, and once when it is there", async () => {
    const { slack } = await openRoom();
    const { show } = sessionsOf(slack);
    const thread = threadIn(slack);

    show(thread, "processing");
    show(thread, "processing");
    await until("a call", () => calls(slack).length === 1);
    show(thread, "active");
    show(thread, "active");

    await until("2 calls", () => calls(slack).length === 2);
    expect(calls(slack)).toEqual([`${thread} processing`, `${thread} active`]);
  });

  it("isn't notified of what ended before its turn came", async () => {
    const { slack } = await openRoom({}, { rates: false });
    const { show } = sessionsOf(slack);

    const threads = Array.from({ length: 30 }, () => threadIn(slack));
    for (const thread of threads) show(thread, "processing");
    for (const thread of threads.slice(10)) show(thread, "active");

    await until("10 calls", () => calls(slack).length === 10);
    const another = threadIn(slack);
    show(another, "processing");
    await until("the agent session", () => calls(slack).includes(`${another} processing`));
    expect(calls(slack).length).toBe(11);
  });

  it("is notified of the end again when Slack was too busy", async () => {
    const { slack } = await openRoom();
    const { show } = sessionsOf(slack);
    const thread = threadIn(slack);
    show(thread, "processing");
    await until("a call", () => calls(slack).length === 1);
    slack.fail("agents.sessions.setStatus", "ratelimited", { retryAfterS: 1 });

    show(thread, "active");

    await until("3 calls", () => calls(slack).length === 3);
    expect(slack.world.sessions.get(`C0GENERAL/${thread}`)).toBe("active");
  });

  it.each(["feature_disabled", "not_allowed_token_type", "not_authorized", "missing_scope", "unknown_method", "404"])(
    "is left alone where there is none (%s)",
    async (code) => {
      const { slack } = await openRoom();
      const { show } = sessionsOf(slack);
      slack.fail("agents.sessions.setStatus", code);
      const thread = threadIn(slack);

      show(thread, "processing");
      await until("a call", () => calls(slack).length === 1);
      show(thread, "active");
      show(threadIn(slack), "processing");
      await slack.person("U0ALICE").say("C0GENERAL", "hello").delivered;

      expect(calls(slack).length).toBe(1);
    },
  );
});
