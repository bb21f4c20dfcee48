/**
 * Lists conversations newest first, in pages, without reading the others. There is a ranking per channel, and two per
 * person: what they pinned, and where they wrote.
 */
import type { Clock } from "../../../src/core/ports/clock.ts";
import type { KeyValue } from "../../../src/core/ports/state.ts";
import type { Ranked, Rankings } from "../../../src/core/ports/storage/rankings.ts";
import { workspaceName as workspace } from "../intake/inbound.ts";
import type { ConversationSummary } from "../writing/messages.ts";
import { type Thread, threadKey, threadOfKey } from "./thread-key.ts";

export type Listed = {
  readonly conversations: readonly ConversationSummary[];
  /** Where the next page begins; absent at the end. */
  readonly next?: string;
};

/** A person's own conversations, or those of channels. */
export type ListedOf = { readonly person: string } | { readonly channels: readonly string[] };

export type Listing = ReturnType<typeof createListing>;

/** A conversation that is ranked but has no record yet may be about to get one. */
const graceMicros = 3_600_000_000;
/** Removed at once, so that storage isn't flooded. */
const batch = 50;

const channelList = (channel: string) => `console/${workspace}/conversations/${encodeURIComponent(channel)}`;
const pinnedList = (personId: string) => `console/${workspace}/pinned/${encodeURIComponent(personId)}`;
const ownList = (personId: string) => `console/${workspace}/own/${encodeURIComponent(personId)}`;

export function createListing(deps: {
  readonly rankings: Rankings;
  readonly summaries: KeyValue<ConversationSummary>;
  readonly clock: Clock;
}) {
  const { rankings, summaries, clock } = deps;

  const scoreOf = ({ lastOrder }: Pick<ConversationSummary, "lastOrder">) => Number(lastOrder ?? 0);

  function pageOf(sorted: readonly ConversationSummary[], limit: number): Listed {
    const conversations = sorted.slice(0, limit);
    const last = conversations.at(-1);
    return last === undefined || sorted.length <= limit
      ? { conversations }
      : { conversations, next: String(scoreOf(last)) };
  }

  /** What a ranking names, as it is now. Members whose conversation is gone leave the ranking. */
  async function read(list: string, members: readonly { readonly member: string; readonly score: number }[]) {
    const found = await Promise.all(
      members.map(async ({ member, score }) => {
        const summary = await summaries.get(member);
        if (summary?.lastOrder !== undefined) return summary;
        // On a full disk the list can still be read.
        if (score < clock.now() * 1000 - graceMicros) await rankings.delete(list, member).catch(() => undefined);
        return undefined;
      }),
    );
    return found.filter((summary) => summary !== undefined);
  }

  return {
    /** Before the summary is stored: a crash in between leaves a rank without a record, never a lost conversation. */
    rank: (summary: ConversationSummary): Promise<void> =>
      rankings.put(channelList(summary.channel), threadKey(summary), scoreOf(summary)),

    /** That person began it or wrote in it. */
    rankOwn: (personId: string, at: Thread, order: string): Promise<void> =>
      rankings.put(ownList(personId), threadKey(at), Number(order)),

    drop: async (at: Thread): Promise<void> => rankings.delete(channelList(at.channel), threadKey(at)),

    pin: async (personId: string, at: Thread, isPinned: boolean, atMs: number): Promise<void> => {
      if (isPinned) await rankings.put(pinnedList(personId), threadKey(at), atMs);
      else await rankings.delete(pinnedList(personId), threadKey(at));
    },

    /** The newest pinned first, at most `limit`. */
    pinned: async (personId: string, limit: number): Promise<readonly ConversationSummary[]> => {
      const list = pinnedList(personId);
      const members = await rankings.highest(list, 0, limit);
      // The score of a pin is the time of the press, long before or after the last message.
      return read(
        list,
        members.map(({ member }) => ({ member, score: 0 })),
      );
    },

    /** Conversations of these channels that are older than `before`, the `next` of the page before. */
    page: async (channels: readonly string[], limit: number, before = Number.MAX_SAFE_INTEGER): Promise<Listed> => {
      let below = before;
      const conversations: ConversationSummary[] = [];
      for (;;) {
        const wanted = limit - conversations.length + 1;
        const lists = await Promise.all(
          channels.map(async (channel) => {
            const list = channelList(channel);
            return (await rankings.below(list, below, wanted)).map((ranked) => ({ ...ranked, list }));
          }),
        );
        const next = lists
          .flat()
          .sort((a, b) => b.score - a.score)
          .slice(0, wanted);
        const last = next.at(-1);
        if (last === undefined) return { conversations };
        below = last.score;
        const summariesOf = new Map<string, typeof next>();
        for (const ranked of next) summariesOf.set(ranked.list, [...(summariesOf.get(ranked.list) ?? []), ranked]);
        const found = await Promise.all([...summariesOf].map(([list, members]) => read(list, members)));
        conversations.push(...found.flat().sort((a, b) => scoreOf(b) - scoreOf(a)));
        if (conversations.length > limit || next.length < wanted) return pageOf(conversations, limit);
      }
    },

    /** Keys of one person's conversations, or of those in the channels, newest first, below that score. */
    keys: async (of: ListedOf, below: number, count: number) => {
      const lists = "person" in of ? [ownList(of.person)] : of.channels.map(channelList);
      const found = (await Promise.all(lists.map((list) => rankings.below(list, below, count)))).flat();
      return found.sort((a, b) => b.score - a.score).slice(0, count);
    },

    /** Removes an entry that `keys` returned if its conversation was deleted or has expired, so that later searches skip it. */
    leaveIfGone: async (of: ListedOf, { member, score }: Ranked): Promise<void> => {
      const list = "person" in of ? ownList(of.person) : channelList(threadOfKey(member).channel);
      await read(list, [{ member, score }]);
    },

    /** Everything ranked under their id: what they pinned, and where they wrote. */
    forgetPerson: async (personId: string): Promise<void> => {
      for (const list of [pinnedList(personId), ownList(personId)]) {
        for (;;) {
          const found = await rankings.highest(list, 0, batch);
          await Promise.all(found.map(({ member }) => rankings.delete(list, member)));
          if (found.length < batch) break;
        }
      }
    },

    count: async (channel: string): Promise<number> => rankings.count(channelList(channel)),
  };
}
