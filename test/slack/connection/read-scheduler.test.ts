/** Slack's reads, when another instance has used up their limit. */
import { expect, it } from "vitest";
import { createReadScheduler } from "../../../adapters/slack/connection/read-scheduler.ts";
import { ParleyError } from "../../../src/core/errors.ts";
import { createFakeClock } from "../../doubles/fake-clock.ts";
import { createRatePolice } from "../../fakes/slack/rates.ts";

it("sends nothing before a Retry-After is over, whichever call got it", async () => {
  const clock = createFakeClock();
  const early: string[] = [];
  const police = createRatePolice({ nowMs: clock.now, tooEarly: (what) => early.push(what) });
  while (police.waitS("conversations.info", {}) === 0);
  await clock.advance(1_000);
  const scheduler = createReadScheduler(clock);
  const call = async () => {
    const waitS = police.waitS("conversations.info", {});
    if (waitS > 0) throw new ParleyError("platform_rate_limited", { retryAfterMs: waitS * 1_000 });
    return "read";
  };

  const reading = Promise.all(Array.from({ length: 30 }, () => scheduler.info(call)));
  // The first calls can't know of it.
  await clock.advance(0);
  early.length = 0;
  await clock.advance(180_000);

  expect((await reading).length).toBe(30);
  expect(early).toEqual([]);
});
