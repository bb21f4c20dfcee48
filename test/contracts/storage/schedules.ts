/** Contract of schedules on a backend: each time is asked once, however many instances look, and idle ones are not read. */
import { describe, expect, it } from "vitest";
import type { Clock } from "../../../src/core/ports/clock.ts";
import type { State } from "../../../src/core/ports/state.ts";
import { systemClock } from "../../../src/core/tools/system-clock.ts";
import { createSchedules, type ScheduledRun } from "../../../src/insight/schedules/schedules.ts";
import { appOf } from "../../doubles/app.ts";
import { look } from "../../doubles/look.ts";
import { keptNotices } from "../../doubles/notices.ts";
import { alice, general } from "../../doubles/people.ts";
import { silentLog as log } from "../../doubles/silent-log.ts";

export type ScheduleStores = Pick<State, "collection" | "works" | "coordinator">;

const day = 86_400_000;
const time = { cron: "0 9 * * *", timeZone: "UTC", text: "every day at 9:00" };
const idOf = (index: number) => `s${String(index).padStart(15, "0")}`;

/** `open` gives two connections to a store that nothing is in. */
export function describeSchedules(
  name: string,
  open: (clock: Clock) => Promise<{ readonly stores: readonly ScheduleStores[]; readonly close: () => Promise<void> }>,
): void {
  async function openRoom() {
    let nowMs = Date.parse("2027-01-15T08:00:00Z");
    const clock = { ...systemClock, now: () => nowMs };
    const { stores, close } = await open(clock);
    const asked: string[] = [];
    const ask = async ({ eventKey }: ScheduledRun) => {
      if (!asked.includes(eventKey)) asked.push(eventKey);
    };
    const instances = stores.map(({ collection, works, coordinator }) => {
      const schedules = createSchedules(
        appOf({
          collection,
          works,
          coordinator,
          notices: keptNotices(),
          clock,
          log,
          reach: {
            may: () => ({ allowed: true, isPrivate: false }),
            mayAgent: async () => ({ allowed: true, isPrivate: false }),
            mayBase: async () => ({ allowed: true, isPrivate: false }),
          },
          siteOf: () => ({ platform: {} }),
        }),
      );
      schedules.connect({ ask, postDigest: async () => "nothing", readAgain: async () => "begun" });
      return { schedules, look: () => look(works) };
    });
    const [one, other] = instances;
    if (one === undefined || other === undefined) throw new Error("Two instances were expected.");
    return {
      ...{ one, other, asked, close },
      create: (index: number, owner = `U${index}`) =>
        one.schedules.create({
          ...{ id: idOf(index), owner: { ...alice, id: owner }, place: general, time },
          what: { kind: "question", question: "How many orders?" },
        }),
      pass: (ms: number) => {
        nowMs += ms;
      },
      look: () => Promise.all(instances.map(({ look }) => look())),
    };
  }

  async function inRoom(work: (room: Awaited<ReturnType<typeof openRoom>>) => Promise<void>): Promise<void> {
    const room = await openRoom();
    try {
      await work(room);
    } finally {
      await room.close();
    }
  }

  describe(`schedules on ${name}`, () => {
    it("ask once for each time, and once for all that were missed", () =>
      inRoom(async ({ create, pass, look, asked, other }) => {
        await create(1);
        for (const days of [1, 1, 3]) {
          await look();
          pass(days * day);
        }
        await look();
        await look();
        const times = asked.map((key) => new Date(Number(key.split("/").at(-1))).toISOString().slice(0, 10));
        expect(times).toEqual(["2027-01-15", "2027-01-16", "2027-01-17"]);
        expect((await other.schedules.get(general, idOf(1)))?.dueAtMs).toBe(Date.parse("2027-01-20T09:00Z"));
      }));

    it("that are due at once are each asked once", () =>
      inRoom(async ({ create, pass, look, asked }) => {
        for (let index = 0; index < 60; index += 1) await create(index);
        pass(day);
        await look();
        await look();
        expect(new Set(asked).size).toBe(60);
        expect(asked).toHaveLength(60);
      }));

    it("are found by their owner and their channel, changed on one instance and seen on the other", () =>
      inRoom(async ({ create, pass, look, asked, one, other }) => {
        await create(1, "U1");
        await create(2, "U1");
        await create(3, "U2");
        expect((await other.schedules.ofPerson(general, { id: "U1" })).map(({ id }) => id)).toEqual([idOf(2), idOf(1)]);
        expect(await other.schedules.inChannel(general)).toHaveLength(3);
        const [second, first] = await other.schedules.ofPerson(general, { id: "U1" });
        if (first === undefined || second === undefined) throw new Error("Two were expected.");
        await other.schedules.delete(first);
        await other.schedules.pause(second);
        pass(day);
        await look();
        expect(asked).toHaveLength(1);
        await one.schedules.resume(second);
        await look();
        expect(asked).toHaveLength(2);
        expect(await one.schedules.delete(first)).toBe("gone");
      }));

    it("are created once by two presses on two instances", () =>
      inRoom(async ({ create, one, other }) => {
        await create(7);
        const about = await one.schedules.get(general, idOf(7));
        if (about === undefined) throw new Error("It was created.");
        const { id, owner, place, what } = about;
        const again = await Promise.all(
          [one, other].map(({ schedules }) => schedules.create({ id, owner, place, what, time })),
        );
        expect(again).toEqual(["known", "known"]);
        expect(await one.schedules.inChannel(general)).toHaveLength(1);
      }));
  });
}
