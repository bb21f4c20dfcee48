/**
 * Bounds what Parley says unasked. It looks at most once a second into what was overheard, posts few answers an hour, and
 * keeps quiet where it was told to. All of it is counted by channel and day, without words and people.
 */

import type { App } from "../../app.ts";
import type { HeardCounts } from "../../commands/app.ts";
import { channelKey, conversationKey, type Place } from "../../core/model/place.ts";
import type { Turn } from "../../core/model/turn.ts";
import type { Bucket } from "../../core/ports/state.ts";
import { newId } from "../../core/tools/ids.ts";

export type OverheardFact = { readonly atMs: number } | HeardCounts;

const none: HeardCounts = { answered: 0, quiet: 0, notForYou: 0, personBelow: 0 };

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** In an hour. */
const maxPosted = { channel: 20, thread: 5 } as const;
/** Runs for what was overheard in a channel: one a second. */
const runs: Bucket = { capacity: 1, refillPerMinute: 60 };
/** Searches for what was overheard in a channel: each takes up to 0.3 s of the process, with a large document. */
const looks: Bucket = { capacity: 5, refillPerMinute: 120 };
/** Counts are shown for a week. */
const countedDays = 7;
/** A reply that comes later is about something else. */
const replyWithinMs = dayMs;

export type Unasked = ReturnType<typeof createUnasked>;

/** `store`: namespace "overheard". */
export function createUnasked(app: App) {
  const { clock } = app;
  const { retentionMs } = app.settings;
  const { coordinator } = app.state;
  const store = app.state.keyValue<OverheardFact>("overheard");
  /** Each process has counters of its own, so that none overwrites another's. */
  const instance = newId(clock.now());
  let counting: Promise<unknown> = Promise.resolve();

  const leftKey = (conversation: Place) => `left/${conversationKey(conversation)}`;
  const waitingKey = (conversation: Place) => `waiting/${conversationKey(conversation)}`;
  const postedKey = (place: Place) => `posted/${conversationKey(place)}/`;
  const countKey = (place: Place, day: number) => `count/${channelKey(place)}/${day}/`;
  const dayOf = (ms: number) => Math.floor(ms / dayMs);

  async function countOthers(prefix: string, id: string): Promise<number> {
    let count = 0;
    for await (const [key] of store.entries(prefix)) if (!key.endsWith(`/${id}`)) count += 1;
    return count;
  }

  /** One after the other, so that none of this process is lost. */
  function count(place: Place, what: keyof HeardCounts): Promise<void> {
    const counted = counting.then(async () => {
      const key = countKey(place, dayOf(clock.now())) + instance;
      const known = { ...none, ...(await store.get(key)) };
      await store.set(key, { ...known, [what]: known[what] + 1 }, (countedDays + 2) * dayMs);
    });
    counting = counted.catch(() => undefined);
    return counted;
  }

  return {
    count,
    /** Of the last seven days. */
    counts: async (place: Place): Promise<HeardCounts> => {
      const today = dayOf(clock.now());
      let sum = none;
      for (let day = today - countedDays + 1; day <= today; day += 1) {
        for await (const [, fact] of store.entries(countKey(place, day))) {
          const one = { ...none, ...fact };
          sum = {
            answered: sum.answered + one.answered,
            quiet: sum.quiet + one.quiet,
            notForYou: sum.notForYou + one.notForYou,
            personBelow: sum.personBelow + one.personBelow,
          };
        }
      }
      return sum;
    },
    /** Whether to search the knowledge for a line at all. */
    mayLook: async (place: Place): Promise<boolean> => {
      return (await coordinator.takeToken(`overheard-look/${channelKey(place)}`, looks, 0)).taken;
    },
    /** At most one run a second and channel; the rest is silent. */
    mayRun: async (place: Place): Promise<boolean> => {
      return (await coordinator.takeToken(`overheard/${channelKey(place)}`, runs, 0)).taken;
    },
    /** Notes the answer too. The same answer may be posted again, after a crash. */
    mayPost: async ({ id, conversation }: Pick<Turn, "id" | "conversation">): Promise<boolean> => {
      const own = postedKey(conversation) + id;
      if ((await store.get(own)) !== undefined) return true;
      // Noted first: of two instances at the limit, both may keep quiet, but never do both post.
      await store.set(own, { atMs: clock.now() }, hourMs);
      const [inChannel, inThread] = await Promise.all([
        countOthers(`posted/${channelKey(conversation)}/`, id),
        countOthers(postedKey(conversation), id),
      ]);
      if (inChannel >= maxPosted.channel || inThread >= maxPosted.thread) {
        await store.delete(own);
        return false;
      }
      await count(conversation, "answered");
      return true;
    },
    /** Silent there until Parley is mentioned. */
    leave: (conversation: Place): Promise<void> => store.set(leftKey(conversation), { atMs: clock.now() }, retentionMs),
    hasLeft: async (conversation: Place): Promise<boolean> => (await store.get(leftKey(conversation))) !== undefined,
    comeBack: async (conversation: Place): Promise<void> => {
      if ((await store.get(leftKey(conversation))) !== undefined) await store.delete(leftKey(conversation));
    },
    /** A line at the top of a channel got no answer: perhaps a person replies below it. */
    noteQuiet: async (conversation: Place): Promise<void> => {
      await count(conversation, "quiet");
      await store.set(waitingKey(conversation), { atMs: clock.now() }, replyWithinMs);
    },
    noteReply: async (conversation: Place): Promise<void> => {
      if ((await store.get(waitingKey(conversation))) === undefined) return;
      await store.delete(waitingKey(conversation));
      await count(conversation, "personBelow");
    },
  };
}
