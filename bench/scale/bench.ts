/**
 * Measures growth: several instances over one Redis, and stores with very many Turns. Loopback only. `--small` tries it
 * with little in a few minutes; whole it takes 40 minutes on two quiet cores, 8 GB of memory and 10 GB of disk.
 *
 *   node bench/run.ts scale [--small]
 */
import type { Measure } from "../measure.ts";
import { instances } from "./instances.ts";
import { processes } from "./processes.ts";
import { storedTurns } from "./stored.ts";

const whole = {
  load: { most: 50, each: 12, seconds: 20, warmUpEach: 300 },
  slack: { atFifty: 500, seconds: 120 },
  turns: 1_000_000,
};
const small = {
  load: { most: 20, each: 5, seconds: 10, warmUpEach: 50 },
  slack: { atFifty: 100, seconds: 20 },
  turns: 20_000,
};

export async function bench(): Promise<Measure[]> {
  const { load, slack, turns } = process.argv.includes("--small") ? small : whole;
  return [...(await instances(load)), ...(await processes(slack)), ...(await storedTurns(turns))];
}
