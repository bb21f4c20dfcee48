/** An instance that takes a lane on Redis, enqueues another entry behind it, says so, and then does nothing. */
import { systemClock } from "../../src/core/tools/system-clock.ts";
import { connectRedis } from "../../src/state/redis/connection.ts";
import { createRedisCoordinator } from "../../src/state/redis/coordinator.ts";
import { silentLog } from "../doubles/silent-log.ts";
import { shortTimes } from "./short-times.ts";

const connection = await connectRedis({ url: String(process.argv[2]), clock: systemClock, log: silentLog });
const coordinator = createRedisCoordinator({ connection, clock: systemClock, log: silentLog, times: shortTimes });
const lease = await coordinator.lanes.acquire("lane", "t1", "1");
const permit = await coordinator.permit("service", 1, "w");
void coordinator.lanes.acquire("lane", "t2", "2", {
  onPosition: () => process.stdout.write(`holding ${lease.fence} ${permit.fence}\n`),
});
// It ends with its parent, at the latest.
process.stdin.resume().on("end", () => process.exit());
