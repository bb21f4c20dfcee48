/**
 * Runs every bench, or those named: `npm run bench -- decode startup`. It prints figures beside their targets; the exit
 * code is always 0.
 */
import type { Measure } from "./measure.ts";

const benches: Readonly<Record<string, () => Promise<{ bench: () => Promise<Measure[]> }>>> = {
  startup: () => import("./startup.ts"),
  decode: () => import("./decode.ts"),
  turns: () => import("./turns.ts"),
  idle: () => import("./idle.ts"),
  slack: () => import("./slack/bench.ts"),
  discord: () => import("./discord/bench.ts"),
  jobs: () => import("./jobs/bench.ts"),
  lines: () => import("./lines.ts"),
  schedules: () => import("./schedules.ts"),
  hostile: () => import("./hostile/bench.ts"),
};

const named = process.argv.slice(2);
for (const [name, load] of Object.entries(benches)) {
  if (named.length > 0 && !named.includes(name)) continue;
  const { bench } = await load();
  for (const measure of await bench()) process.stdout.write(`${line(measure)}\n`);
}

function line({ name, value, target, unit }: Measure): string {
  const figure = Number.isInteger(value) ? String(value) : value.toFixed(value < 10 ? 2 : 1);
  if (target === undefined) return `        ${name}: ${figure} ${unit}`;
  const isMet = "atLeast" in target ? value >= target.atLeast : value <= target.atMost;
  const wanted = "atLeast" in target ? `at least ${target.atLeast}` : `at most ${target.atMost}`;
  return `${isMet ? "ok     " : "MISSED "} ${name}: ${figure} ${unit} (${wanted})`;
}
