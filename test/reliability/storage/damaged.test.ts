/** The real process over storage in which the oldest of three running questions is damaged: the other two go on. */
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createClient } from "@redis/client";
import { afterEach, describe, expect, it } from "vitest";
import { hasRedisServer, startRedisServer } from "../../doubles/processes/redis-server.ts";
import { answers25 } from "../../doubles/service/scripted-answers.ts";
import { gate } from "../../doubles/service/scripted-moves.ts";
import { general, openTown, until, wordsOf } from "../towns/slack-town.ts";

const clean: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const step of clean.splice(0).reverse()) await step();
});

/** Damages the oldest Turn; returns its id. */
type DamageOldest = (dataDir: string) => Promise<string>;

const inSqlite: DamageOldest = async (dataDir) => {
  const database = new DatabaseSync(join(dataDir, "parley.db"));
  const oldest = database.prepare("SELECT id FROM turns ORDER BY created_at_ms, id LIMIT 1").get()?.["id"];
  database.prepare("UPDATE turns SET record = substr(record, 1, 40) WHERE id = ?").run(String(oldest));
  database.close();
  return String(oldest);
};

const inRedis =
  (url: string): DamageOldest =>
  async () => {
    const client = createClient({ url });
    await client.connect();
    const [oldest = ""] = await client.zRange("parley:turns:unfinished", 0, 0);
    await client.hSet(`parley:turns:record:${oldest}`, "reply", '{"place":{"platf');
    client.destroy();
    return oldest;
  };

const storages = ["SQLite", ...(hasRedisServer() ? ["Redis"] : [])];

describe.each(storages)("a damaged question in %s", (storage) => {
  it("is skipped after a restart, logged once and counted, and those behind it are answered", async () => {
    const redis = storage === "Redis" ? await startRedisServer() : undefined;
    if (redis !== undefined) clean.push(redis.stop);
    const town = await openTown({
      script: (run) =>
        run.number <= 3 ? [gate("never")] : answers25({ question: run.question, answer: `Answer to ${run.question}` }),
      settings: redis === undefined ? {} : { REDIS_URL: redis.url },
    });
    clean.push(town.close);
    const parley = await town.parley();
    const alice = town.slack.person("U0ALICE");
    const asked = [];
    for (const word of ["One", "Two", "Three"]) {
      asked.push(alice.mention(general, `${word}?`));
      await town.service.started(asked.length);
    }
    await parley.kill();
    const damaged = await (redis === undefined ? inSqlite : inRedis(redis.url))(parley.dataDir);

    await parley.start();
    for (const [index, word] of ["Two", "Three"].entries()) {
      const ts = asked[index + 1]?.ts ?? "";
      await until(`the answer to ${word}`, () => wordsOf(town.replies(ts)[0]).includes(`Answer to ${word}?`));
    }
    // Looked for again every five seconds, and said once.
    await new Promise((resolve) => setTimeout(resolve, 6_000));
    const response = await fetch(`${parley.url}/readyz`);

    expect(response.status).toBe(200);
    expect(((await response.json()) as { checks: { state: unknown } }).checks.state).toEqual({
      ok: true,
      reason: "1 stored record is damaged and skipped. The log and npm run doctor name the keys.",
    });
    expect(parley.output().split("Skipping a damaged record")).toHaveLength(2);
    expect(parley.output()).toContain(`turns/${damaged}`);
    const questions = town.service.requests.flatMap(({ path, body }) =>
      path.endsWith("/stream") ? [/(One|Two|Three)\?/.exec(body)?.[1]] : [],
    );
    // Slack's history has the damaged question still: what is missed is read there, and then it is asked anew.
    expect(
      questions
        .slice(3)
        .sort()
        .filter((word) => word !== "One"),
    ).toEqual(["Three", "Two"]);
    expect(questions.slice(3).filter((word) => word === "One").length).toBeLessThanOrEqual(1);
  });
});
