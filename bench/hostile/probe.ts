/** Loaded into Parley's process before Parley itself. SIGUSR2 begins anew; the figure is written when the process ends. */
import { writeSync } from "node:fs";
import { watchOwnWork } from "../own-work.ts";

// Parley's children are given its options too.
if (process.argv[1]?.endsWith("/src/main.ts") === true) {
  const work = watchOwnWork();
  process.on("SIGUSR2", work.reset);
  process.on("exit", () => writeSync(1, `own work ${work.worstMs()}\n`));
}
