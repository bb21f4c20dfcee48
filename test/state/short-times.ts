/** Where Redis keeps the time a test has to wait for real: so its leases are short. */
import type { LineTimes } from "../../src/state/redis/line/line.ts";

export const shortTimes: LineTimes = { leaseMs: 900, renewEveryMs: 300, retryMs: 50, unattendedMs: 300 };
