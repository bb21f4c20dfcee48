/**
 * Two instances over one Redis, Slack and the page, and everything that goes wrong in a bad year within some minutes. The
 * seed decides what happens and in which order; the exact moments are the machine's.
 */
import { readdirSync, readFileSync } from "node:fs";
import { systemClock } from "../../src/operations/system-clock.ts";
import { connectRedis } from "../../src/state/redis-connection.ts";
import { createRedisTurnStore } from "../../src/state/redis-records.ts";
import type { ParleyProcess } from "../doubles/parley-process.ts";
import { startRedisServer } from "../doubles/redis-server.ts";
import { openTown, until } from "../reliability/slack-town.ts";
import { silentLog } from "../state/silent-log.ts";
import { createAskers } from "./askers.ts";
import { createChance } from "./chance.ts";
import { type Ask, findWrong, isLeftWaiting } from "./findings.ts";
import { playStory, tagOf } from "./stories.ts";

export type ChaosReport = {
  readonly seed: number;
  readonly wrong: readonly string[];
  readonly figures: Readonly<Record<string, number>>;
  /** What the instances said. */
  readonly output: string;
};

/** Slack's own budget for edits lets about 48 answers a minute end. */
const slackEveryMs = 2_600;
const pageEveryMs = 1_100;
const settleLimitMs = 120_000;

export async function runChaos(options: { readonly seed: number; readonly seconds: number }): Promise<ChaosReport> {
  const chance = createChance(options.seed);
  const redis = await startRedisServer();
  const asks: Ask[] = [];
  const town = await openTown({
    script: (run) => {
      if (!run.isPlain) asks.push({ tag: tagOf(run.question), atMs: Date.now() });
      return playStory(run, chance);
    },
    slack: { ackTimeoutMs: 1_500, retryDelaysMs: Array.from({ length: 30 }, () => 1_000) },
    settings: { REDIS_URL: redis.url, AGENT_MAX_RUNS: "4", CONSOLE: "on", LOG_LEVEL: "warn" },
  });
  // The first one is frozen at times but never killed: whether memory is flat shows on who lives long.
  const steady = await town.parley();
  const mortal = await town.parley();
  const instances = [steady, mortal];
  const urls = instances.map(({ url }) => url);
  const askers = createAskers(town, chance);
  const counts = { kills: 0, freezes: 0, socketCuts: 0, slackFaults: 0, serviceAways: 0, redisRestarts: 0 };
  const memory: number[] = [];
  let busy: Promise<unknown> = Promise.resolve();

  const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
  /** Faults of one kind wait for each other: one Redis cannot be restarted twice at once. */
  const oneAfterTheOther = (work: () => Promise<unknown>) => {
    busy = busy.then(work, work);
  };

  const faults: readonly [() => void, ...(() => void)[]] = [
    () => {
      counts.kills += 1;
      oneAfterTheOther(async () => {
        await mortal.kill();
        await pause(chance.between(0, 3_000));
        await mortal.start("/healthz");
      });
    },
    () => {
      counts.freezes += 1;
      const frozen = chance.pick([steady, mortal]);
      oneAfterTheOther(async () => {
        frozen.freeze();
        await pause(chance.between(500, 4_000));
        frozen.thaw();
      });
    },
    () => {
      counts.socketCuts += 1;
      for (const socket of town.slack.deliveries.sockets) if (chance.happens(0.5)) socket.kill();
    },
    () => {
      counts.slackFaults += 1;
      const method = chance.pick(["chat.postMessage", "chat.update", "chat.update"]);
      town.slack.fail(method, chance.pick(["ratelimited", "lost", "500", "internal_error"]), { retryAfterS: 1 });
    },
    () => {
      counts.serviceAways += 1;
      oneAfterTheOther(async () => {
        await town.service.refuseConnections();
        await pause(chance.between(500, 3_000));
        await town.service.acceptConnections();
      });
    },
    () => {
      counts.redisRestarts += 1;
      oneAfterTheOther(async () => {
        await redis.kill();
        await pause(chance.between(0, 2_000));
        await redis.restart();
      });
    },
  ];

  const startedMs = Date.now();
  const untilMs = startedMs + options.seconds * 1_000;
  const every = (ms: number, act: () => void) => {
    let dueMs = startedMs + chance.between(0, ms);
    return () => {
      if (Date.now() < dueMs) return;
      dueMs += ms * chance.between(0.5, 1.5);
      act();
    };
  };
  const happenings = [
    every(slackEveryMs, askers.askOnSlack),
    every(pageEveryMs, () => askers.askOnPage(urls)),
    every(4_000, () => askers.press(chance.pick(["Stop", "Try again"]))),
    every(2_000, askers.repeat),
    every(3_500, () => chance.pick(faults)()),
    every(1_000, () => memory.push(residentBytes(steady))),
  ];
  while (Date.now() < untilMs) {
    for (const happening of happenings) happening();
    await pause(50);
  }

  await busy;
  await Promise.all(askers.asked.map(({ settled }) => settled));
  const connection = await connectRedis({ url: redis.url, clock: systemClock, log: silentLog });
  const store = createRedisTurnStore(connection);
  const recent = () => store.recent(1_000_000);
  const isQuiet = async () => {
    for await (const _turn of store.unfinished()) return false;
    const held = await connection.run((client) => client.keys("parley:line:*"));
    return held.length === 0 && town.service.runs.atOnce === 0;
  };
  const wrong: string[] = [];
  await until("quiet after the storm", isQuiet, settleLimitMs).catch((failure: unknown) => wrong.push(String(failure)));
  await pause(1_500);

  wrong.push(...(await findWrong({ town, askers, asks, turns: await recent(), pageUrl: steady.url, connection })));
  wrong.push(...(await lookAt(instances, memory)));
  const figures = {
    questions: askers.asked.length,
    undelivered: askers.asked.filter(({ isDelivered }) => !isDelivered()).length,
    runs: town.service.runs.started,
    mostRunsAtOnce: town.service.runs.most,
    ...askers.counts(),
    ...counts,
    leftWaiting: [...town.slack.world.messages.values()].filter(isLeftWaiting).length,
    memoryMb: Math.round(residentBytes(steady) / 2 ** 20),
    seconds: Math.round((Date.now() - startedMs) / 1_000),
  };
  if (figures.mostRunsAtOnce > 4) wrong.push(`${figures.mostRunsAtOnce} runs at once`);
  const exits = await Promise.all(instances.map((instance) => instance.end()));
  if (exits.some((code) => code !== 0)) wrong.push(`ended with ${exits}`);
  await connection.close();
  const output = instances.map((instance) => instance.output()).join("\n");
  await town.close();
  await redis.stop();
  return { seed: options.seed, wrong, figures, output };
}

/** Nothing leaked, nothing unhandled, memory flat. */
async function lookAt(instances: readonly ParleyProcess[], memory: readonly number[]): Promise<readonly string[]> {
  const wrong: string[] = [];
  for (const [index, instance] of instances.entries()) {
    if (/[Uu]nhandled|out of memory/.test(instance.output())) wrong.push(`instance ${index} met something unhandled`);
    const metrics = await (await fetch(`${instance.url}/metrics`)).text();
    for (const [, name, value] of metrics.matchAll(/^(parley_turns_(?:waiting|running)\S*) (\S+)$/gm))
      if (Number(value) !== 0) wrong.push(`instance ${index}: ${name} is ${value}`);
    const sockets = openSockets(instance);
    if (sockets > 40) wrong.push(`instance ${index} has ${sockets} sockets open`);
  }
  // The first third warms up; later the median may not grow by more than a third and 30 MB.
  const third = Math.floor(memory.length / 3);
  const [before, after] = [median(memory.slice(third, 2 * third)), median(memory.slice(2 * third))];
  if (third >= 20 && after > before * 1.33 + 30 * 2 ** 20) wrong.push(`memory grew from ${before} to ${after} bytes`);
  return wrong;
}

function residentBytes(instance: ParleyProcess): number {
  const status = readFileSync(`/proc/${instance.pid()}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024;
}

function openSockets(instance: ParleyProcess): number {
  return readdirSync(`/proc/${instance.pid()}/fd`).length;
}

function median(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}
