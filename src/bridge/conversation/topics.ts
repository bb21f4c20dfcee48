/**
 * Decides which topic a direct message continues: the newest, until a person starts another or 12 hours pass. This is
 * for platforms that give each answer a thread of its own. A topic is named by the Conversation of its first question.
 *
 * Two messages at once, on two instances, are decided one after the other under a lease. A decision is stored with its
 * Conversation before the question is, so that a redelivery after a crash gets the same one.
 */

import type { App } from "../../app.ts";
import { type Actor, channelKey, conversationKey, type Place } from "../../core/model/place.ts";
import type { Lease } from "../../core/ports/state.ts";

export type TopicRecord = {
  readonly topic: Place;
  /** The Conversation that belongs to it: of the newest question, or the one of the key. */
  readonly conversation: Place;
  /** Whose it is: nobody else's question continues it. */
  readonly actorId: string;
  readonly lastAtMs: number;
};

/** `topic`: a direct message at the top level. `thread`: one in the thread of an answer, which may belong to a topic. */
export type Continues = "topic" | "thread";

type Person = Pick<Actor, "id">;

type AskedQuestion = { readonly conversation: Place; readonly actor: Person; readonly continues?: Continues };

type Asked = { readonly place: Place; readonly continuesTopic?: true };

/** `isDirect`: only one person writes there. */
export function continuesOf({ place, continuesTopic }: Asked, isDirect: boolean): Continues | undefined {
  if (continuesTopic === true) return "topic";
  return isDirect && place.thread !== undefined ? "thread" : undefined;
}

/** All Conversations of one topic. */
export type WholeTopic = { readonly topic: Place; readonly conversations: readonly Place[] };

/** Without a question. */
export const topicIdleMs = 12 * 60 * 60_000;
/** Part of the 3 s in which a message must be acknowledged. A process that died holds its lease for longer. */
const maxLeaseWaitMs = 700;

export type Topics = ReturnType<typeof createTopics>;

/** Namespace "topics": the newest topic by channel, and the topic of each Conversation. */
export function createTopics(app: App) {
  const { clock, log } = app;
  const { retentionMs } = app.settings;
  const { coordinator } = app.state;
  const store = app.state.keyValue<TopicRecord>("topics");

  /** Without the lease, only two first messages of a topic at the same moment could miss each other. */
  async function takeLease(channel: string): Promise<Lease | undefined> {
    const late = new AbortController();
    const cancel = clock.after(maxLeaseWaitMs, () => late.abort());
    try {
      return await coordinator.lease(`topic/${channel}`, { signal: late.signal });
    } catch (err) {
      log.info({ err }, "The topic of a direct message is decided without its lease");
      return undefined;
    } finally {
      cancel();
    }
  }

  async function oneByOne<T>(channel: string, work: () => Promise<T>): Promise<T> {
    const lease = await takeLease(channel);
    try {
      return await work();
    } finally {
      await lease?.release();
    }
  }

  async function newestOf(channel: string, { id }: Person): Promise<Place | undefined> {
    const newest = await store.get(channel);
    const isIdle = newest === undefined || clock.now() - newest.lastAtMs >= topicIdleMs;
    return isIdle || newest.actorId !== id ? undefined : newest.topic;
  }

  const recordOf = (topic: Place, conversation: Place, { id }: Person): TopicRecord => ({
    topic,
    conversation,
    actorId: id,
    lastAtMs: clock.now(),
  });

  const noteNewest = (channel: string, record: TopicRecord) => store.set(channel, record, topicIdleMs);

  const note = (topic: Place, conversation: Place, actor: Person): Promise<void> =>
    store.set(conversationKey(conversation), recordOf(topic, conversation, actor), retentionMs);

  function decide(conversation: Place, actor: Person): Promise<Place> {
    const channel = channelKey(conversation);
    return oneByOne(channel, async () => {
      const decided = await store.get(conversationKey(conversation));
      if (decided !== undefined) return decided.topic;
      const topic = (await newestOf(channel, actor)) ?? conversation;
      await noteNewest(channel, recordOf(topic, conversation, actor));
      await note(topic, conversation, actor);
      return topic;
    });
  }

  /** Of a thread. A question there keeps its topic the newest one, if it still is. */
  async function follow(conversation: Place, actor: Person): Promise<Place | undefined> {
    const found = await store.get(conversationKey(conversation));
    if (found === undefined || found.actorId !== actor.id) return undefined;
    const { topic } = found;
    const channel = channelKey(conversation);
    await oneByOne(channel, async () => {
      const newest = await newestOf(channel, actor);
      if (newest === undefined || conversationKey(newest) !== conversationKey(topic)) return;
      await noteNewest(channel, recordOf(topic, conversation, actor));
    });
    return topic;
  }

  return {
    /** Undefined: it continues no topic. Durable when it resolves, and the same for the same question every time. */
    of: async ({ conversation, actor, continues }: AskedQuestion): Promise<Place | undefined> => {
      if (continues === undefined) return undefined;
      return continues === "topic" ? decide(conversation, actor) : follow(conversation, actor);
    },
    /** Of a thread that was opened for a question of that topic. Idempotent. */
    note,
    /** The next question there starts a topic. */
    end: async (place: Place): Promise<void> => {
      const channel = channelKey(place);
      await oneByOne(channel, () => store.delete(channel));
    },
    /** The topic that this thread belongs to; without a thread, all topics of that direct message. */
    at: async (place: Place): Promise<readonly WholeTopic[]> => {
      const own = place.thread === undefined ? undefined : (await store.get(conversationKey(place)))?.topic;
      if (place.thread !== undefined && own === undefined) return [];
      const found = new Map<string, { topic: Place; conversations: Place[] }>();
      for await (const [, { topic, conversation }] of store.entries(`${channelKey(place)}/`)) {
        const key = conversationKey(topic);
        if (own !== undefined && key !== conversationKey(own)) continue;
        const whole = found.get(key) ?? { topic, conversations: [] };
        whole.conversations.push(conversation);
        found.set(key, whole);
      }
      return [...found.values()];
    },
    forget: async ({ topic, conversations }: WholeTopic): Promise<void> => {
      const channel = channelKey(topic);
      await oneByOne(channel, async () => {
        const newest = await store.get(channel);
        if (newest !== undefined && conversationKey(newest.topic) === conversationKey(topic)) {
          await store.delete(channel);
        }
        for (const conversation of conversations) await store.delete(conversationKey(conversation));
      });
    },
  };
}
