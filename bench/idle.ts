/**
 * Measures the memory of 10,000 idle conversations: each has asked once and was answered. The service and the platform
 * store nothing, so all growth is Parley's.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { AgentService } from "../src/core/ports/agent-service.ts";
import type { ChatPlatform } from "../src/core/ports/chat-platform.ts";
import { systemClock as clock } from "../src/core/tools/system-clock.ts";
import { createMemoryPlatform } from "../test/doubles/memory-platform.ts";
import { createAgents } from "../test/doubles/service/agents.ts";
import type { Measure } from "./measure.ts";
import { openParley } from "./parley.ts";

const warmUp = 1_000;
const conversations = 10_000;
const mebibyte = 1_048_576;

const service: AgentService = {
  ...createAgents(),
  async *ask() {
    yield { type: "started" };
    yield { type: "answer", text: "At two." };
    yield { type: "ended" };
  },
};

let posted = 0;
const platform: ChatPlatform = {
  ...createMemoryPlatform({ clock }),
  post: async () => {
    posted += 1;
    return `m${posted}`;
  },
  edit: async () => {},
};

export async function bench(): Promise<Measure[]> {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const heapAfterCollection = () => {
    collect();
    collect();
    return process.memoryUsage().heapUsed;
  };
  const parley = await openParley(service, platform);
  await answer(0, warmUp);
  const before = heapAfterCollection();
  await answer(warmUp, warmUp + conversations);
  const grownBy = heapAfterCollection() - before;
  await parley.close();
  return [{ name: "10,000 idle conversations", value: grownBy / mebibyte, target: { atMost: 5 }, unit: "MiB of heap" }];

  async function answer(from: number, to: number): Promise<void> {
    for (let index = from; index < to; index += 1) {
      await parley.ask(index);
      while (parley.unfinished() > 50) await sleep(1);
    }
    while (parley.unfinished() > 0) await sleep(5);
    // Stopped runs' places and the like are given back by timers; none is pending here.
    await sleep(100);
  }
}
