/** Contract of the topics of direct messages on a backend: one answer to which topic a message continues. */
import { describe, expect, it } from "vitest";
import { createTopics, type TopicRecord } from "../../../../src/bridge/conversation/topics.ts";
import type { Place } from "../../../../src/core/model/place.ts";
import type { Coordinator, KeyValueFactory } from "../../../../src/core/ports/state.ts";
import { systemClock } from "../../../../src/core/tools/system-clock.ts";
import { appOf } from "../../../doubles/app.ts";
import { alice, bob } from "../../../doubles/people.ts";

type Opened = {
  readonly keyValue: KeyValueFactory;
  /** One of each instance. */
  readonly coordinators: readonly [Coordinator, Coordinator];
  readonly close: () => Promise<void>;
};

const hourMs = 60 * 60_000;
const direct: Place = { platform: "memory", workspace: "T1", channel: "D1/b c%" };
const under = (ts: number): Place => ({ ...direct, thread: String(ts) });
const message = (ts: number, actor = alice) => ({ conversation: under(ts), actor, continues: "topic" as const });
const inThread = (ts: number, actor = alice) => ({ conversation: under(ts), actor, continues: "thread" as const });

export function describeTopics(name: string, open: () => Promise<Opened>): void {
  async function withTopics(work: (room: ReturnType<typeof roomOver>) => Promise<void>): Promise<void> {
    const opened = await open();
    try {
      await work(roomOver(opened));
    } finally {
      await opened.close();
    }
  }

  describe(`topics on ${name}`, () => {
    it("are continued by the next message, in the thread of any answer, and by nobody else", () =>
      withTopics(async ({ instance }) => {
        const topics = instance(0);

        expect(await topics.of(message(1))).toEqual(under(1));
        expect(await topics.of(message(2))).toEqual(under(1));
        expect(await topics.of(inThread(2))).toEqual(under(1));
        expect(await topics.of(inThread(2, bob))).toBeUndefined();
        expect(await topics.of(inThread(9))).toBeUndefined();
        expect(await topics.of(message(3, bob))).toEqual(under(3));
        expect(await topics.of({ conversation: under(4), actor: alice })).toBeUndefined();
      }));

    it("are one for two messages that two instances hear at once", () =>
      withTopics(async ({ instance }) => {
        const [one, other] = [instance(0), instance(1)];

        const [first, second] = await Promise.all([one.of(message(1)), other.of(message(2))]);

        expect(second).toEqual(first);
        expect(await one.of(message(3))).toEqual(first);
      }));

    it("end after twelve hours and by New topic, also for the other instance; their threads still know them", () =>
      withTopics(async ({ instance, move }) => {
        const [one, other] = [instance(0), instance(1)];
        await one.of(message(1));
        await move(11 * hourMs);
        expect(await other.of(message(2))).toEqual(under(1));
        await move(12 * hourMs);
        expect(await other.of(message(3))).toEqual(under(3));

        await one.end(direct);

        expect(await other.of(message(4))).toEqual(under(4));
        expect(await other.of(inThread(2))).toEqual(under(1));
        expect(await other.of(message(5))).toEqual(under(4));
      }));

    it("stay what they were for a message that comes again, whatever began since", () =>
      withTopics(async ({ instance }) => {
        const topics = instance(0);
        await topics.of(message(1));
        await topics.end(direct);
        await topics.of(message(2));

        expect(await topics.of(message(1))).toEqual(under(1));

        expect(await topics.of(message(3))).toEqual(under(2));
      }));

    it("are decided alike again after a process died between two writes", () =>
      withTopics(async ({ instance, dyingAfter }) => {
        await expect(dyingAfter(1).of(message(1))).rejects.toThrow("dead");

        expect(await instance(1).of(message(1))).toEqual(under(1));
        expect(await instance(1).of(message(2))).toEqual(under(1));
      }));

    it("are found with all their conversations, and forgotten", () =>
      withTopics(async ({ instance, left }) => {
        const topics = instance(0);
        await topics.of(message(1));
        await topics.of(message(2));
        await topics.end(direct);
        await topics.of(message(3));

        const [own] = await topics.at(under(2));
        expect(own?.topic).toEqual(under(1));
        expect(own?.conversations.map(({ thread }) => thread).toSorted()).toEqual(["1", "2"]);
        const all = await topics.at(direct);
        expect(all.map(({ topic }) => topic.thread).toSorted()).toEqual(["1", "3"]);
        expect(await topics.at(under(9))).toEqual([]);

        for (const whole of all) await topics.forget(whole);
        expect(await topics.at(direct)).toEqual([]);
        expect(await left()).toEqual([]);
      }));
  });
}

function roomOver({ keyValue, coordinators }: Opened) {
  let moved = 0;
  const clock = { ...systemClock, now: () => Date.now() + moved };
  const store = keyValue<TopicRecord>("topics");
  const over = (used: typeof store, number: 0 | 1) =>
    createTopics(appOf({ keyValue: () => used as never, coordinator: coordinators[number], clock }));
  return {
    instance: (number: 0 | 1) => over(store, number),
    /** An instance whose process dies after that many writes. */
    dyingAfter: (writes: number) => {
      let left = writes;
      const set: typeof store.set = async (...about) => {
        if (left === 0) throw new Error("dead");
        left -= 1;
        await store.set(...about);
      };
      return over({ ...store, set }, 0);
    },
    move: async (ms: number) => {
      moved += ms;
    },
    left: async () => {
      const keys: string[] = [];
      for await (const [key] of store.entries("")) keys.push(key);
      return keys;
    },
  };
}
