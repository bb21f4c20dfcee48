/** A Parley that starts before its Redis: a whole rack comes back, in whatever order. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { hasRedisServer, type RedisServer, startRedisServer } from "../../doubles/processes/redis-server.ts";
import { answers25 } from "../../doubles/service/scripted-answers.ts";
import { general, openTown, type Town, until, wordsOf } from "../towns/slack-town.ts";

describe.skipIf(!hasRedisServer())("an instance that starts while Redis is down", () => {
  let redis: RedisServer;
  let town: Town;
  beforeEach(async () => {
    redis = await startRedisServer();
    await redis.kill();
    town = await openTown({
      script: (run) => answers25({ question: run.question, answer: "At two." }),
      settings: { REDIS_URL: redis.url },
    });
  });
  afterEach(async () => {
    await town.close();
    await redis.stop();
  });

  it("says so, tells people who ask to wait, and answers in that message automatically when Redis is up", async () => {
    const parley = await town.parley({}, "/healthz");
    const ready = async () =>
      (await fetch(`${parley.url}/readyz`)).json() as Promise<{ ready: boolean; checks: object }>;
    await until("Slack", () => town.slack.deliveries.sockets.size > 0);
    const { ts, delivered } = town.slack.person("U0ALICE").mention(general, "When?");
    await until("it is told to wait", () => wordsOf(town.replies(ts)[0]).includes("can't reach my storage"));

    expect(await ready()).toMatchObject({
      ready: false,
      checks: { state: { ok: false, reason: expect.stringContaining("REDIS_URL") } },
    });
    const [waiting] = town.replies(ts);
    await redis.restart();
    await until("the answer", () => wordsOf(town.replies(ts)[0]).includes("At two."));
    await until("ready", async () => (await ready()).ready);
    await delivered;

    expect(town.replies(ts).map((reply) => reply.ts)).toEqual([waiting?.ts]);
    expect(town.service.runs.started).toBe(1);
    expect(await parley.end()).toBe(0);
  });
});
