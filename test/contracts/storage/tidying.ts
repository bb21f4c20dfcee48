/** Contract of tidying on a backend: progress beside an answer is removed once, whatever dies, by any instance. */
import { describe, expect, it } from "vitest";
import { createTidying } from "../../../src/bridge/shown/tidying.ts";
import type { Turn } from "../../../src/core/model/turn.ts";
import type { Coordinator, TurnStore } from "../../../src/core/ports/state.ts";
import type { Works } from "../../../src/core/ports/storage/works.ts";
import { systemClock } from "../../../src/core/tools/system-clock.ts";
import { createDelivery } from "../../../src/delivery/delivery.ts";
import { appOf } from "../../doubles/app.ts";
import { createMemoryPlatform } from "../../doubles/memory-platform.ts";
import { general } from "../../doubles/people.ts";
import { silentLog } from "../../doubles/silent-log.ts";
import { until } from "../../doubles/until.ts";
import { sampleTurn } from "./sample-records.ts";

type Opened = {
  readonly turns: TurnStore;
  /** One of each instance. */
  readonly coordinators: readonly [Coordinator, Coordinator];
  /** Of a new process on that instance's connection. */
  readonly worksOf: (index: 0 | 1) => Works;
  readonly close: () => Promise<void>;
};

/** `open` gives a store that nothing is in. */
export function describeTidying(name: string, open: () => Promise<Opened>): void {
  async function withRoom(work: (room: Awaited<ReturnType<typeof roomOver>>) => Promise<void>): Promise<void> {
    const opened = await open();
    const room = await roomOver(opened);
    try {
      await work(room);
    } finally {
      await room.drain();
      await opened.close();
    }
  }

  describe(`tidying on ${name}`, () => {
    it("removes the progress when the Turn is over, and forgets it", () =>
      withRoom(async ({ instance, stored, said, pointers }) => {
        const tidying = instance(0);
        await tidying.start();
        await tidying.note(stored);
        expect(await pointers()).toHaveLength(1);

        tidying.begin(stored);

        await until("its record", async () => (await pointers()).length === 0);
        expect(said()).toEqual(["answer"]);
      }));

    it("is done by another instance after a crash, and once when both find it", () =>
      withRoom(async ({ platform, instance, stored, said, pointers, reply }) => {
        await instance(0).note(stored);

        await Promise.all([instance(0).start(), instance(1).start()]);

        await until("its record", async () => (await pointers()).length === 0);
        expect(said()).toEqual(["answer"]);
        expect(await reply()).toEqual({ place: general, parts: stored.reply.parts });
        expect(platform.writes.filter(({ outcome, kind }) => kind === "remove" && outcome === "ok")).toHaveLength(1);
      }));

    it("waits for the end of a question that is asked again", () =>
      withRoom(async ({ instance, stored, said, pointers, turns }) => {
        const tidying = instance(0);
        await tidying.note(stored);
        await turns.transition(stored.id, ["answered"], "queued", {}, 0);
        await tidying.start();
        tidying.begin(stored);
        await new Promise((resolve) => setTimeout(resolve, 500));
        await tidying.die();
        expect(said()).toEqual(["progress", "answer"]);

        await turns.transition(stored.id, ["queued"], "answered", {}, 0);
        await instance(1).start();

        await until("its record", async () => (await pointers()).length === 0);
        expect(said()).toEqual(["answer"]);
      }));

    it("leaves a Turn with nothing superseded as it is", () =>
      withRoom(async ({ instance, stored, said, pointers, turns }) => {
        const { superseded: _, ...before } = stored.reply;
        await turns.transition(stored.id, ["answered"], "answered", { reply: before }, 0);
        await instance(0).note(stored);

        await instance(1).start();

        await until("its record", async () => (await pointers()).length === 0);
        expect(said()).toEqual(["progress", "answer"]);
      }));
  });
}

async function roomOver({ turns, coordinators, worksOf }: Opened) {
  const platform = createMemoryPlatform({ clock: systemClock });
  const reader = worksOf(0);
  const all: Works[] = [];
  const post = (text: string, generation: number) => {
    const payload = { text, tone: "done" as const, actions: [], summary: text };
    return platform.post(general, payload, { replyId: "turn1", part: 0, generation }, { urgency: "final" });
  };
  const [progress, answer] = [await post("progress", 0), await post("answer", 1)];
  const parts = [{ index: 0, messageId: answer, state: "final" as const, hash: "h", generation: 1 }];
  const stored: Turn = {
    ...sampleTurn("turn1"),
    conversation: { ...general, platform: platform.name },
    state: "answered",
    reply: { place: general, parts, superseded: [{ messageId: progress }] },
  };
  await turns.create(stored);

  return {
    platform,
    turns,
    stored,
    instance: (index: 0 | 1) => {
      const coordinator = coordinators[index];
      const delivery = createDelivery({ platform, coordinator, clock: systemClock, log: silentLog });
      const siteOf = () => ({ platform, delivery });
      const works = worksOf(index);
      all.push(works);
      const tidying = createTidying(appOf({ works, turns, siteOf, clock: systemClock, log: silentLog }));
      return { ...tidying, start: works.start, die: works.drain };
    },
    said: () => platform.thread(general).map(({ payload }) => payload.text),
    reply: async () => (await turns.get(stored.id))?.reply,
    pointers: async () => {
      const found: string[] = [];
      for await (const [key] of reader.entries("tidying")) found.push(key);
      return found;
    },
    drain: () => Promise.all(all.map((works) => works.drain())),
  };
}
