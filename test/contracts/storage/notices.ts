/** Contract of notices on a backend: one message for each key, whatever dies, however many instances hear of it. */
import { describe, expect, it } from "vitest";
import { workspaceKey } from "../../../src/core/model/place.ts";
import type { Coordinator, KeyValueFactory } from "../../../src/core/ports/state.ts";
import { systemClock } from "../../../src/core/tools/system-clock.ts";
import { createDelivery } from "../../../src/delivery/delivery.ts";
import { createNotices, type DoneNotice, type OpenNotice } from "../../../src/delivery/notices.ts";
import { createMemoryPlatform, type MemoryPlatform } from "../../doubles/memory-platform.ts";
import { general } from "../../doubles/people.ts";
import { notice } from "../../doubles/room-parts.ts";
import { silentLog } from "../../doubles/silent-log.ts";
import { until } from "../../doubles/until.ts";

type Opened = {
  readonly keyValue: KeyValueFactory;
  /** One of each instance. */
  readonly coordinators: readonly [Coordinator, Coordinator];
  readonly close: () => Promise<void>;
};

const never = new Promise<never>(() => {});

/** `open` gives a store that nothing is in. */
export function describeNotices(name: string, open: () => Promise<Opened>): void {
  async function withRoom(work: (room: ReturnType<typeof roomOver>) => Promise<void>): Promise<void> {
    const opened = await open();
    const room = roomOver(opened);
    try {
      await work(room);
      // What another process posted is written once more, since only that process knew its content.
      expect(room.platform.violations.filter((one) => !one.includes("changes nothing"))).toEqual([]);
    } finally {
      await room.drain();
      await opened.close();
    }
  }

  describe(`notices on ${name}`, () => {
    it("are posted once for each key, and remembered", () =>
      withRoom(async ({ platform, instance, said, open }) => {
        const notices = instance(0);

        expect(await notices.post({ key: "a/b c%", place: general, document: notice("Welcome") })).toBe(true);
        await until("the message", () => said().length === 1);
        await until("its record", async () => (await open()).length === 0);

        expect(await notices.post({ key: "a/b c%", place: general, document: notice("Again") })).toBe(false);
        await notices.recover();
        await notices.drain();
        expect(platform.writes).toHaveLength(1);
        expect(said()).toEqual(["Welcome"]);
      }));

    it("are posted once when two instances hear of the same fact at once", () =>
      withRoom(async ({ instance, said, open }) => {
        const both = [instance(0), instance(1)];
        const keys = ["1", "2", "3", "4"];

        await Promise.all(
          keys.flatMap((key) => both.map((one) => one.post({ key, place: general, document: notice(`Card ${key}`) }))),
        );
        await until("all records", async () => said().length >= keys.length && (await open()).length === 0);

        expect(said().toSorted()).toEqual(keys.map((key) => `Card ${key}`));
      }));

    it("that were stored by a process that died are posted by another one", () =>
      withRoom(async ({ platform, instance, said }) => {
        const dead = instance(0, { platform: undefined });
        await dead.post({ key: "1", place: general, document: notice("Welcome") });
        await dead.drain();
        expect(platform.writes).toEqual([]);

        await instance(1).recover();

        await until("the message", () => said().length === 1);
      }));

    it("that were posted by a process that died before it recorded this are found, not posted again", () =>
      withRoom(async ({ platform, instance, said, open }) => {
        // Its lease has expired by the time that another instance looks.
        const dead = instance(0, { diesAt: "record" });
        await dead.post({ key: "1", place: general, document: notice("Welcome") });
        await until("the message", () => said().length === 1);
        expect((await open()).map(([, { isBegun }]) => isBegun)).toEqual([true]);

        const next = instance(1);
        await next.recover();
        await until("its record", async () => (await open()).length === 0);

        expect(said()).toEqual(["Welcome"]);
        expect(platform.writes.filter(({ kind }) => kind === "post")).toHaveLength(1);
        expect(await next.post({ key: "1", place: general, document: notice("Again") })).toBe(false);
      }));

    it("that were begun and not posted by a process that died are posted", () =>
      withRoom(async ({ platform, instance, said, open }) => {
        const dead = instance(0, { diesAt: "post" });
        await dead.post({ key: "1", place: general, document: notice("Welcome") });
        await until("the beginning", async () => (await open())[0]?.[1].isBegun === true);
        expect(platform.writes).toEqual([]);

        await instance(1).recover();

        await until("the message", () => said().length === 1);
      }));

    it("are given up where the place is gone", () =>
      withRoom(async ({ platform, instance, said, open }) => {
        platform.fail({ on: "post", error: "place_gone" });
        const notices = instance(0);

        await notices.post({ key: "1", place: general, document: notice("Welcome") });
        await until("its record", async () => (await open()).length === 0);

        expect(said()).toEqual([]);
        expect(await notices.post({ key: "1", place: general, document: notice("Welcome") })).toBe(false);
      }));
  });
}

type Death = "post" | "record";

function roomOver({ keyValue, coordinators }: Opened) {
  const platform = createMemoryPlatform({ clock: systemClock });
  const openNotices = keyValue<OpenNotice>("open-notices");
  const instances: ReturnType<typeof createNotices>[] = [];

  /** `platform: undefined`: it never gets to post. */
  function instance(
    index: 0 | 1,
    how: { readonly platform?: MemoryPlatform | undefined; readonly diesAt?: Death } = { platform },
  ) {
    const { diesAt } = how;
    const coordinator = coordinators[index];
    const mortal = diesAt === "post" ? { ...platform, post: () => never } : platform;
    const delivery = createDelivery({ platform: mortal, coordinator, clock: systemClock, log: silentLog });
    const site = diesAt === undefined && how.platform === undefined ? undefined : { platform: mortal, delivery };
    const done = keyValue<DoneNotice>("notices");
    const made = createNotices({
      open: openNotices,
      done: diesAt === "record" ? { ...done, set: () => never } : done,
      coordinator: diesAt === undefined ? coordinator : { ...coordinator, lease: async () => expired },
      siteOf: () => site,
      clock: systemClock,
      log: silentLog,
    });
    if (diesAt === undefined) instances.push(made);
    return made;
  }

  return {
    platform,
    instance,
    said: () => platform.thread(general).map(({ payload }) => payload.text),
    open: async () => {
      const found: (readonly [string, OpenNotice])[] = [];
      for await (const entry of openNotices.entries(workspaceKey(general))) found.push(entry);
      return found;
    },
    drain: () => Promise.all(instances.map((one) => one.drain())),
  };
}

const expired = {
  fence: 0,
  lost: new AbortController().signal,
  isCurrent: () => true,
  release: async () => undefined,
};
