/** The pages of the list of gaps, over a real store in which gaps change while they are read. */
import { expect, it, onTestFinished } from "vitest";
import type { Gaps } from "../../src/core/content/gaps.ts";
import { systemClock as clock } from "../../src/core/tools/system-clock.ts";
import { newGap, type StoredGap, withAsker } from "../../src/insight/gaps/gap-record.ts";
import { createGapStore } from "../../src/insight/gaps/gap-store.ts";
import { listGaps } from "../../src/overview/pages/gaps.ts";
import { openState } from "../../src/state/open-state.ts";
import { appOf } from "../doubles/app.ts";
import { nowhere, overviewAppOf } from "../doubles/overview-app.ts";
import { alice, general } from "../doubles/people.ts";
import { silentLog as log } from "../doubles/silent-log.ts";
import { temporaryFolder } from "../doubles/temporary-folder.ts";

const manager = { ...alice, signedInAs: "manage" as const };

async function openRoom() {
  const state = await openState({ dataDir: await temporaryFolder("gaps"), clock, log });
  onTestFinished(() => state.close());
  const store = createGapStore(state);
  let count = 0;
  /** Each is heavier than the ones before. */
  const put = async () => {
    count += 1;
    const id = `gap-${String(count).padStart(3, "0")}`;
    const scope = { platform: general.platform, workspace: general.workspace };
    const asker = { actor: alice, place: general, visibility: "public", signals: ["nothing"], question: "?" } as const;
    const empty: StoredGap = newGap({ id, ...scope, agent: { project: "mindsdb", name: "sales" }, nowMs: count });
    await store.put(withAsker(empty, { ...asker, turnId: id, atMs: count * 1_000_000 }));
  };
  const everywhere: Gaps["everywhere"] = async (...about) => {
    const found = await store.everywhere(...about);
    await put();
    return found;
  };
  const app = overviewAppOf(appOf({ ...state, clock }), {
    places: { ...nowhere, kindOf: () => "shared" },
    insight: {
      gaps: { ...store, everywhere },
      sight: { see: async () => ({ kind: "counted" }) },
      voting: { down: async () => 0 },
    } as never,
  });
  return { put, list: (cursor?: string) => listGaps(app, manager, { state: "open", cursor }) };
}

it("has each gap once over its pages, also while new ones are found", async () => {
  const { put, list } = await openRoom();
  for (let count = 0; count < 60; count += 1) await put();

  const seen: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const { gaps, next } = await list(cursor);
    seen.push(...gaps.map(({ id }) => id));
    cursor = next;
    if (next === undefined) break;
  }

  expect(seen).toHaveLength(60);
  expect(new Set(seen).size).toBe(60);
});
