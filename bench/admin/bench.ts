/**
 * Fills a store with 200,000 questions of a made-up month, on SQLite and on Redis, and measures the admin pages and the
 * start of the real Parley over each. Takes about 20 minutes.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock as clock } from "../../src/core/tools/system-clock.ts";
import { openState } from "../../src/state/open-state.ts";
import { hasRedisServer, startRedisServer } from "../../test/doubles/processes/redis-server.ts";
import { silentLog as log } from "../../test/doubles/silent-log.ts";
import { onPlatforms } from "../demo/company.ts";
import { fill } from "../demo/fill.ts";
import type { Measure } from "../measure.ts";
import { scenes } from "./measures.ts";
import type { Store } from "./parley.ts";

const month = { company: onPlatforms, seed: 18, days: 30, questions: 206_500, moreChannels: 300 };

export async function bench(): Promise<Measure[]> {
  const measures = await measureOn("SQLite");
  if (!hasRedisServer()) return measures;
  const server = await startRedisServer();
  measures.push(...(await measureOn("Redis", server.url)));
  await server.stop();
  return measures;
}

async function measureOn(name: string, redisUrl?: string): Promise<Measure[]> {
  const dataDir = await mkdtemp(join(tmpdir(), "parley-admin-"));
  const store: Store = { dataDir, ...(redisUrl === undefined ? {} : { redisUrl }) };
  const state = await openState({ ...store, clock, log });
  await fill(state, { ...month, untilMs: clock.now() }, clock, log);
  await state.close();
  const measures: Measure[] = [];
  for (const measure of Object.values(scenes)) measures.push(...(await measure(store)));
  await rm(dataDir, { recursive: true });
  return measures.map((measure) => ({ ...measure, name: `${name}: ${measure.name}` }));
}
