/** Contract of notices on a backend: one message for each key, whatever dies, however many instances hear of it. */
import { describe, expect, it } from "vitest";
import type { Coordinator, KeyValueFactory } from "../../../src/core/ports/state.ts";
import type { Works } from "../../../src/core/ports/storage/works.ts";
import { systemClock } from "../../../src/core/tools/system-clock.ts";
import { createDelivery } from "../../../src/delivery/delivery.ts";
import { createNotices, type DoneNotice } from "../../../src/delivery/notices.ts";
import { createMemoryPlatform, type MemoryPlatform } from "../../doubles/memory-platform.ts";
import { general } from "../../doubles/people.ts";
import { notice } from "../../doubles/room-parts.ts";
import { silentLog } from "../../doubles/silent-log.ts";
import { until } from "../../doubles/until.ts";

type Opened = {
  readonly keyValue: KeyValueFactory;
  /** One of each instance. */
  readonly coordinators: readonly [Coordinator, Coordinator];
  /** Of a new process on that instance's connection. */
  readonly worksOf: (index: 0 | 1) => Works;
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
        await notices.die();
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
        const dead = instance(0, "unstarted");
        await dead.post({ key: "1", place: general, document: notice("Welcome") });
        await dead.die();
        expect(platform.writes).toEqual([]);

        instance(1);

        await until("the message", () => said().length === 1);
      }));

    it("that were posted by a process that died before it recorded this are found, not posted again", () =>
      withRoom(async ({ platform, instance, said, open }) => {
        const dead = instance(0, "record");
        await dead.post({ key: "1", place: general, document: notice("Welcome") });
        await until("the message", () => said().length === 1);
        expect(await open()).toHaveLength(1);
        await dead.die();

        const next = instance(1);
        await until("its record", async () => (await open()).length === 0);

        expect(said()).toEqual(["Welcome"]);
        expect(platform.writes.filter(({ kind }) => kind === "post")).toHaveLength(1);
        expect(await next.post({ key: "1", place: general, document: notice("Again") })).toBe(false);
      }));

    it("that were begun and not posted by a process that died are posted", () =>
      withRoom(async ({ platform, instance, said }) => {
        const dead = instance(0, "post");
        await dead.post({ key: "1", place: general, document: notice("Welcome") });
        await until("the beginning", dead.hasBegun);
        expect(platform.writes).toEqual([]);
        await dead.die();

        instance(1);

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

type Death = "unstarted" | "post" | "record";

function roomOver({ keyValue, coordinators, worksOf }: Opened) {
  const platform = createMemoryPlatform({ clock: systemClock });
  const all: Works[] = [];

  /** `diesAt`: there it stops, and what it does next never comes. */
  function instance(index: 0 | 1, diesAt?: Death) {
    const works = worksOf(index);
    all.push(works);
    let hasBegun = false;
    const mortal: MemoryPlatform = {
      ...platform,
      post: (...post) => {
        hasBegun = true;
        return diesAt === "post" ? never : platform.post(...post);
      },
    };
    const coordinator = coordinators[index];
    const delivery = createDelivery({ platform: mortal, coordinator, clock: systemClock, log: silentLog });
    const done = keyValue<DoneNotice>("notices");
    const notices = createNotices({
      works,
      done: diesAt === "record" ? { ...done, set: () => never } : done,
      coordinator,
      siteOf: () => ({ platform: mortal, delivery }),
      clock: systemClock,
      log: silentLog,
    });
    if (diesAt !== "unstarted") void works.start();
    return { ...notices, hasBegun: () => hasBegun, die: works.drain };
  }

  const reader = worksOf(0);
  return {
    platform,
    instance,
    said: () => platform.thread(general).map(({ payload }) => payload.text),
    open: async () => {
      const found: string[] = [];
      for await (const [key] of reader.entries("open-notices")) found.push(key);
      return found;
    },
    drain: () => Promise.all(all.map((works) => works.drain())),
  };
}
