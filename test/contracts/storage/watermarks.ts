/** Contract of the watermarks, how far Slack was heard, on every storage: they survive the process. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createWatermarks } from "../../../adapters/slack/catch-up/watermarks.ts";
import { createFakeClock } from "../../doubles/fake-clock.ts";
import { silentLog as log } from "../../doubles/silent-log.ts";
import type { KeyValueUnderTest } from "./key-value.ts";

export function describeWatermarks(name: string, create: () => Promise<Pick<KeyValueUnderTest, "keyValue" | "close">>) {
  describe(`Watermarks on ${name}`, () => {
    let subject: Pick<KeyValueUnderTest, "keyValue" | "close">;
    beforeAll(async () => {
      subject = await create();
    });
    afterAll(() => subject?.close());

    let teams = 0;
    function fresh() {
      teams += 1;
      const team = `T${teams}`;
      const clock = createFakeClock();
      let writes = 0;
      const store = subject.keyValue<string>("slack");
      const keyValue = {
        ...store,
        set: (...entry: Parameters<typeof store.set>) => {
          writes += 1;
          return store.set(...entry);
        },
      };
      const open = () => createWatermarks({ keyValue, clock, log, teamId: () => team });
      return { team, clock, open, writes: () => writes };
    }

    it("begin with nothing, and then with the moment at which they began", async () => {
      const { team, open } = fresh();
      expect(await open().load(team)).toEqual({ since: undefined, channels: new Map(), threads: [] });

      await open().begin(team, "1700000000.000001");

      expect((await open().load(team)).since).toBe("1700000000.000001");
    });

    it("keep the newest message of each channel, and the threads of Parley", async () => {
      const { team, open } = fresh();
      const marks = open();
      marks.release();
      for (const ts of ["1700000002.000001", "1700000003.000001", "1700000001.000001"]) marks.heard("C1", ts);
      marks.heard("C2", "1700000009.000001", "1700000005.000001");
      marks.joined("C2", "1700000005.000001", "1700000006.000001");
      marks.joined("C2", "1700000005.000001", "1700000005.000001");
      marks.heard("C2", "1700000010.000001", "1700000005.000001");
      await marks.flush();

      const { channels, threads } = await open().load(team);

      expect(Object.fromEntries(channels)).toEqual({ C1: "1700000003.000001", C2: "1700000010.000001" });
      expect(threads).toEqual([
        { channel: "C2", thread: "1700000005.000001", sinceTs: "1700000005.000001", lastTs: "1700000010.000001" },
      ]);
    });

    it("are written every five seconds, however much is said", async () => {
      const { clock, open, writes } = fresh();
      const marks = open();
      marks.release();
      for (let index = 0; index < 1_000; index += 1) marks.heard("C1", `17000${10_000 + index}.000001`);
      await clock.advance(4_999);
      expect(writes()).toBe(0);

      await clock.advance(1);
      expect(writes()).toBe(1);

      await clock.advance(60_000);
      expect(writes()).toBe(1);
      expect(clock.pending()).toBe(0);
    });

    it("stay where they are in a channel whose gap hasn't been read yet, whatever arrives there", async () => {
      const { team, open } = fresh();
      const marks = open();
      marks.release();
      for (const channel of ["C1", "C2"]) marks.heard(channel, "1700000001.000001");
      marks.hold();
      for (const channel of ["C1", "C2"]) marks.heard(channel, "1700000009.000001");
      marks.done("C1", "1700000005.000001");
      await marks.flush();

      const stored = async () => Object.fromEntries((await open().load(team)).channels);
      expect(await stored()).toEqual({ C1: "1700000009.000001", C2: "1700000001.000001" });

      marks.release();
      await marks.flush();
      expect(await stored()).toEqual({ C1: "1700000009.000001", C2: "1700000009.000001" });
    });
  });
}
