/** Looking for Parley's own posts: after a crash, in hundreds of threads at once. */
import { expect, it } from "vitest";
import type { WebClient } from "../../../adapters/slack/connection/clients.ts";
import { createReadScheduler } from "../../../adapters/slack/connection/read-scheduler.ts";
import { createThreads } from "../../../adapters/slack/writing/threads.ts";
import { ParleyError } from "../../../src/core/errors.ts";
import { createFakeClock } from "../../doubles/fake-clock.ts";
import { createRatePolice } from "../../fakes/slack/rates.ts";

const place = { platform: "slack", workspace: "T0ACME", channel: "C0GENERAL" };

function openThreads() {
  const clock = createFakeClock();
  const police = createRatePolice({ nowMs: clock.now });
  const counts = { read: 0, refused: 0 };
  const replies = async (range: Readonly<Record<string, unknown>>) => {
    const waitS = police.waitS("conversations.replies", range);
    if (waitS > 0) counts.refused += 1;
    if (waitS > 0) throw new ParleyError("platform_rate_limited", { retryAfterMs: waitS * 1_000 });
    counts.read += 1;
    return { ok: true, messages: [] };
  };
  const threads = createThreads({
    clock,
    lookups: { of: async () => ({ nameOf: () => undefined }) },
    client: { conversations: { replies } } as unknown as WebClient,
    scheduler: createReadScheduler(clock),
    actors: { names: async () => new Map() } as unknown as Parameters<typeof createThreads>[0]["actors"],
    self: async () => ({ teamId: "T0ACME", userId: "U0BOT", botId: "B0BOT", appId: "A0" }) as never,
    directMessages: { resolve: async (given) => given },
  });
  return { clock, counts, threads };
}

it("stays within Slack's limit, however many are looked for", async () => {
  const { clock, counts, threads } = openThreads();

  const found = Array.from({ length: 200 }, (_, at) =>
    threads.findOwn({ ...place, thread: `${at}.1` }, `turn${at}`, 0),
  );
  await clock.advance(300_000);
  await Promise.all(found);

  expect(counts).toEqual({ read: 200, refused: 0 });
});

it("reads a thread at once that someone waits for", async () => {
  const { clock, counts, threads } = openThreads();
  for (let at = 0; at < 200; at += 1) void threads.findOwn({ ...place, thread: `${at}.1` }, `turn${at}`, 0);
  await clock.advance(10_000);
  const before = counts.read;

  const read = await threads.readThread({ ...place, thread: "300.1" }, { limit: 10 });

  expect(read).toEqual([]);
  expect(counts.read).toBe(before + 1);
});

it("ends with the signal, and reads nothing more", async () => {
  const { clock, counts, threads } = openThreads();
  const ending = new AbortController();

  const found = Array.from({ length: 20 }, (_, at) =>
    threads.findOwn({ ...place, thread: `${at}.1` }, `turn${at}`, 0, ending.signal).catch(() => "ended"),
  );
  await clock.advance(0);
  ending.abort();

  expect((await Promise.all(found)).filter((one) => one === "ended").length).toBe(17);
  await clock.advance(60_000);
  expect([counts.read, clock.pending()]).toEqual([3, 0]);
});
