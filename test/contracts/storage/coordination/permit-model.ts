/**
 * Model of counted permits, as simple as possible: one grant at a time, to the group that holds the fewest, then to the
 * one served longest ago, then to the one with the oldest request.
 */
type Ticket = { readonly id: number; readonly group: string };

export type PermitModel = ReturnType<typeof createPermitModel>;

export function createPermitModel(n: number) {
  let held: Ticket[] = [];
  let waiting: Ticket[] = [];
  let grants = 0;
  const lastGrant = new Map<string, number>();

  function following(holds: readonly Ticket[], waits: readonly Ticket[], last: ReadonlyMap<string, number>) {
    const count = (group: string) => holds.filter((ticket) => ticket.group === group).length;
    const firsts = waits.filter((ticket, index) => waits.findIndex(({ group }) => group === ticket.group) === index);
    return firsts.sort(
      (x, y) => count(x.group) - count(y.group) || (last.get(x.group) ?? 0) - (last.get(y.group) ?? 0),
    )[0];
  }

  function settle(): void {
    for (let next = following(held, waiting, lastGrant); next !== undefined && held.length < n; ) {
      const { id, group } = next;
      grants += 1;
      lastGrant.set(group, grants);
      held.push(next);
      waiting = waiting.filter((ticket) => ticket.id !== id);
      next = following(held, waiting, lastGrant);
    }
    for (const group of lastGrant.keys()) {
      if (![...held, ...waiting].some((ticket) => ticket.group === group)) lastGrant.delete(group);
    }
  }

  return {
    join: (id: number, group: string) => {
      waiting.push({ id, group });
      settle();
    },
    leave: (id: number) => {
      waiting = waiting.filter((ticket) => ticket.id !== id);
      settle();
    },
    release: (id: number) => {
      held = held.filter((ticket) => ticket.id !== id);
      settle();
    },
    held: () => held.map(({ id }) => id),
    /** In the order in which permits would reach them if none came back. */
    waiting: () => {
      const last = new Map(lastGrant);
      const holds = [...held];
      const order: number[] = [];
      for (let waits = waiting; waits.length > 0; ) {
        const next = following(holds, waits, last);
        if (next === undefined) break;
        last.set(next.group, grants + order.length + 1);
        holds.push(next);
        order.push(next.id);
        waits = waits.filter(({ id }) => id !== next.id);
      }
      return order;
    },
  };
}
