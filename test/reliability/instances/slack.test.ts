/**
 * Several real processes over one real Redis and one Slack: who gets an event is chance, and must not matter.
 */
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import { startTcpProxy } from "../../doubles/network/tcp-proxy.ts";
import type { ParleyProcess } from "../../doubles/processes/parley-process.ts";
import { hasRedisServer, type RedisServer, startRedisServer } from "../../doubles/processes/redis-server.ts";
import { answers25 } from "../../doubles/service/scripted-answers.ts";
import { chunk, gate, type Move, pause } from "../../doubles/service/scripted-moves.ts";
import type { Run, Script } from "../../doubles/service/scripted-service.ts";
import type { FakeSlackOptions } from "../../fakes/slack/index.ts";
import { shareTown } from "../towns/shared-town.ts";
import { general, openTown, type Town, until, wordsOf } from "../towns/slack-town.ts";

const begun = (question: string): readonly Move[] => [
  chunk({ type: "start", prompt: question, trace_id: "" }),
  chunk({ actions: [{ tool: "kb_list_tool", tool_input: "", log: "Thought: look" }], messages: [], trace_id: "" }),
];

const answer = (run: Run) => answers25({ question: run.question, answer: `Answer to ${run.question}` });

type TownOver = FakeSlackOptions & { readonly redisUrl?: string; readonly runs?: string };

describe.skipIf(!hasRedisServer())("instances over one Redis", () => {
  let town: Town;

  async function openOver(
    redis: RedisServer,
    script: Script,
    { redisUrl = redis.url, runs = "4", ...slack }: TownOver = {},
  ): Promise<Town> {
    const opened = await openTown({ script, slack, settings: { REDIS_URL: redisUrl, AGENT_MAX_RUNS: runs } });
    return {
      ...opened,
      close: async () => {
        await opened.close();
        await redis.stop();
      },
    };
  }
  function check({ slack, processes }: Town): void {
    expect(slack.violations).toEqual([]);
    for (const parley of processes) expect(parley.output()).not.toMatch(/unhandled|Unhandled/);
  }
  const shared = shareTown({
    open: async (script) => openOver(await startRedisServer(), script),
    instances: 3,
    check,
  });

  /** For a test that kills one of them, takes its Redis away, or sets it up in its own way. */
  async function openOwn(
    redis: RedisServer,
    script: Script,
    count: number,
    options: TownOver = {},
  ): Promise<ParleyProcess[]> {
    const opened = await openOver(redis, script, options);
    town = opened;
    onTestFinished(opened.close);
    return Promise.all(Array.from({ length: count }, () => opened.parley()));
  }
  afterEach(() => check(town));
  const alice = () => town.slack.person("U0ALICE");
  const text = (ts: string) => wordsOf(town.replies(ts)[0]);
  const isOver = (ts: string) => text(ts).includes("Show steps");

  it("answer each question once, also where Slack delivers it to all of them", async () => {
    town = await shared(answer);

    const asked = Array.from({ length: 9 }, (_, index) => ({ index, ...alice().mention(general, `Q${index}?`) }));
    for (const { delivered } of asked) await delivered;
    // Slack knows of no acknowledgement and sends everything once more.
    for (const { payload } of [...town.slack.deliveries.all].filter(({ type }) => type === "events_api"))
      await town.slack.deliveries.deliver("events_api", payload);
    for (const { ts, index } of asked) await until(`the answer to ${index}`, () => isOver(ts));

    for (const { ts, index } of asked) {
      expect(town.replies(ts)).toHaveLength(1);
      expect(text(ts)).toContain(`Answer to Q${index}?`);
    }
    expect(town.service.runs.started).toBe(9);
  });

  it("keep the order of one conversation, one question at a time, whichever instance each arrived at", async () => {
    town = await shared((run) =>
      answers25({ question: run.question, answer: `Answer to ${run.question}`, between: [pause(10)] }),
    );
    const root = alice().mention(general, "First?");

    const rest = Array.from({ length: 6 }, (_, index) =>
      alice().mention(general, `Then ${index}?`, { thread: root.ts }),
    );
    await until(
      "all ends",
      () => town.replies(root.ts).filter((reply) => wordsOf(reply).includes("Show steps")).length === 7,
    );

    const asked = town.service.requests
      .filter(({ path }) => path.endsWith("/completions/stream"))
      .map(({ body }) => (JSON.parse(body) as { messages: { question: string }[] }).messages.at(-1)?.question);
    expect(asked.map((question) => question?.split("\n").at(-1))).toEqual([
      "First?",
      ...rest.map((_, index) => `Then ${index}?`),
    ]);
    expect(town.service.runs.most).toBe(1);
  });

  it("obey Stop and Try again on whichever instance they are pressed", async () => {
    town = await shared((run) => (run.number <= 3 ? [...begun(run.question), gate("never")] : answer(run)));

    // Three rounds, so that a press surely arrives where the question does not run.
    const asked = [];
    for (const question of ["A?", "B?", "C?"]) {
      const { ts } = alice().mention(general, question);
      await until("its step", () => text(ts).includes("knowledge bases"));
      asked.push(ts);
    }
    for (const ts of asked) await alice().click(town.replies(ts)[0]?.ts ?? "", "Stop");
    for (const ts of asked) await until("Stopped", () => text(ts).includes("Stopped"));
    for (const ts of asked) {
      await until("Try again", () => text(ts).includes("Try again"));
      await alice().click(town.replies(ts)[0]?.ts ?? "", "Try again");
    }
    for (const ts of asked) await until("the answer", () => isOver(ts) && text(ts).includes("Answer to"));

    for (const ts of asked) expect(town.replies(ts)).toHaveLength(1);
    expect(town.service.runs.started).toBe(6);
  });

  it("take over what a killed one was doing, in the same message, within a lease", async () => {
    const [one] = await openOwn(
      await startRedisServer(),
      (run) => (run.number === 1 ? [...begun(run.question), gate("never")] : answer(run)),
      1,
    );
    const { ts } = alice().mention(general, "When?");
    await until("its step", () => text(ts).includes("knowledge bases"));
    await town.parley();
    await one?.kill();
    const killedAtMs = Date.now();

    await until("the answer", () => isOver(ts));

    // A lease lasts 15 s, two would be 30 s; what comes after it is the answer itself.
    expect(Date.now() - killedAtMs).toBeLessThan(29_000);
    expect(town.replies(ts)).toHaveLength(1);
    expect(text(ts)).toContain("Answer to When?");
    expect(town.service.runs.started).toBe(2);
  });

  it("finish what runs while Redis is down for 30 s, twice a lease, and report each end once", async () => {
    const redis = await startRedisServer();
    await openOwn(
      redis,
      (run) => (run.question.startsWith("Long") ? [...begun(run.question), gate("end"), ...answer(run)] : answer(run)),
      2,
    );
    const long = alice().mention(general, "Long?");
    const longer = alice().mention(general, "Longer?");
    for (const { ts } of [long, longer]) await until("its step", () => text(ts).includes("knowledge bases"));

    await redis.kill();
    const goneAtMs = Date.now();
    town.service.release("end");
    await until("one end while Redis is gone", () => isOver(long.ts) || isOver(longer.ts));
    const during = alice().mention(general, "During?");
    await until("it is told to wait", () => text(during.ts).includes("can't reach my storage"));
    await until("the leases to lapse", () => Date.now() - goneAtMs > 30_000);
    await redis.restart();
    town.service.release("end");
    for (const { ts } of [long, longer]) await until("both ends", () => isOver(ts));
    const after = alice().mention(general, "After?");
    for (const { ts } of [during, after]) await until("a new answer", () => isOver(ts));
    // Each of them kept the question that Slack had sent to both; one message stays.
    await until("one message", () => town.replies(during.ts).length === 1);
    await until("quiet", () => town.service.runs.atOnce === 0);

    for (const { ts } of [long, longer, during, after]) {
      expect(town.replies(ts)).toHaveLength(1);
      expect(text(ts)).toContain("Answer to");
    }
    for (const parley of town.processes) expect((await fetch(`${parley.url}/healthz`)).status).toBe(200);
  });

  it("never start more runs at once than the service allows, however many ask, and tell everyone their place", async () => {
    await openOwn(await startRedisServer(), (run) => [gate("go"), ...answer(run)], 2, { runs: "2" });

    const asked = Array.from({ length: 10 }, (_, index) =>
      town.slack.person(index % 2 === 0 ? "U0ALICE" : "U0BOB").mention(general, `Q${index}?`),
    );
    const inLine = () => asked.filter(({ ts }) => /ahead of yours|Yours is next/.test(text(ts))).length;
    await until("eight who wait in line", () => inLine() === 8);
    town.service.release("go", 10);
    for (const { ts } of asked) await until("the answer", () => isOver(ts));

    expect(town.service.runs.most).toBe(2);
    expect(town.service.runs.started).toBe(10);
  });

  it("stay usable over a Redis that is 200 ms away", async () => {
    const redis = await startRedisServer();
    const proxy = await startTcpProxy(redis.port, { delayMs: 100 });
    // As patient as the real Slack, so that nothing is sent twice.
    await openOwn(redis, answer, 2, { redisUrl: `redis://127.0.0.1:${proxy.port}`, ackTimeoutMs: 3_000 });
    const startedAtMs = Date.now();

    const asked = ["A?", "B?", "C?"].map((question) => alice().mention(general, question));
    for (const { ts } of asked) await until("the answer", () => isOver(ts));

    expect(Date.now() - startedAtMs).toBeLessThan(15_000);
    for (const { ts } of asked) expect(town.replies(ts)).toHaveLength(1);
    for (const { delivered } of asked)
      for (const delivery of await delivered) expect(delivery).toMatchObject({ attempts: 1, isAcknowledged: true });
    await Promise.all(town.processes.map((parley) => parley.end()));
    await proxy.stop();
  });
});
