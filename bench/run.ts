/**
 * Runs every bench, or those named: `npm run bench -- decode startup`. It prints figures beside their targets; the exit
 * code is always 0. `--table` prints rows for docs/performance.md, `alone` leaves out the naive bots.
 */
import { lineOf, type Measure, rowOf } from "./measure.ts";

const benches: Readonly<Record<string, () => Promise<{ bench: () => Promise<Measure[]> }>>> = {
  startup: () => import("./startup.ts"),
  decode: () => import("./decode.ts"),
  turns: () => import("./turns.ts"),
  idle: () => import("./idle.ts"),
  slack: () => import("./slack/bench.ts"),
  discord: () => import("./discord/bench.ts"),
  charts: () => import("./charts.ts"),
  jobs: () => import("./jobs/bench.ts"),
  lines: () => import("./lines.ts"),
  schedules: () => import("./schedules.ts"),
  "question-log": () => import("./questions/question-log.ts"),
  conversations: () => import("./conversations.ts"),
  admin: () => import("./admin/bench.ts"),
  passages: () => import("./knowledge/passages.ts"),
  judgement: () => import("./judgement/score.ts"),
  parsers: () => import("./parsers.ts"),
  hostile: () => import("./hostile/bench.ts"),
  scale: () => import("./scale/bench.ts"),
};

const write = process.argv.includes("--table") ? rowOf : lineOf;
const named = process.argv.slice(2).filter((word) => word !== "alone" && !word.startsWith("--"));
for (const [name, load] of Object.entries(benches)) {
  if (named.length > 0 && !named.includes(name)) continue;
  const { bench } = await load();
  for (const measure of await bench()) process.stdout.write(`${write(measure)}\n`);
}
