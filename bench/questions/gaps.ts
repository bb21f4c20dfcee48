/**
 * Measures what noting, grouping and listing cost with 50,000 gaps stored:
 * `node bench/questions/gaps.ts [GAPS] [sqlite|redis]`. Redis is measured if redis-server is installed.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Asker, GapScope } from "../../src/core/model/insight.ts";
import type { Turn, TurnView } from "../../src/core/model/turn.ts";
import type { State } from "../../src/core/ports/state.ts";
import { systemClock } from "../../src/core/tools/system-clock.ts";
import { createGapList } from "../../src/insight/gaps/gap-list.ts";
import { newGap, withAsker } from "../../src/insight/gaps/gap-record.ts";
import { createGapSight } from "../../src/insight/gaps/gap-sight.ts";
import { createGapStore } from "../../src/insight/gaps/gap-store.ts";
import { createGaps } from "../../src/insight/gaps/gaps.ts";
import { openState } from "../../src/state/open-state.ts";
import { sampleTurn } from "../../test/contracts/storage/sample-records.ts";
import { appOf } from "../../test/doubles/app.ts";
import { hasRedisServer, startRedisServer } from "../../test/doubles/processes/redis-server.ts";
import { silentLog } from "../../test/doubles/silent-log.ts";
import { question, restartQuestions } from "./question-text.ts";

const stored = Number(process.argv[2] ?? 50_000);
const asked = 1_000;
const atOnce = 200;
const agent = { project: "mindsdb", name: "support" };
const scope: GapScope = { platform: "console", workspace: "local", agent };
const nowMs = systemClock.now();

const idOf = (number: number) => `${(nowMs - number).toString(36).padStart(9, "0")}${String(number).padStart(7, "0")}`;

function turnOf(number: number): Turn {
  const actor = { ...sampleTurn("x").actor, id: `U${number % 500}` };
  const id = idOf(number);
  return sampleTurn(id, {
    agent,
    actor,
    question: question(),
    state: "answered",
    visibility: "public",
    createdAtMs: nowMs,
  });
}

/** Without any source, so that every Turn is grouped. */
function viewOf({ id, question: text }: Turn): TurnView {
  const nothing = { steps: [], tables: [], sources: [], isPartial: false, isResumed: false };
  return { turnId: id, ref: id, state: "answered", agent: agent.name, question: text, answer: "?", ...nothing };
}

/** The platform answers at once; its own caches do so in operation. */
const yes = { allowed: true, isPrivate: false } as const;
const readsAll = {
  reach: { may: () => yes, mayAgent: async () => yes },
  siteOf: () => ({ platform: { visibility: async () => "public" as const } }),
};

async function fill(state: State): Promise<void> {
  const store = createGapStore(state);
  for (let at = 0; at < stored; at += atOnce) {
    const batch = Array.from({ length: atOnce }, async (_, index) => {
      const { id, actor, conversation: place, question: text, createdAtMs: atMs } = turnOf(at + index);
      const asker: Asker = {
        turnId: id,
        actor,
        question: text,
        place,
        visibility: "public",
        signals: ["nothing"],
        atMs,
      };
      await store.put(withAsker(newGap({ ...scope, id, nowMs: atMs }), asker));
    });
    await Promise.all(batch);
  }
}

async function measure(name: string, state: State): Promise<void> {
  await fill(state);
  const { notes, settled, gaps } = createGaps(appOf({ ...state, clock: systemClock }), { isQuestion: () => true });
  globalThis.gc?.();
  const heapBefore = process.memoryUsage().heapUsed;
  const times: number[] = [];
  // What other programs on the machine don't change.
  const cpuTimes: number[] = [];
  for (let round = 0; round < asked; round += 1) {
    const turn = turnOf(stored + round);
    await state.turns.create(turn);
    const startedAtMs = performance.now();
    const cpuBefore = process.cpuUsage();
    const begin = await notes.noteEnd(turn, viewOf(turn));
    begin();
    await settled();
    times.push(performance.now() - startedAtMs);
    const { user, system } = process.cpuUsage(cpuBefore);
    cpuTimes.push((user + system) / 1_000);
  }
  const list = createGapList({ gaps, sight: createGapSight(appOf({ ...readsAll, clock: systemClock })) });
  const reader = { kind: "person", actor: sampleTurn("x").actor, place: sampleTurn("x").askedIn } as const;
  const listed: number[] = [];
  for (let round = 0; round < 50; round += 1) {
    const startedAtMs = performance.now();
    const { gaps: shown } = await list.page(reader, [agent], round + 1);
    if (shown.length === 0) throw new Error("A page is empty.");
    listed.push(performance.now() - startedAtMs);
  }
  globalThis.gc?.();
  const grownMb = ((process.memoryUsage().heapUsed - heapBefore) / 1e6).toFixed(1);
  process.stdout.write(`${name}, ${stored} gaps: ${asked} Turns noted and grouped: ${shares(times)}\n`);
  process.stdout.write(`${name}: CPU time of the process for each: ${shares(cpuTimes)}\n`);
  process.stdout.write(
    `${name}: one of the first 50 pages of /kb gaps: ${shares(listed)}; heap grew by ${grownMb} MB\n`,
  );
}

function shares(times: number[]): string {
  times.sort((a, b) => a - b);
  const at = (share: number) => (times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0).toFixed(2);
  return `median ${at(0.5)} ms, 95 % ${at(0.95)} ms, 99 % ${at(0.99)} ms, slowest ${at(1)} ms`;
}

const dataDir = await mkdtemp(join(tmpdir(), "parley-bench-"));
const opened = { dataDir, clock: systemClock, log: silentLog };
const only = process.argv[3];
if (only !== "redis") {
  const sqlite = await openState(opened);
  await measure("SQLite", sqlite);
  await sqlite.close();
}
await rm(dataDir, { recursive: true });
if (only !== "sqlite" && hasRedisServer()) {
  restartQuestions();
  const server = await startRedisServer();
  const redis = await openState({ ...opened, redisUrl: server.url });
  await measure("Redis", redis);
  await redis.close();
  await server.stop();
}
