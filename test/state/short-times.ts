/** Short leases for tests on Redis, which has to wait for them in real time. */
import type { QueueTimes } from "../../src/state/redis/queues.ts";
import type { WorkTimes } from "../../src/state/redis/works/works.ts";

export const shortTimes: QueueTimes = { leaseMs: 900, renewEveryMs: 300, retryMs: 50, unattendedMs: 300 };

export const shortWorkTimes: WorkTimes = { lockMs: 1_500, checkMs: 500 };
