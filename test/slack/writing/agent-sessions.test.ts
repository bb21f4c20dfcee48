/**
 * What the agent view is told: always the end of what it was told had begun, and never more than Slack takes.
 */
import { describe, expect, it } from "vitest";
import { createClients } from "../../../adapters/slack/connection/clients.ts";
import { createAgentSessions } from "../../../adapters/slack/writing/agent-sessions.ts";
import { createRefusals } from "../../../adapters/slack/writing/refusals.ts";
import type { KeyValue } from "../../../src/core/ports/state.ts";
import { systemClock } from "../../../src/core/tools/system-clock.ts";
import { memoryKeyValue } from "../../doubles/room-parts.ts";
import { until } from "../../doubles/until.ts";
import type { FakeSlack } from "../../fakes/slack/index.ts";
import { botToken } from "../../fakes/slack/index.ts";
import { openRoom, running } from "../room.ts";

const quiet = () => undefined;
const log = { debug: quiet, info: quiet, warn: quiet, error: quiet };

function sessionsOf(slack: FakeSlack, keyValue: KeyValue<string> = memoryKeyValue()) {
  const { progress } = createClients({ botToken, apiUrl: slack.apiUrl, log });
  let aheadMs = 0;
  const now = () => systemClock.now() + aheadMs;
  const clock = { ...systemClock, now, sleep: (ms: number) => systemClock.sleep(ms / 50) };
  const parts = { keyValue, clock, log };
  const sessions = createAgentSessions({ ...parts, client: progress, refusals: createRefusals(parts) });
  const place = (thread: string) => ({ platform: "slack", workspace: "T0ACME", channel: "C0GENERAL", thread });
  return {
    keyValue,
    show: (thread: string, status: "processing" | "active", topic?: string) =>
      sessions.show(place(thread), status, topic),
    renamed: (thread: string) => sessions.renamed(place(thread)),
    pass: (ms: number) => {
      aheadMs += ms;
    },
  };
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

  it.each(["feature_disabled", "not_allowed", "not_allowed_token_type", "not_authorized", "missing_scope", "404"])(
    "is left alone for a day where there is none, by every process (%s)",
    async (code) => {
      const { slack } = await openRoom();
      const { show, pass, keyValue } = sessionsOf(slack);
      const thread = threadIn(slack);
      slack.fail("agents.sessions.setStatus", code);
      show(thread, "processing");
      const refused = () => keyValue.get("T0ACME/refused/sessions");
      await until("a refusal", async () => (await refused()) !== undefined);

      show(threadIn(slack), "processing");
      sessionsOf(slack, keyValue).show(threadIn(slack), "processing");
      await slack.person("U0ALICE").say("C0GENERAL", "hello").delivered;
      expect(calls(slack).length).toBe(1);

      pass(86_400_000);
      show(thread, "processing");
      await until("another call", () => calls(slack).length === 2);
    },
  );
});

describe("the title of a session", () => {
  const titleOf = (slack: FakeSlack, thread: string) => slack.world.sessionTitles.get(`C0GENERAL/${thread}`);
  const renames = (slack: FakeSlack) => slack.callsTo("agents.sessions.rename").length;

  it("is its first question, also after a restart", async () => {
    const { slack } = await openRoom();
    const { show, keyValue } = sessionsOf(slack);
    const thread = threadIn(slack);

    show(thread, "processing", `How long ${"do refunds ".repeat(30)}`);
    await until("a title", () => titleOf(slack, thread)?.startsWith("How long do refunds") === true);
    expect(titleOf(slack, thread)?.length).toBeLessThanOrEqual(200);
    show(thread, "active", "How long");
    await until("2 calls", () => calls(slack).length === 2);
    show(thread, "processing", "And for shoes?");
    await until("3 calls", () => calls(slack).length === 3);
    sessionsOf(slack, keyValue).show(thread, "processing", "And for hats?");
    await until("4 calls", () => calls(slack).length === 4);

    expect(titleOf(slack, thread)).toContain("How long");
    expect(renames(slack)).toBe(0);
  });

  it("mentions nobody, whatever the question says", async () => {
    const { slack } = await openRoom();
    const thread = threadIn(slack);

    sessionsOf(slack).show(thread, "processing", "Why <!here> and <@U0BOB>?");

    await until("a title", () => titleOf(slack, thread) !== undefined);
    expect(titleOf(slack, thread)).toBe("Why ‹!here› and ‹@U0BOB›?");
  });

  it("is set by its own method where the session was there before", async () => {
    const { slack } = await openRoom();
    const thread = threadIn(slack);
    slack.world.sessions.set(`C0GENERAL/${thread}`, "active");

    sessionsOf(slack).show(thread, "processing", "How long do refunds take?");

    await until("a title", () => titleOf(slack, thread) === "How long do refunds take?");
    expect(renames(slack)).toBe(1);
  });

  it("stays a person's, for every process", async () => {
    const { slack, platform, keyValue } = await openRoom();
    const thread = threadIn(slack);
    slack.world.sessions.set(`C0GENERAL/${thread}`, "active");
    await slack.person("U0ALICE").renameSession("C0GENERAL", thread, "Mine");
    await until("the mark", async () => (await keyValue.get(`T0ACME/session/C0GENERAL/${thread}`)) === "person");

    const [payload] = platform.render({ ...running("Searching"), topic: "How long do refunds take?" });
    if (payload === undefined) throw new Error("nothing was drawn");
    const place = { platform: "slack", workspace: "T0ACME", channel: "C0GENERAL", thread };
    await platform.post(place, payload, { replyId: "t", part: 0, generation: 0 }, { urgency: "final" });
    sessionsOf(slack, keyValue).show(thread, "processing", "How long?");
    await until("2 calls", () => calls(slack).length === 2);

    expect(titleOf(slack, thread)).toBe("Mine");
    expect(renames(slack)).toBe(0);
  });

  it("stays a person's whose change another process was told of while Parley's own waited for its turn", async () => {
    const { slack } = await openRoom();
    const [first, second] = [threadIn(slack), threadIn(slack)];
    for (const thread of [first, second]) slack.world.sessions.set(`C0GENERAL/${thread}`, "active");
    const keyValue = memoryKeyValue();
    const get = async (key: string) => {
      const known = await keyValue.get(key);
      if (key.endsWith(first)) await keyValue.set(key, "person");
      return known;
    };
    const { show } = sessionsOf(slack, { ...keyValue, get });

    show(first, "processing", "How long?");
    show(second, "processing", "How much?");

    await until("the title of the other one", () => titleOf(slack, second) === "How much?");
    expect(titleOf(slack, first)).toBeUndefined();
  });

  it("is not set while the store can't say whether a person did", async () => {
    const { slack } = await openRoom();
    const thread = threadIn(slack);
    const away = { ...memoryKeyValue(), get: () => Promise.reject(new Error("away")) };

    sessionsOf(slack, away).show(thread, "processing", "How long?");
    await until("a call", () => slack.world.sessions.get(`C0GENERAL/${thread}`) === "processing");

    expect(titleOf(slack, thread)).toBeUndefined();
  });

  it("is left alone for a day where it is refused, while the status is still set", async () => {
    const { slack } = await openRoom();
    const { show, keyValue } = sessionsOf(slack);
    const [first, second] = [threadIn(slack), threadIn(slack)];
    for (const thread of [first, second]) slack.world.sessions.set(`C0GENERAL/${thread}`, "active");
    slack.fail("agents.sessions.rename", "feature_disabled");
    show(first, "processing", "How long?");
    await until("a refusal", async () => (await keyValue.get("T0ACME/refused/session-titles")) !== undefined);

    show(second, "processing", "How much?");
    await until("2 calls", () => calls(slack).length === 2);

    expect(renames(slack)).toBe(1);
  });
});
