/**
 * Measures the index of questions with 50,000 stored: `node bench/questions/question-index.ts`. Redis is measured if
 * redis-server is installed.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { State } from "../../src/core/ports/state.ts";
import { systemClock } from "../../src/core/tools/system-clock.ts";
import { boundsOf, mostAlike, questionForm } from "../../src/insight/grouping/grouping.ts";
import { putQuestion, type QuestionForm, questionsIn, sharing } from "../../src/insight/grouping/question-index.ts";
import { openState } from "../../src/state/open-state.ts";
import { hasRedisServer, startRedisServer } from "../../test/doubles/processes/redis-server.ts";
import { silentLog } from "../../test/doubles/silent-log.ts";
import { readQuestions } from "../../test/insight/grouping/question-set.ts";
import { question, restartQuestions } from "./question-text.ts";

const stored = Number(process.argv[2] ?? 50_000);
const asked = 1_000;
const scope = "slack/T1/mindsdb/support";

async function measure(state: State): Promise<void> {
  const index = questionsIn(state);
  // Questions of one form are one gap.
  const forms = new Map<string, QuestionForm>();
  while (forms.size < stored) {
    const form = questionForm(question());
    forms.set(`${form.anchors} ${form.terms.join(" ")}`, form);
  }
  const all = [...forms.values()].map((form, number) => ({ ...form, id: `g${number}/0` }));
  forms.clear();
  for (let at = 0; at < stored; at += 500) {
    await Promise.all(all.slice(at, at + 500).map((entry) => putQuestion(index, scope, entry)));
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
    const form = questionForm(text);
    if (mostAlike(form, await sharing(index, scope, form, boundsOf(form))) !== undefined) found += 1;
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
