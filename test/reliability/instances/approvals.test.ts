/** Tool calls that wait for a decision while instances die, stand still, or lose their storage. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { hasRedisServer, type RedisServer, startRedisServer } from "../../doubles/processes/redis-server.ts";
import { type ModelServer, startModelServer } from "../../fakes/model-server/index.ts";
import { general, openTown, type Town, until, wordsOf } from "../towns/slack-town.ts";

describe.skipIf(!hasRedisServer())("a tool call that waits on one of two instances", () => {
  let redis: RedisServer;
  let model: ModelServer;
  let town: Town;
  beforeEach(async () => {
    redis = await startRedisServer();
    model = await startModelServer({ models: ["native"] });
    const service = { AGENT_SERVICE_URL: model.root, AGENT_SERVICE_TOKEN: model.key, AGENT_DEFAULT: "native" };
    town = await openTown({ script: () => [], settings: { REDIS_URL: redis.url, ...service } });
  });
  afterEach(async () => {
    expect(town.slack.violations).toEqual([]);
    await town.close();
    await model.close();
    await redis.stop();
  });

  const decisions = () => JSON.stringify(model.calls).match(/"approve":(?:true|false)/g) ?? [];

  /** One instance holds the question; the other one starts only then. */
  async function waiting() {
    const one = await town.parley();
    const { ts } = town.slack.person("U0ALICE").mention(general, "please approve it");
    const text = () => wordsOf(town.replies(ts)[0]);
    await until("the request", () => text().includes("delete_page") && text().includes("Approve"));
    const two = await town.parley();
    return { one, two, ts, text };
  }
  const press = (ts: string, label: string) => town.slack.person("U0ALICE").click(town.replies(ts)[0]?.ts ?? "", label);

  it("is approved on the other one while the first is dead, and the approval is sent once", async () => {
    const { one, ts, text } = await waiting();
    await one.kill();
    await press(ts, "Approve");
    await until("the answer", () => text().includes("The page is deleted.") && text().includes("approved by"));

    expect(decisions()).toEqual(['"approve":true']);
    expect(town.replies(ts)).toHaveLength(1);
  });

  it("is decided on the other one while the first stands still, which then leaves the answer alone", async () => {
    const { one, ts, text } = await waiting();
    one.freeze();
    // Slack gives some presses to the connection that is still open, and nothing comes of them until it moves again.
    await until("the answer", async () => {
      if (text().includes("Approve")) await press(ts, "Deny").catch(() => undefined);
      return text().includes("denied by") && text().includes("Try again");
    });
    one.thaw();
    const later = town.slack.person("U0ALICE").mention(general, "And then?", { thread: ts });
    await later.delivered;
    await until("the next answer", () => wordsOf(town.replies(ts)[1]).includes("Try again"));

    expect(decisions()).toEqual(['"approve":false']);
    expect(town.replies(ts)).toHaveLength(2);
    expect(text()).toContain("denied by");
  });

  it("says so when storage is away at the press, and takes the next press", async () => {
    const { ts, text } = await waiting();
    await redis.kill();
    await press(ts, "Approve");
    const told = () => [...town.slack.world.messages.values()].some(({ visibleTo }) => visibleTo === "U0ALICE");
    await until("a private sentence", told);
    expect(decisions()).toEqual([]);
    await redis.restart();
    await until("the answer", async () => {
      if (text().includes("Approve")) await press(ts, "Approve").catch(() => undefined);
      return text().includes("The page is deleted.");
    });

    expect(decisions()).toEqual(['"approve":true']);
  });
});
