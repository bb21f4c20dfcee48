/**
 * Measures finding a gap by words of its questions with 50,000 stored: `node bench/questions/question-index.ts`. Redis is measured if
 * redis-server is installed.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { State } from "../../src/core/ports/state.ts";
import { systemClock } from "../../src/core/tools/system-clock.ts";
import { newGap, withAsker } from "../../src/insight/gaps/gap-record.ts";
import { createGapStore } from "../../src/insight/gaps/gap-store.ts";
import { questionForm } from "../../src/insight/grouping/form.ts";
import { openState } from "../../src/state/open-state.ts";
import { hasRedisServer, startRedisServer } from "../../test/doubles/processes/redis-server.ts";
import { silentLog } from "../../test/doubles/silent-log.ts";
import { readQuestions } from "../../test/insight/grouping/question-set.ts";
import { question, restartQuestions } from "./question-text.ts";

const stored = Number(process.argv[2] ?? 50_000);
const asked = 1_000;
const place = { platform: "slack", workspace: "T1", channel: "C1" };
const scope = { platform: "slack", workspace: "T1", agent: { project: "mindsdb", name: "support" } };
const actor = { id: "U1", name: "Ana" };

async function measure(state: State): Promise<void> {
  const store = createGapStore(state);
  // Questions of one form are one gap.
  const texts = new Map<string, string>();
  while (texts.size < stored) {
    const text = question();
    const form = questionForm(text);
    texts.set(`${form.anchors} ${form.terms.join(" ")}`, text);
  }
  const all = [...texts.values()].map((text, number) => {
    const asker = { turnId: `t${number}`, actor, question: text, place, signals: ["nothing"] as const, atMs: number };
    return withAsker(newGap({ ...scope, id: `g${number}`, nowMs: number }), asker);
  });
  texts.clear();
  for (let at = 0; at < stored; at += 500) {
    await Promise.all(all.slice(at, at + 500).map(store.put));
  }
  all.length = 0;
  globalThis.gc?.();
  const heapBefore = process.memoryUsage().heapUsed;
  const real = readQuestions().map(({ text }) => text);
  const times: number[] = [];
  let found = 0;
  for (let round = 0; round < asked; round += 1) {
    const text = round % 4 === 0 ? (real[round % real.length] ?? "") : question();
    const startedAtMs = performance.now();
    if ((await store.alike(scope, questionForm(text))) !== undefined) found += 1;
    times.push(performance.now() - startedAtMs);
  }
  times.sort((a, b) => a - b);
  globalThis.gc?.();
  const at = (share: number) => (times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0).toFixed(2);
  const grownMb = ((process.memoryUsage().heapUsed - heapBefore) / 1e6).toFixed(1);
  const line = `${state.kind}: ${stored} stored, ${asked} looked up (${found} grouped): median ${at(0.5)} ms, 95 % ${at(0.95)} ms, 99 % ${at(0.99)} ms, slowest ${at(1)} ms; heap grew by ${grownMb} MB\n`;
  process.stdout.write(line);
}

const dataDir = await mkdtemp(join(tmpdir(), "parley-bench-"));
const sqlite = await openState({ dataDir, clock: systemClock, log: silentLog });
await measure(sqlite);
await sqlite.close();
await rm(dataDir, { recursive: true });
if (hasRedisServer()) {
  restartQuestions();
  const server = await startRedisServer();
  const redis = await openState({ dataDir, redisUrl: server.url, clock: systemClock, log: silentLog });
  await measure(redis);
  await redis.close();
  await server.stop();
}
