/** What Discord sends before it is known which servers are served. */
import { expect, it } from "vitest";
import { createEarlyPackets } from "../../../adapters/discord/intake/early-packets.ts";
import type { Packet } from "../../../adapters/discord/intake/events.ts";
import { createCollectedLog } from "../../doubles/collected-log.ts";

function open() {
  const learned = Promise.withResolvers<void>();
  const seen: unknown[] = [];
  const log = createCollectedLog();
  const take = createEarlyPackets({
    learn: () => learned.promise,
    onPacket: ({ d }: Packet) => void seen.push(d),
    log: log.log,
  });
  const send = (from: number, to: number) => {
    for (let d = from; d <= to; d += 1) take({ t: "MESSAGE_CREATE", d }, "self");
  };
  return { learned, seen, log, send };
}

it("waits in its order, and what comes later follows it", async () => {
  const { learned, seen, send } = open();
  send(1, 3);
  expect(seen).toEqual([]);
  learned.resolve();
  await learned.promise;
  await Promise.resolve();
  send(4, 5);

  expect(seen).toEqual([1, 2, 3, 4, 5]);
});

it("holds up to 1,000 packets; beyond that it drops the oldest, with one line in the log", async () => {
  const { learned, seen, log, send } = open();
  send(1, 5_000);
  learned.resolve();
  await learned.promise;
  await Promise.resolve();

  expect(seen).toHaveLength(1_000);
  expect(seen.at(0)).toBe(4_001);
  expect(seen.at(-1)).toBe(5_000);
  expect(log.lines()).toHaveLength(1);
});
