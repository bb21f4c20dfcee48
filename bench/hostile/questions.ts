/**
 * Measures many waiting questions, large or small. The bridge, delivery and storage run in this process, over a service
 * without a free run and a platform that stores nothing.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import type { ChatPlatform } from "../../src/core/ports/chat-platform.ts";
import { systemClock as clock } from "../../src/core/tools/system-clock.ts";
import { createMemoryPlatform } from "../../test/doubles/memory-platform.ts";
import { hasRedisServer, startRedisServer } from "../../test/doubles/processes/redis-server.ts";
import { createAgents } from "../../test/doubles/service/agents.ts";
import type { Measure } from "../measure.ts";
import { watchOwnWork } from "../own-work.ts";
import { openParley, type Parley } from "../parley.ts";
import type { Scenes } from "../scenes.ts";
import { suffered } from "./targets.ts";

const runsAtOnce = 4;
/** As many events as a platform hands over at the same instant. */
const atOnce = 20;
const maxBeginMs = 60_000;
/** Long enough for three looks at what is unfinished, and for the leases of a killed process to lapse. */
const waitMs = 20_000;
const recoveryIntervalMs = 5_000;

type Amount = { readonly count: number; readonly chars: number; readonly people: number };
type Where = { readonly redisUrl: string } | { readonly dataDir: string };

const large: Amount = { count: 2_000, chars: 100_000, people: 100 };
const small: Amount = { count: 10_000, chars: 2_000, people: 500 };

export const questionScenes: Scenes = {
  "2,000 questions of 100 kB": (name) => inFolder((where) => waiting(name, large, where)),
  "10,000 questions of 2 kB": (name) => inFolder((where) => waiting(name, small, where)),
  "10,000 questions of 2 kB on Redis": (name) => onRedis((where) => waiting(name, small, where)),
  "restart with 2,000 questions of 100 kB": (name) => inFolder((where) => restart(name, large, where)),
  "restart with 10,000 questions of 2 kB on Redis": (name) => onRedis((where) => restart(name, small, where)),
};

async function inFolder(play: (where: Where) => Promise<readonly Measure[]>): Promise<readonly Measure[]> {
  const dataDir = await mkdtemp(join(tmpdir(), "parley-bench-"));
  return play({ dataDir }).finally(() => rm(dataDir, { recursive: true, force: true }));
}

async function onRedis(play: (where: Where) => Promise<readonly Measure[]>): Promise<readonly Measure[]> {
  if (!hasRedisServer()) return [];
  const redis = await startRedisServer();
  return play({ redisUrl: redis.url }).finally(redis.stop);
}

function waiting(name: string, amount: Amount, where: Where): Promise<readonly Measure[]> {
  return measured(`${name}, waiting`, amount, async () => {
    const parley = await open(where);
    await parley.recover();
    return { parley, act: () => askAll(parley, amount) };
  });
}

/** Another process took them, and was killed. */
async function restart(name: string, amount: Amount, where: Where): Promise<readonly Measure[]> {
  const filler = fork(import.meta.filename, [JSON.stringify(amount), JSON.stringify(where)]);
  await once(filler, "exit");
  return measured(name, amount, async () => {
    const parley = await open(where);
    return { parley, act: parley.recover };
  });
}

function open(where: Where): Promise<Parley> {
  const agents = createAgents();
  agents.set({ profile: { maxRuns: runsAtOnce } });
  const settings = { recoveryIntervalMs, ...("redisUrl" in where ? { redisUrl: where.redisUrl } : {}) };
  return openParley(agents, forgetful(), { settings, ...where });
}

async function askAll(parley: Parley, { count, chars, people }: Amount): Promise<void> {
  for (let from = 0; from < count; from += atOnce) {
    const asked = Array.from({ length: atOnce }, (_, at) => {
      const index = from + at;
      // Words of its own, so that no two of them share their memory.
      const text = `${index} `.repeat(Math.ceil(chars / String(index).length)).slice(0, chars);
      return parley.ask(index, { actorId: `U${index % people}`, text });
    });
    await Promise.all(asked);
    await sleep(1);
  }
}

async function measured(
  name: string,
  { count }: Amount,
  begin: () => Promise<{ readonly parley: Parley; readonly act: () => Promise<void> }>,
): Promise<readonly Measure[]> {
  const { parley, act } = await begin();
  await sleep(1_000);
  const loop = monitorEventLoopDelay({ resolution: 10 });
  loop.enable();
  const work = watchOwnWork();
  const beganMs = Date.now();
  await act();
  while (parley.unfinished() < count && Date.now() - beganMs < maxBeginMs) await sleep(100);
  const seconds = (Date.now() - beganMs) / 1_000;
  await sleep(waitMs);
  loop.disable();
  const ownMs = work.worstMs();
  const status = await readFile("/proc/self/status", "utf8");
  return suffered(name, {
    loopMs: loop.max / 1e6,
    ownMs,
    mainMegabytes: (Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1]) * 1_024) / 1e6,
    isAlive: parley.unfinished() >= count,
    seconds,
  });
}

function forgetful(): ChatPlatform {
  let posted = 0;
  return {
    ...createMemoryPlatform({ clock }),
    post: async () => {
      posted += 1;
      return `m${posted}`;
    },
    edit: async () => {},
  };
}

if (import.meta.main) {
  const amount = JSON.parse(process.argv[2] ?? "") as Amount;
  const parley = await open(JSON.parse(process.argv[3] ?? "") as Where);
  await askAll(parley, amount);
  // What the storage was too slow for is asked again.
  while (parley.unfinished() < amount.count) await sleep(100);
  // Their places in line and what stands of them are stored behind what was asked.
  await sleep(5_000);
  process.kill(process.pid, "SIGKILL");
}
