/**
 * Measures the event loop inside Parley's process. It is loaded before Parley, resets on SIGUSR2 and writes its figure
 * when the process ends.
 */
import { writeSync } from "node:fs";
import { watchOwnWork } from "../own-work.ts";

// Parley's children are given its options too.
if (process.argv[1]?.endsWith("/dist/main.js") === true) {
  const work = watchOwnWork();
  process.on("SIGUSR2", work.reset);
  process.on("exit", () => writeSync(1, `own work ${work.worstMs()}\n`));
}
