/** Contract of the list of instances on a backend: who runs, and what 429s have taught them. */
import { describe, expect, it } from "vitest";
import type { KeyValue, KeyValueFactory } from "../../../../src/core/ports/state.ts";
import type { BudgetLine } from "../../../../src/overview/budgets.ts";
import { createInstances, type StoredInstance } from "../../../../src/overview/instances.ts";
import { appOf } from "../../../doubles/app.ts";
import { createFakeClock } from "../../../doubles/fake-clock.ts";
import { silentLog as log } from "../../../doubles/silent-log.ts";
import { until } from "../../../doubles/until.ts";

const lowered: BudgetLine = {
  ...{ platform: "slack", kind: "edits", per: "workspace", perMinute: 48 },
  lowered: [{ workspace: "T1", perMinute: 33.6, wholeAgainAtMs: 1_900_000_000_000 }],
};

/** `open` gives a store that nothing is in. */
export function describeInstances(
  name: string,
  open: () => Promise<{ readonly keyValue: KeyValueFactory; readonly close: () => Promise<void> }>,
): void {
  const clock = createFakeClock();
  const instanceOver = (
    instances: KeyValue<StoredInstance>,
    host: string,
    startedAtMs: number,
    budgets: BudgetLine[] = [],
  ) =>
    createInstances(appOf({ keyValue: () => instances as never, settings: { version: "0.2.0" }, clock, log }), {
      ...{ budgets: () => budgets },
      installation: { isShared: true, host, startedAtMs },
    });
  const hostsOf = async (instance: ReturnType<typeof instanceOver>) =>
    (await instance.alive()).map(({ line }) => line.host);

  describe(`instances on ${name}`, () => {
    it("list themselves and the others until these end, each with its lowered budgets", async () => {
      const { keyValue, close } = await open();
      const ttls: unknown[] = [];
      const store = keyValue<StoredInstance>("instances");
      const instances = {
        ...store,
        set: (key: string, value: StoredInstance, ttlMs?: number) => {
          ttls.push(ttlMs);
          return store.set(key, value, ttlMs);
        },
      };
      const [one, two] = [instanceOver(instances, "parley-1", 1), instanceOver(instances, "parley-2", 2, [lowered])];
      const [endOne, endTwo] = [new AbortController(), new AbortController()];
      expect(await hostsOf(one)).toEqual(["parley-1"]);

      const beats = [one.beat(endOne.signal), two.beat(endTwo.signal)];
      await until("both are listed", async () => (await hostsOf(one)).length === 2);
      expect(await hostsOf(one)).toEqual(["parley-1", "parley-2"]);
      expect(await hostsOf(two)).toEqual(["parley-2", "parley-1"]);
      expect((await one.alive())[1]?.budgets).toEqual([lowered]);
      await until("both wait for their next beat", () => clock.pending() === 2);
      await clock.advance(15_000);
      await until("both have said so again", () => ttls.length === 4);
      // One that dies says nothing any more, and is gone after that time.
      expect(new Set(ttls)).toEqual(new Set([45_000]));

      endTwo.abort();
      await beats[1];
      expect(await hostsOf(one)).toEqual(["parley-1"]);
      endOne.abort();
      await beats[0];
      await close();
    });
  });
}
