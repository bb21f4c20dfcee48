/** Erasing a person from one instance while another one is answering them: over Redis, as `npm run erase` does it. */
import { describe, expect, it, onTestFinished } from "vitest";
import { systemClock as clock } from "../../../src/core/tools/system-clock.ts";
import { openState } from "../../../src/state/open-state.ts";
import { openWholePage } from "../../console/whole-page.ts";
import { hasRedisServer, startRedisServer } from "../../doubles/processes/redis-server.ts";
import { silentLog as log } from "../../doubles/silent-log.ts";
import { until } from "../../doubles/until.ts";
import { everythingOnRedis } from "./whole-store.ts";

const options = { userHeader: { name: "x-user" }, trustedProxy: ["127.0.0.1/32"] };
const ana = "zana@x.example";

describe.skipIf(!hasRedisServer())("on Redis", () => {
  it("stops an answer on another instance, which stores nothing of it afterwards, and answers others there", async () => {
    const redis = await startRedisServer();
    const open = () => openState({ dataDir: "", redisUrl: redis.url, clock, log });
    const states = [await open(), await open()] as const;
    onTestFinished(async () => {
      for (const state of states) await state.close();
      await redis.stop();
    });
    const [answering, erasing] = [await openWholePage(options, states[0]), await openWholePage(options, states[1])];
    const thread = await answering.ask("Where do zebras sleep?", {}, { "x-user": ana });
    const run = await answering.agents.run(0);
    run.send({ type: "started" });
    await answering.ask("Where do bobs sleep?", { thread }, { "x-user": "bob" });
    await answering.ask("And zebra foals?", { thread }, { "x-user": ana });

    const erased = erasing.parley.privacy.erase({ platform: "console", workspace: "local", id: ana });
    await until("the answer is stopped", run.isAborted);
    (await answering.agents.run(1)).answer("In bobland.");
    const report = await erased;
    await answering.idle();
    await answering.close();
    await erasing.close();

    expect(report).toMatchObject({ isComplete: true });
    expect(report.kinds).toContainEqual({ kind: "questions", removed: 2, renamed: 0 });
    expect(answering.agents.runs).toHaveLength(2);
    const left = (await everythingOnRedis(redis.url)).filter((line) => !line.startsWith("parley:bucket:"));
    expect(left.filter((line) => /zebra|zana/i.test(line))).toEqual([]);
    expect(left.join("\n")).toMatch(/bobs sleep/);
    expect(left.join("\n")).toMatch(/In bobland/);
  });
});
