/**
 * The real process before a service that keeps its runs and conversations: SIGKILL, another instance over Redis, Stop.
 * Whatever happens, the service gets the question once.
 */
import { afterEach, describe, expect, it } from "vitest";
import { hasRedisServer, startRedisServer } from "../../doubles/processes/redis-server.ts";
import { answers25 } from "../../doubles/service/scripted-answers.ts";
import { type Cowork, startCowork } from "../../fakes/cowork/index.ts";
import { general, openTown, type Town, until, wordsOf } from "../towns/slack-town.ts";

let town: Town;
let cowork: Cowork;
let redis: Awaited<ReturnType<typeof startRedisServer>> | undefined;
afterEach(async () => {
  expect(town.slack.violations).toEqual([]);
  await town.close();
  await cowork.close();
  await redis?.stop();
  redis = undefined;
});

async function open(wordMs: number, settings: Readonly<Record<string, string>> = {}) {
  cowork = await startCowork({ wordMs });
  town = await openTown({
    script: (run) => answers25({ question: run.question, answer: "Not this one." }),
    settings: { AGENT_SERVICE_URL: cowork.root, AGENT_DEFAULT: "anton", ...settings },
  });
}

const alice = () => town.slack.person("U0ALICE");
const shown = (ts: string) => wordsOf(town.replies(ts)[0]);
const asked = () => cowork.calls.filter(({ method, path }) => method === "POST" && /\/responses\/?$/.test(path)).length;

async function askSlowly(): Promise<string> {
  const { ts } = alice().mention(general, "slow please");
  await until("its first words", () => shown(ts).includes("word3"));
  expect(shown(ts)).toContain("still writing");
  return ts;
}

async function expectWhole(ts: string): Promise<void> {
  await until("the whole answer", () => shown(ts).includes("word59") && !shown(ts).includes("still writing"), 40_000);
  expect(town.replies(ts)).toHaveLength(1);
  expect(asked()).toBe(1);
  expect(cowork.conversations()).toHaveLength(1);
  expect(cowork.lost).toEqual([]);
}

describe("a run that the service keeps", () => {
  it("is read on by the next process after SIGKILL, and its conversation is continued", async () => {
    await open(100);
    const parley = await town.parley();
    const ts = await askSlowly();
    await parley.kill();

    await parley.start();
    await expectWhole(ts);
    alice().mention(general, "history please", { thread: ts });
    await until("the next answer", () => town.replies(ts).some((message) => wordsOf(message).includes("Earlier:")));

    expect(cowork.conversations()).toHaveLength(1);
  });

  it("is cancelled by Stop", async () => {
    await open(100);
    await town.parley();
    const ts = await askSlowly();
    expect(cowork.running()).toBe(1);
    const [reply] = town.replies(ts);
    alice().click(reply?.ts ?? "", "Stop");

    await until("its end", () => shown(ts).includes("Stopped"));
    await until("the run's end", () => cowork.running() === 0);
    expect(shown(ts)).toContain("word1");
  });

  it.skipIf(!hasRedisServer())("is read on by another instance over Redis", async () => {
    redis = await startRedisServer();
    await open(400, { REDIS_URL: redis.url });
    const one = await town.parley();
    const ts = await askSlowly();
    await town.parley();
    await one.kill();

    await expectWhole(ts);
  });
});
