/** An instance on Redis that begins a work, says so, and says how it was stopped. */
import { systemClock as clock } from "../../src/core/tools/system-clock.ts";
import { connectRedis } from "../../src/state/redis/connection.ts";
import { createRedisCoordinator } from "../../src/state/redis/coordinator.ts";
import { createRedisWorks } from "../../src/state/redis/works/works.ts";
import { silentLog as log } from "../doubles/silent-log.ts";
import { shortWorkTimes as times } from "./short-times.ts";

const say = (line: string) => process.stdout.write(`${line}\n`);
const url = String(process.argv[2]);
// It ends with its parent, at the latest.
process.stdin.resume().on("end", () => process.exit());
const connection = await connectRedis({ url, clock, log });
const coordinator = createRedisCoordinator({ connection, clock, log });
const works = createRedisWorks({ connection, coordinator, url, clock, log, times });
works.define("letters", {
  ...{ concurrency: 1, attempts: 3, backoff: () => 50, giveUpAfterMs: 3_600_000 },
  run: async ({ key }, signal) => {
    say(`begun ${key}`);
    await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
    say(`stopped ${signal.reason}`);
    // It is done all the same, and that must change nothing.
    return undefined;
  },
});
await works.start();
