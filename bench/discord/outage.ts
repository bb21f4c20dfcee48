/**
 * Measures how Parley reconnects to a Discord gateway that refuses for minutes, and what is left when it is back. Runs
 * the real adapter over the real libraries of discord.js and a strict local Discord, in real time: `node bench/discord/outage.ts
 * [seconds]`
 */
import { setTimeout as sleep } from "node:timers/promises";
import { createDiscord } from "../../adapters/discord/index.ts";
import { allCommands } from "../../src/commands/all-commands.ts";
import { groupSummaries } from "../../src/commands/words.ts";
import type { KeyValue } from "../../src/core/ports/state.ts";
import { systemClock as clock } from "../../src/core/tools/system-clock.ts";
import { createMemoryCoordinator } from "../../src/state/memory/coordinator.ts";
import type { Refusal } from "../../test/fakes/discord/gateway.ts";
import { startFakeDiscord, token } from "../../test/fakes/discord/index.ts";

const outageS = Number(process.argv[2] ?? 300);
const windowMs = 15_000;
const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

function memory(): KeyValue<string> {
  const entries = new Map<string, string>();
  return {
    get: async (key) => entries.get(key),
    set: async (key, value) => void entries.set(key, value),
    delete: async (key) => void entries.delete(key),
    entries: async function* (prefix) {
      for (const entry of entries) if (entry[0].startsWith(prefix)) yield entry;
    },
  };
}

async function outage(kind: Refusal, isAtStart: boolean) {
  const discord = await startFakeDiscord();
  const { gateway } = discord;
  const platform = createDiscord({
    ...{ token, apiUrl: discord.apiUrl, hasMessageContent: true, log, clock, keyValue: memory() },
    coordinator: createMemoryCoordinator({ clock, log }),
    pictures: { png: async () => undefined, svg: async () => undefined },
    commands: { definitions: allCommands, groups: groupSummaries },
  });
  if (isAtStart) gateway.refuse(kind);
  await platform.start({ handle: async () => undefined, complete: async () => [] });
  await sleep(1_000);
  const fromMs = Date.now();
  gateway.refuse(kind);
  gateway.kill();
  await sleep(outageS * 1_000);
  const untilMs = Date.now();
  gateway.refuse();
  while (!platform.health().isConnected) await sleep(50);
  const backS = (Date.now() - untilMs) / 1_000;
  await sleep(45_000);
  const dials = gateway.seen.dialsMs.filter((at) => at >= fromMs && at < untilMs).map((at) => at - fromMs);
  const windows = Array.from(
    { length: Math.ceil((outageS * 1_000) / windowMs) },
    (_, index) => dials.filter((at) => at >= index * windowMs && at < (index + 1) * windowMs).length,
  );
  const most = Math.max(...dials.map((from) => dials.filter((at) => at >= from && at < from + windowMs).length));
  const { accepted, resumes, tooSoon } = gateway.seen;
  const left = { sessions: gateway.live(), sockets: gateway.sockets() };
  await platform.close();
  await discord.stop();
  return {
    kind,
    when: isAtStart ? "at the start" : "in the middle",
    most,
    windows,
    backS,
    accepted,
    resumes,
    tooSoon,
    left,
  };
}

const kinds: readonly Refusal[] = ["503", "reset", "silent"];
const all = await Promise.all(kinds.flatMap((kind) => [outage(kind, false), outage(kind, true)]));
for (const { windows, backS, left, ...one } of all) {
  const figures = JSON.stringify({ ...one, backS: Math.round(backS * 10) / 10, ...left });
  process.stdout.write(`${figures} ${windows.join(" ")}\n`);
}
process.stdout.write(`memory: ${Math.round(process.memoryUsage().rss / 2 ** 20)} MB\n`);
