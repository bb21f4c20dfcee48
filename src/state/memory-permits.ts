/**
 * Counted permits of one process, fair over groups: a workspace with a hundred questions in line must not keep
 * another one with a single question waiting for all of them.
 */
import type { Coordinator, Lease } from "../bridge/ports/state.ts";
import { createMemoryLease } from "./memory-lease.ts";
import { closedError, type Waiter, waitInLine } from "./wait-in-line.ts";

type Group = {
  held: number;
  /** Number of the grant that it got last; 0 = none since it became active. */
  lastGrant: number;
  readonly waiting: Waiter[];
};

type Pool = {
  /** Of the newest call. */
  n: number;
  held: number;
  grants: number;
  /** Only groups that hold or wait. */
  readonly groups: Map<string, Group>;
};

type MemoryPermits = { readonly permit: Coordinator["permit"]; readonly close: () => void };

/** Who is next: the fewest permits held, then the longest since the last grant, then who became active first. */
function nextGroup(groups: readonly Group[]): Group | undefined {
  let next: Group | undefined;
  for (const group of groups) {
    if (group.waiting.length === 0) continue;
    if (
      next === undefined ||
      group.held < next.held ||
      (group.held === next.held && group.lastGrant < next.lastGrant)
    ) {
      next = group;
    }
  }
  return next;
}

/** All waiters in the order in which permits would reach them if none came back. */
function serviceOrder(pool: Pool): Waiter[] {
  const groups = [...pool.groups.values()].map((group) => ({ ...group, waiting: [...group.waiting] }));
  const order: Waiter[] = [];
  for (let grant = pool.grants + 1; ; grant += 1) {
    const group = nextGroup(groups);
    const waiter = group?.waiting.shift();
    if (group === undefined || waiter === undefined) return order;
    order.push(waiter);
    group.held += 1;
    group.lastGrant = grant;
  }
}

export function createMemoryPermits(options: { readonly nextFence: () => number }): MemoryPermits {
  const pools = new Map<string, Pool>();

  function dropIdle(key: string, pool: Pool): void {
    for (const [name, group] of pool.groups) {
      if (group.held === 0 && group.waiting.length === 0) pool.groups.delete(name);
    }
    if (pool.groups.size === 0) pools.delete(key);
  }

  function leaseFor(key: string, pool: Pool, group: Group): Lease {
    pool.held += 1;
    pool.grants += 1;
    group.held += 1;
    group.lastGrant = pool.grants;
    return createMemoryLease(options.nextFence(), () => {
      pool.held -= 1;
      group.held -= 1;
      advance(key, pool);
    });
  }

  function advance(key: string, pool: Pool): void {
    while (pool.held < pool.n) {
      const group = nextGroup([...pool.groups.values()]);
      const waiter = group?.waiting.shift();
      if (group === undefined || waiter === undefined) break;
      waiter.grant(leaseFor(key, pool, group));
    }
    serviceOrder(pool).forEach((waiter, index) => {
      waiter.tell(index + 1);
    });
    dropIdle(key, pool);
  }

  return {
    permit: (key, n, groupName, wait) => {
      let leave = (_: Waiter) => {};
      return waitInLine(
        wait,
        (waiter) => {
          const pool = pools.get(key) ?? { n, held: 0, grants: 0, groups: new Map<string, Group>() };
          pools.set(key, pool);
          pool.n = n;
          const group = pool.groups.get(groupName) ?? { held: 0, lastGrant: 0, waiting: [] };
          pool.groups.set(groupName, group);
          group.waiting.push(waiter);
          leave = (leaving) => {
            const index = group.waiting.indexOf(leaving);
            if (index !== -1) group.waiting.splice(index, 1);
            advance(key, pool);
          };
          advance(key, pool);
        },
        (waiter) => leave(waiter),
      );
    },

    close: () => {
      for (const pool of pools.values()) {
        for (const group of pool.groups.values()) {
          for (const waiter of group.waiting.splice(0)) waiter.fail(closedError());
        }
      }
      pools.clear();
    },
  };
}
