/** A bot in thousands of servers: its shards are shared by the instances that use one storage. */
import { describe, expect, it, onTestFinished } from "vitest";
import type { WaitOptions } from "../../../src/core/ports/state.ts";
import { systemClock } from "../../../src/core/tools/system-clock.ts";
import { createMemoryCoordinator } from "../../../src/state/memory/coordinator.ts";
import { until } from "../../doubles/until.ts";
import { freeCoordinator, joinRoom, openRoom } from "../room.ts";

async function openTwo(shards: number) {
  const shared = createMemoryCoordinator({ clock: systemClock });
  onTestFinished(() => shared.close());
  const coordinator = { ...freeCoordinator, lease: shared.lease };
  const one = await openRoom({}, { shards, coordinator, clock: systemClock });
  const other = await joinRoom(one, {}, { coordinator, clock: systemClock });
  const { gateway } = one.discord;
  const numbers = () =>
    gateway
      .sessions()
      .filter(({ isOpen }) => isOpen)
      .map(({ shard }) => shard[0])
      .sort();
  return { one, other, gateway, numbers, shared };
}

describe("the shards of a bot", () => {
  it("are each connected once, by one of the instances, and both say that they are connected", async () => {
    const { one, other, gateway, numbers } = await openTwo(4);
    await until("all shards", () => numbers().length === 4);
    await until("both are whole", () => one.platform.health().isConnected && other.platform.health().isConnected);

    expect(numbers()).toEqual([0, 1, 2, 3]);
    expect(gateway.seen.accepted).toBe(4);
  });

  it("are taken over by another instance when the one that held them ends", async () => {
    const { one, other, numbers } = await openTwo(2);
    await until("all shards", () => numbers().length === 2);
    await one.platform.close();

    await until("the other holds them", () => numbers().length === 2 && other.platform.health().isConnected);
    const heard = other.seen.length;
    one.discord.human("Alice").mention(one.discord.world.channel("general"), "hello?");
    await until("the message is heard", () => other.seen.length > heard);
    expect(one.seen.filter(({ kind }) => kind === "message")).toEqual([]);
  });

  it("are given up at once by an instance whose lease is lost, and connected again when it holds them again", async () => {
    const losses: AbortController[] = [];
    let isFree = true;
    const coordinator = {
      ...freeCoordinator,
      lease: async (_key: string, { onPosition }: WaitOptions = {}) => {
        if (!isFree) onPosition?.(1);
        await until("the lease is free", () => isFree);
        const loss = new AbortController();
        losses.push(loss);
        return {
          fence: losses.length,
          lost: loss.signal,
          isCurrent: () => !loss.signal.aborted,
          release: async () => {},
        };
      },
    };
    const { discord, platform } = await openRoom({}, { shards: 2, coordinator, clock: systemClock });
    const isOpen = () => discord.gateway.sessions().filter((session) => session.isOpen).length;
    await until("all shards", () => isOpen() === 2 && platform.health().isConnected);

    isFree = false;
    for (const loss of losses) loss.abort();
    await until("the shards are given up", () => isOpen() === 0);
    expect(platform.health().isConnected).toBe(true);
    isFree = true;

    await until("the shards are connected again", () => isOpen() === 2 && platform.health().isConnected);
  });

  it("are each instance's own where there is only one, so that no event waits for another instance to end", async () => {
    const { one, other, gateway, numbers } = await openTwo(1);
    await until("both are whole", () => one.platform.health().isConnected && other.platform.health().isConnected);

    expect(numbers()).toEqual([0, 0]);
    expect(gateway.seen.accepted).toBe(2);
  });
});
