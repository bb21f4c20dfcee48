/** Counted permits in memory, shared fairly: one workspace's question doesn't wait behind another's hundred. */
import type { Clock } from "../../core/ports/clock.ts";
import type { Coordinator, Lease } from "../../core/ports/state.ts";
import { fairOrder } from "./fair-order.ts";
import { createMemoryLease } from "./lease.ts";
import { createQueueNews, type QueueNews } from "./queue-news.ts";
import { closedError, type Waiter, waitInQueue } from "./wait-in-queue.ts";

type Group = {
  held: number;
  /** Number of its last grant; 0 = none since it became active. */
  lastGrant: number;
  readonly waiting: Waiter[];
};

type Pool = {
  /** Permits in all, as of the newest call. */
  n: number;
  held: number;
  waiting: number;
  grants: number;
  /** Only groups that hold a permit or wait for one. */
  readonly groups: Map<string, Group>;
  readonly news: QueueNews;
};

type MemoryPermits = { readonly permit: Coordinator["permit"]; readonly close: () => void };

/** Work that nobody waits for, of all workspaces. No workspace's key begins like that. */
export const spareGroup = "~spare";

/** Whether a permit of a spare group can be granted: another one stays free, unless there is only one. */
function leavesOne({ held, n }: Pool): boolean {
  return held === 0 || held + 1 < n;
}

/** The next group: the fewest permits held, then the longest since its last grant, then the earliest active. */
function nextGroup(groups: ReadonlyMap<string, Group>): readonly [string, Group] | undefined {
  let next: readonly [string, Group] | undefined;
  for (const [name, group] of groups) {
    if (group.waiting.length === 0 || name === spareGroup) continue;
    const best = next?.[1];
    if (
      best === undefined ||
      group.held < best.held ||
      (group.held === best.held && group.lastGrant < best.lastGrant)
    ) {
      next = [name, group];
    }
  }
  return next;
}

function spareOf(pool: Pool): readonly [string, Group] | undefined {
  const spare = pool.groups.get(spareGroup);
  return spare !== undefined && leavesOne(pool) ? [spareGroup, spare] : undefined;
}

/** What nobody waits for has no place in the queue. */
function placesIn(group: string): number {
  return group === spareGroup ? 0 : 1;
}

export function createMemoryPermits(options: {
  readonly clock: Clock;
  readonly nextFence: () => number;
}): MemoryPermits {
  const pools = new Map<string, Pool>();

  function createPool(n: number): Pool {
    const pool: Pool = {
      n,
      held: 0,
      waiting: 0,
      grants: 0,
      groups: new Map(),
      news: createQueueNews(options.clock, () => {
        const inQueue = [...pool.groups].flatMap(([name, group]) => (name === spareGroup ? [] : [group]));
        for (const [index, waiter] of fairOrder(inQueue).entries()) waiter.notify(index + 1);
      }),
    };
    return pool;
  }

  function dropIdle(key: string, pool: Pool, name: string): void {
    const group = pool.groups.get(name);
    if (group?.held === 0 && group.waiting.length === 0) pool.groups.delete(name);
    if (pool.groups.size > 0) return;
    pool.news.stop();
    pools.delete(key);
  }

  function leaseFor(key: string, pool: Pool, name: string, group: Group): Lease {
    pool.held += 1;
    pool.grants += 1;
    group.held += 1;
    group.lastGrant = pool.grants;
    return createMemoryLease(options.nextFence(), () => {
      pool.held -= 1;
      group.held -= 1;
      advance(key, pool);
      dropIdle(key, pool, name);
    });
  }

  /** Grants free permits. Returns whether all waiting callers were notified of their positions. */
  function advance(key: string, pool: Pool): boolean {
    while (pool.held < pool.n) {
      const [name, group] = nextGroup(pool.groups) ?? spareOf(pool) ?? [];
      const waiter = group?.waiting.shift();
      if (name === undefined || group === undefined || waiter === undefined) break;
      pool.waiting -= placesIn(name);
      waiter.grant(leaseFor(key, pool, name, group));
    }
    return pool.news.changed(pool.waiting);
  }

  return {
    permit: (key, n, workspace, wait) => {
      const name = wait?.isSpare === true ? spareGroup : workspace;
      let leave = (_: Waiter) => {};
      return waitInQueue(
        wait,
        (waiter) => {
          const pool = pools.get(key) ?? createPool(n);
          pools.set(key, pool);
          pool.n = n;
          const group = pool.groups.get(name) ?? { held: 0, lastGrant: 0, waiting: [] };
          pool.groups.set(name, group);
          group.waiting.push(waiter);
          pool.waiting += placesIn(name);
          leave = (leaving) => {
            const index = group.waiting.indexOf(leaving);
            if (index !== -1) {
              group.waiting.splice(index, 1);
              pool.waiting -= placesIn(name);
            }
            advance(key, pool);
            dropIdle(key, pool, name);
          };
          // In a long queue a new caller is at the end or close to it. The exact position follows within a second.
          if (!advance(key, pool) && group.waiting.at(-1) === waiter && name !== spareGroup)
            waiter.notify(pool.waiting);
        },
        (waiter) => leave(waiter),
      );
    },

    close: () => {
      for (const pool of pools.values()) {
        pool.news.stop();
        for (const group of pool.groups.values()) {
          for (const waiter of group.waiting.splice(0)) waiter.fail(closedError());
        }
      }
      pools.clear();
    },
  };
}
