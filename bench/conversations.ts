/**
 * Measures the page's list and its search over 1,000 and 10,000 conversations, beside each other, in processor time: what
 * other programs take of the machine doesn't count.
 */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { conversationsIn } from "../adapters/console/conversations/listing.ts";
import { createSearch } from "../adapters/console/conversations/search.ts";
import { createConsoleStore } from "../adapters/console/writing/store.ts";
import { systemClock as clock } from "../src/core/tools/system-clock.ts";
import { openState } from "../src/state/open-state.ts";
import { silentLog as log } from "../test/doubles/silent-log.ts";
import type { Measure } from "./measure.ts";
import { usedMs } from "./own-work.ts";

const channels = ["general"];
/** About what a conversation of four messages says, folded. */
const words = "the plan includes single sign-on and costs nothing more than the others in this region ".repeat(45);

async function openWith(count: number) {
  const dataDir = await mkdtemp(join(tmpdir(), "parley-conversations-"));
  const state = await openState({ dataDir, clock, log });
  const store = createConsoleStore({
    ...state,
    clock,
    log,
    removeFiles: async () => undefined,
    onChange: () => undefined,
  });
  const summaries = conversationsIn(state);
  const texts = state.keyValue("console-texts");
  const orderOf = (index: number) => 1_700_000_000_000_000 + index;
  for (let from = 0; from < count; from += 500) {
    await Promise.all(
      Array.from({ length: Math.min(500, count - from) }, async (_, at) => {
        const index = from + at;
        const key = `local/general/t${index}`;
        const lastOrder = String(orderOf(index)).padStart(20, "0");
        await summaries.put(key, {
          ...{ version: 1, channel: "general", thread: `t${index}`, title: `Question ${index}`, lastOrder },
          ...{ titleFrom: { kind: "question", id: `t${index}` }, lastAtMs: orderOf(index) / 1_000 },
        });
        const text = index === 0 ? `${words} needle` : words;
        await texts.set(key, { version: 1, parts: [{ text: `question ${index}` }, { id: "m", text }], writers: [] });
      }),
    );
  }
  const close = async () => {
    await store.texts.close();
    await state.close();
    await rm(dataDir, { recursive: true });
  };
  return { store, close };
}

async function median(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < 7; round += 1) {
    const begun = usedMs();
    await work();
    times.push(usedMs() - begun);
  }
  return times.sort((a, b) => a - b)[3] ?? 0;
}

async function measureWith(count: number) {
  const { store, close } = await openWith(count);
  const search = createSearch({ store });
  const times = {
    list: await median(() => store.listing.page(channels, 100)),
    common: await median(() => search("single sign-on", { channels }, channels)),
    rare: await median(() => search("needle", { channels }, channels)),
  };
  await close();
  return times;
}

export async function bench(): Promise<Measure[]> {
  const [few, many] = [await measureWith(1_000), await measureWith(10_000)];
  return [
    {
      name: "a search over 1,000 conversations, found in the oldest",
      value: few.rare,
      target: { atMost: 200 },
      unit: "ms of CPU",
    },
    {
      name: "a search over 1,000 conversations, found in all",
      value: few.common,
      target: { atMost: 200 },
      unit: "ms of CPU",
    },
    { name: "one request of a search over 10,000", value: many.rare, target: { atMost: 200 }, unit: "ms of CPU" },
    { name: "the first 100 of 10,000 conversations", value: many.list, target: { atMost: 50 }, unit: "ms of CPU" },
    {
      name: "its ratio to the first 100 of 1,000",
      value: many.list / few.list,
      target: { atMost: 3 },
      unit: "times",
    },
  ];
}
