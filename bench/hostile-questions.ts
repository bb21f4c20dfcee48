/**
 * Many questions that wait, large or small: the bridge with delivery and its storage in this process, over a service
 * whose places are all taken and a platform that keeps nothing.
 */
import { readFile } from "node:fs/promises";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import type { ChatPlatform } from "../src/bridge/ports/chat-platform.ts";
import { systemClock as clock } from "../src/operations/system-clock.ts";
import { createAgents } from "../test/doubles/agents.ts";
import { createMemoryPlatform } from "../test/doubles/memory-platform.ts";
import { hasRedisServer, startRedisServer } from "../test/doubles/redis-server.ts";
import { suffered } from "./hostile-targets.ts";
import type { Measure } from "./measure.ts";
import { watchOwnWork } from "./own-work.ts";
import { openParley } from "./parley.ts";
import type { Scenes } from "./scenes.ts";

const runsAtOnce = 4;
/** As many events as a platform hands over at the same instant. */
const atOnce = 20;
/** Long enough for three looks at what is unfinished. */
const waitMs = 16_000;
const recoveryIntervalMs = 5_000;

export const questionScenes: Scenes = {
  "2,000 questions of 100 kB": () => waiting("2,000 questions of 100 kB, waiting", 2_000, 100_000, 100),
  "10,000 questions of 2 kB": () => waiting("10,000 questions of 2 kB, waiting", 10_000, 2_000, 500),
  "10,000 questions of 2 kB on Redis": async () => {
    if (!hasRedisServer()) return [];
    const redis = await startRedisServer();
    const name = "10,000 questions of 2 kB on Redis, waiting";
    return waiting(name, 10_000, 2_000, 500, redis.url).finally(redis.stop);
  },
};

async function waiting(
  name: string,
  count: number,
  chars: number,
  people: number,
  redisUrl?: string,
): Promise<readonly Measure[]> {
  const agents = createAgents();
  agents.set({ profile: { maxRuns: runsAtOnce } });
  const settings = { recoveryIntervalMs, isShared: redisUrl !== undefined };
  const parley = await openParley(agents, forgetful(), { settings, ...(redisUrl === undefined ? {} : { redisUrl }) });
  await parley.recover();
  await sleep(1_000);

  const loop = monitorEventLoopDelay({ resolution: 10 });
  loop.enable();
  const work = watchOwnWork();
  const beganMs = Date.now();
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
