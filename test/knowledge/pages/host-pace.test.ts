/** Politeness: one page of a host at a time, and no host waits for another. */
import { expect, it } from "vitest";
import { createHostPace } from "../../../src/knowledge/pages/host-pace.ts";
import { createFakeClock } from "../../doubles/fake-clock.ts";

it("pauses between two pages of a host, for all callers, and not between hosts", async () => {
  const clock = createFakeClock();
  const pace = createHostPace(clock);
  const startMs = clock.now();
  const turns: string[] = [];
  const take = async (host: string) => {
    await pace.turn(host, 500);
    turns.push(`${host} ${clock.now() - startMs}`);
  };

  for (const host of ["a", "a", "b", "a", "b"]) void take(host);
  await clock.advance(5_000);

  expect(turns.toSorted()).toEqual(["a 0", "a 1000", "a 500", "b 0", "b 500"]);
});

it("keeps a host's own, longer pause", async () => {
  const clock = createFakeClock();
  const pace = createHostPace(clock);
  const startMs = clock.now();
  await pace.turn("slow", 10_000);

  const next = pace.turn("slow", 500).then(() => clock.now() - startMs);
  await clock.advance(20_000);

  expect(await next).toBe(10_000);
});

it("still leaves the pause after more hosts than it remembers were asked in the meantime", async () => {
  const clock = createFakeClock();
  const pace = createHostPace(clock);
  const startMs = clock.now();
  await pace.turn("first", 10_000);
  for (let index = 0; index < 5_000; index += 1) await pace.turn(`host${index}`, 500);

  const next = pace.turn("first", 500).then(() => clock.now() - startMs);
  await clock.advance(20_000);

  expect(await next).toBe(10_000);
});

it("ends the wait of a caller that leaves", async () => {
  const clock = createFakeClock();
  const pace = createHostPace(clock);
  const leaving = new AbortController();
  await pace.turn("a", 500);

  const waiting = pace.turn("a", 500, leaving.signal);
  leaving.abort(new Error("left"));

  await expect(waiting).rejects.toThrow("left");
});
