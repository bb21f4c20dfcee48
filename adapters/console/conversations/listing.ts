/**
 * Conversations as they are stored, and their lists: newest first, in pages, without reading the others. One record says
 * who wrote there and who pinned it.
 */
import { z } from "zod";
import type { Collection, CollectionDefinition, CollectionFactory } from "../../../src/core/ports/collection.ts";
import type { ConversationSummary } from "../writing/messages.ts";
import { type Thread, threadOfKey } from "./thread-key.ts";

export type Listed = {
  readonly conversations: readonly ConversationSummary[];
  /** Where the next page begins; absent at the end. */
  readonly next?: string;
};

/** A person's own conversations, those that they pinned, or those of channels. */
export type ListedOf =
  | { readonly person: string }
  | { readonly pinnedBy: string }
  | { readonly channels: readonly string[] };

/** The page never learns who else wrote there or pinned it. */
export type StoredConversation = ConversationSummary & {
  /** Who began it or wrote in it. */
  readonly writers?: readonly { readonly actorId: string }[];
  readonly pins?: readonly { readonly actorId: string; readonly atMs: number }[];
  /** The order of its newest question, until that is stored as a message. */
  readonly askedOrder?: string;
};

type ConversationField = "channel" | "lastOrder" | "order" | "sinceMs";
export type Conversations = Collection<StoredConversation, ConversationField>;

const orderOf = ({ lastOrder, askedOrder }: StoredConversation): number | undefined => {
  const order = lastOrder ?? askedOrder;
  return order === undefined ? undefined : Number(order);
};

const text = z.string();

/** By conversation. */
export const conversationCollection: CollectionDefinition<StoredConversation, ConversationField> = {
  holds: "Titles of conversations of the page, who wrote there and who pinned them",
  person: { kind: "messages of the page", erase: (record, strip) => strip(record) },
  retain: { days: "RETENTION_DAYS", since: "sinceMs" },
  schema: z.looseObject({ channel: text, thread: text, title: text, lastOrder: text.optional() }),
  fields: {
    channel: ({ channel }) => channel,
    // Those without a message aren't listed.
    lastOrder: ({ lastOrder }) => (lastOrder === undefined ? undefined : Number(lastOrder)),
    order: orderOf,
    // An answer that is written again keeps its order and time, and ends anew.
    sinceMs: (record) =>
      Math.max(record.lastAtMs ?? Math.floor((orderOf(record) ?? 0) / 1000), record.ended?.atMs ?? 0),
  },
  indexes: [
    { by: ["channel"], order: "lastOrder" },
    { by: [], order: "sinceMs" },
  ],
  text: {
    of: ({ writers = [], pins = [] }) => [
      ...writers.map(({ actorId }) => writtenBy(actorId)),
      ...pins.map(({ actorId }) => pinnedBy(actorId)),
    ],
    order: "order",
    newest: 1_000_000,
  },
};

const writtenBy = (personId: string) => `wrote\n${personId}`;
const pinnedBy = (personId: string) => `pinned\n${personId}`;

export const conversationsIn = ({ collection }: { readonly collection: CollectionFactory }): Conversations =>
  collection("console-conversations", conversationCollection);

/** As open pages get it. */
export function shownOf({
  writers: _w,
  pins: _p,
  askedOrder: _a,
  ...summary
}: StoredConversation): ConversationSummary {
  return summary;
}

/** Counting ends there. */
const maxCounted = 1_000_000;
/** Of which the newest pins are shown. */
const maxPinsRead = 500;

export function createListing(conversations: Conversations) {
  const inChannel = (channel: string) => ({ order: "lastOrder", where: { channel } }) as const;
  const byWord = (word: string) => ({ order: "order", words: [[word]] }) as const;

  /** The newest of these channels, below that order. */
  async function newest(channels: readonly string[], below: number, count: number) {
    const pages = await Promise.all(
      channels.map((channel) => conversations.query({ ...inChannel(channel), until: below }, count)),
    );
    const found = pages
      .flatMap(({ entries }) => entries)
      .sort((a, b) => Number(b.record.lastOrder) - Number(a.record.lastOrder));
    return found.slice(0, count);
  }

  return {
    /** The newest pinned first, at most `limit`. */
    pinned: async (personId: string, limit: number): Promise<readonly ConversationSummary[]> => {
      const { entries } = await conversations.query(byWord(pinnedBy(personId)), maxPinsRead);
      const pinnedAtMs = ({ pins = [] }: StoredConversation) =>
        pins.find(({ actorId }) => actorId === personId)?.atMs ?? 0;
      const listed = entries.map(({ record }) => record).filter(({ lastOrder }) => lastOrder !== undefined);
      return listed
        .sort((a, b) => pinnedAtMs(b) - pinnedAtMs(a))
        .slice(0, limit)
        .map(shownOf);
    },

    /** Conversations of these channels that are older than `before`, the `next` of the page before. */
    page: async (channels: readonly string[], limit: number, before = Number.MAX_SAFE_INTEGER): Promise<Listed> => {
      const found = await newest(channels, before, limit + 1);
      const last = found.length > limit ? found[limit - 1] : undefined;
      return {
        conversations: found.slice(0, limit).map(({ record }) => shownOf(record)),
        ...(last === undefined ? {} : { next: String(Number(last.record.lastOrder)) }),
      };
    },

    /** Some of them, newest first, below that order. */
    keys: async (of: ListedOf, below: number, count: number) => {
      if ("channels" in of) {
        const found = await newest(of.channels, below, count);
        return found.map(({ id, record }) => ({ key: id, order: orderOf(record) ?? 0 }));
      }
      const word = "person" in of ? writtenBy(of.person) : pinnedBy(of.pinnedBy);
      const { entries } = await conversations.query({ ...byWord(word), until: below }, count);
      return entries.map(({ id, record }) => ({ key: id, order: orderOf(record) ?? 0 }));
    },

    count: async (channel: string): Promise<number> =>
      (await conversations.count(inChannel(channel), maxCounted)).count,

    /** That have a name which that person gave. They may neither have begun it nor written in it. */
    async *namedBy(personId: string): AsyncGenerator<Thread> {
      for await (const { id, record } of conversations.entries()) {
        const { titleFrom: from } = record;
        if (from.kind === "person" && from.actorId === personId) yield threadOfKey(id);
      }
    },
  };
}
