/** Short leases for tests on Redis, which has to wait for them in real time. */
import type { LineTimes } from "../../src/state/redis/line/line-options.ts";

export const shortTimes: LineTimes = { leaseMs: 900, renewEveryMs: 300, retryMs: 50, unattendedMs: 300 };
