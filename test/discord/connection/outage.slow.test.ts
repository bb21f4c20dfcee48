/**
 * A gateway that refuses for a while: how often Parley dials, how many sessions are left afterwards, and how many it
 * begins in a day.
 */
import { describe, expect, it } from "vitest";
import {
  attemptWindowMs,
  backoffMs,
  createReconnectPolicy,
  maxAttempts,
} from "../../../adapters/discord/connection/reconnect-policy.ts";
import type { Clock } from "../../../src/core/ports/clock.ts";
import { systemClock } from "../../../src/core/tools/system-clock.ts";
import { createFakeClock } from "../../doubles/fake-clock.ts";
import { until } from "../../doubles/until.ts";
import { openRoom } from "../room.ts";

/** Hours pass in milliseconds. */
const hastyClock: Clock = { ...systemClock, sleep: (ms, signal) => systemClock.sleep(ms / 20_000, signal) };
const never = new AbortController().signal;

/** Most of these moments within one window, and the shortest distance of two at the end. */
function densest(moments: readonly number[]): number {
  return Math.max(...moments.map((from) => moments.filter((at) => at >= from && at < from + attemptWindowMs).length));
}

describe("connection attempts to a gateway that refuses", () => {
  it.each([1, 16])("are at most 15 in any 15 s, falling to one, with %i shards", async (shards) => {
    const clock = createFakeClock();
    const policy = createReconnectPolicy(clock, () => 0);
    const dialled: number[] = [];
    const ending = new AbortController();
    for (let shard = 0; shard < shards; shard += 1) {
      void (async () => {
        for (let failures = 0; !ending.signal.aborted; failures += 1) {
          await policy.pause(failures, ending.signal);
          await policy.enter(ending.signal);
          dialled.push(clock.now());
          policy.refused();
        }
      })().catch(() => undefined);
    }

    const startMs = clock.now();
    await clock.advance(10 * 60_000);
    ending.abort();

    const late = dialled.filter((at) => at > startMs + 5 * 60_000);
    expect(densest(dialled)).toBeLessThanOrEqual(maxAttempts);
    expect(late.length).toBeGreaterThan(10);
    expect(densest(late)).toBe(1);
  });

  it("are more than 15 s apart at the end, each by a different time", () => {
    expect([1, 2, 3, 4, 5, 6, 60].map((failures) => backoffMs(failures, () => 0))).toEqual([
      500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000,
    ]);
    expect(backoffMs(60, () => 1)).toBe(19_500);
    expect(backoffMs(0, () => 1)).toBe(0);
  });

  it("wait for nothing once the gateway is well again", async () => {
    const clock = createFakeClock();
    const policy = createReconnectPolicy(clock, () => 0);
    for (let times = 0; times < 20; times += 1) policy.refused();
    policy.accepted();
    const before = clock.now();

    await policy.pause(0, never);
    await policy.enter(never);

    expect(clock.now()).toBe(before);
  });
});

describe("when the gateway is well again", () => {
  it.each(["503", "reset", "silent"] as const)("there is one session, after %s at the start", async (kind) => {
    const { discord, platform } = await openRoom({}, { before: ({ gateway }) => gateway.refuse(kind), isAway: true });
    await until("more dials", () => discord.gateway.seen.dialsMs.length > (kind === "silent" ? 0 : 5));
    expect(platform.health().isConnected).toBe(false);

    discord.gateway.refuse();
    if (kind === "silent") discord.gateway.kill();
    await until("the connection", () => platform.health().isConnected);
    await settled();

    expect(discord.gateway.seen).toMatchObject({ identifies: 1, accepted: 1 });
    expect(discord.gateway.live()).toBe(1);
    expect(discord.gateway.sockets()).toBe(1);
  });

  it.each(["503", "reset"] as const)("the same session resumes, after %s in the middle", async (kind) => {
    const { discord, platform, seen } = await openRoom();

    discord.gateway.refuse(kind);
    discord.gateway.kill();
    const said = discord.human("Alice").mention(discord.world.channel("general"), "anybody?");
    const before = discord.gateway.seen.dialsMs.length;
    await until("more dials", () => discord.gateway.seen.dialsMs.length > before + 4);
    expect(platform.health().isConnected).toBe(false);
    discord.gateway.refuse();
    await until("the connection and an event", () => platform.health().isConnected && seen.length > 0);
    await settled();

    expect(discord.gateway.seen).toMatchObject({ identifies: 1, accepted: 1, resumes: 1 });
    expect(discord.gateway.live()).toBe(1);
    expect(discord.gateway.sockets()).toBe(1);
    expect(seen.map(({ eventKey }) => eventKey)).toEqual([expect.stringContaining(said.id)]);
  });

  it("a client that was given up doesn't reconnect and receives nothing", async () => {
    const { discord, platform, seen } = await openRoom({}, { clock: hastyClock });

    discord.gateway.close(4_004);
    await until("the loss of the connection", () => !platform.health().isConnected);
    await until("the connection", () => platform.health().isConnected);
    await settled();
    discord.human("Alice").mention(discord.world.channel("general"), "once?");
    await until("an event", () => seen.length > 0);
    await settled();

    expect(seen.length).toBe(1);
    expect(discord.gateway.live()).toBe(1);
    expect(discord.gateway.sockets()).toBe(1);
  });

  it("there are no connection attempts after Parley ended, whatever it was doing", async () => {
    const { discord, platform } = await openRoom({}, { before: ({ gateway }) => gateway.refuse("503"), isAway: true });
    await until("more dials", () => discord.gateway.seen.dialsMs.length > 2);

    await platform.close();
    const dialled = discord.gateway.seen.dialsMs.length;
    discord.gateway.refuse();
    await settled(1_500);

    expect(discord.gateway.seen.dialsMs.length).toBe(dialled);
    expect(discord.gateway.sockets()).toBe(0);
  });

  it.each(["Parley", "discord.js"])(
    "there is no connection attempt when Parley ends while %s asks for the gateway's URL",
    async (who) => {
      const { discord, platform } = await openRoom(
        {},
        { latencyMs: 300, isAway: true, before: (local) => local.fault("GET /gateway/bot", "503", 2) },
      );
      const asked = who === "Parley" ? 3 : 4;
      await until("calls of GET /gateway/bot", () => discord.callsTo("GET /gateway/bot").length >= asked);

      await platform.close();
      await settled(1_000);

      expect(discord.gateway.seen.dialsMs).toEqual([]);
    },
  );
});

describe("new sessions", () => {
  it("are not started while only 50 are left: Parley says until when, and starts when they are reset", async () => {
    const { discord, platform } = await openRoom(
      {},
      { before: ({ gateway }) => gateway.leaveStarts(50, 2 * 3_600_000), isAway: true, clock: hastyClock },
    );
    await until("the reason in the health", () =>
      JSON.stringify(platform.health()).includes("allows only 50 more sessions"),
    );
    await until("calls of GET /gateway/bot", () => discord.callsTo("GET /gateway/bot").length > 4);
    const { identifies } = discord.gateway.seen;
    const dials = discord.gateway.seen.dialsMs.length;
    const health = platform.health();

    discord.advance(2 * 3_600_000);
    discord.gateway.leaveStarts(1_000, 24 * 3_600_000);
    await until("the connection", () => platform.health().isConnected);

    expect({ identifies, dials }).toEqual({ identifies: 0, dials: 0 });
    expect(health).toMatchObject({ isConnected: false, reason: expect.stringMatching(/waits until .* UTC/) });
    expect(discord.gateway.seen.accepted).toBe(1);
  });

  it("are not started when none is left, and the health doesn't blame the network for it", async () => {
    const { platform } = await openRoom(
      {},
      { before: ({ gateway }) => gateway.leaveStarts(0, 2 * 3_600_000), isAway: true, clock: hastyClock },
    );

    expect(platform.health()).toMatchObject({ reason: expect.stringMatching(/waits until .* UTC/) });
  });

  it("stop at 50 when Discord ends each of them at once, and the token is never reset", async () => {
    const { discord, platform } = await openRoom(
      {},
      { before: ({ gateway }) => gateway.leaveStarts(55, 3_600_000), isAway: true, clock: hastyClock },
    );
    // Not before a session stands: a machine under load may need longer than the pause for one.
    const flap = setInterval(() => {
      if (discord.gateway.live() === 0) return;
      discord.gateway.forget();
      discord.gateway.kill();
    }, 5);
    await until("the reason in the health", () =>
      JSON.stringify(platform.health()).includes("allows only 50 more sessions"),
    );
    await settled();
    clearInterval(flap);

    expect(discord.gateway.seen.accepted).toBe(5);
    expect(discord.calls.filter(({ status }) => status === 401)).toEqual([]);
  });

  it("that come too soon for Discord are retried, one at a time", async () => {
    const { discord, platform } = await openRoom({}, { shards: 2, identifyIntervalMs: 200, isAway: true });

    await until("the connection", () => platform.health().isConnected);

    expect(discord.gateway.seen.tooSoon).toBeGreaterThan(0);
    expect(discord.gateway.live()).toBe(2);
  });
});

/** Whatever would dial again has done so by then. */
const settled = (ms = 300) => new Promise((resolve) => setTimeout(resolve, ms));
