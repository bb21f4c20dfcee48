/** Keeps one record per conversation for the list: its title, its newest message, the last end of an answer. */
import type { KeyValue } from "../../../src/ports/state.ts";
import { present } from "../../../src/ports/tools/present.ts";
import type { Listing } from "../conversations/listing.ts";
import { type Thread, threadKey } from "../conversations/thread-key.ts";
import { messageTitle, questionTitle, titleOf } from "../conversations/titles.ts";
import type { ConsoleMessage, ConversationSummary, Ending, PageEvent, TitleFrom } from "./messages.ts";

/** `titleFrom` is absent in conversations of earlier versions. */
type Named = { readonly title: string; readonly titleFrom?: TitleFrom };

/** What a change of a message says besides: who wrote it, what it said before, the end of an answer if it is one. */
export type Noted = { readonly personId?: string; readonly textBefore?: string; readonly ending?: Ending };

export function createSummaries(deps: {
  readonly records: KeyValue<ConversationSummary>;
  readonly listing: Pick<Listing, "rank" | "drop">;
  readonly retentionMs?: number;
  readonly onChange: (event: PageEvent) => void;
  /** Whether it is being deleted: what is still written there creates no record. */
  readonly isGoing: (at: Thread) => Promise<boolean>;
}) {
  const { records, listing, retentionMs, onChange } = deps;
  // A change reads a record before it writes: one at a time, or simultaneous messages lose a title.
  let writes: Promise<unknown> = Promise.resolve();

  type Change = (before: ConversationSummary | undefined) => ConversationSummary | undefined;

  function change(at: Thread, to: Change): Promise<void> {
    const write = writes.then(async () => {
      const before = await records.get(threadKey(at));
      const after = to(before);
      if (after === undefined || (before !== undefined && JSON.stringify(before) === JSON.stringify(after))) return;
      if (before === undefined && (await deps.isGoing(at))) return;
      if (after.lastOrder !== undefined && after.lastOrder !== before?.lastOrder) await listing.rank(after);
      await records.set(threadKey(at), after, retentionMs);
      if (after.lastOrder !== undefined) onChange({ type: "conversation", conversation: after });
    });
    writes = write.catch(() => undefined);
    return write;
  }

  return {
    get: (at: Thread) => records.get(threadKey(at)),

    /** A message was stored. */
    noteMessage: (message: ConsoleMessage, { personId, textBefore, ending }: Noted = {}): Promise<void> => {
      const { channel, thread, order, atMs } = message;
      const tone = message.author === "parley" ? { tone: message.payload.tone } : {};
      return change(message, (before) => ({
        ...(before ?? { version: 1, channel, thread, ...begunBy(personId) }),
        ...namedAfter(message, before, textBefore),
        ...tone,
        ...(ending === undefined
          ? {}
          : { ended: { ...ending, atMs: Math.max(ending.atMs, (before?.ended?.atMs ?? 0) + 1) } }),
        ...(before?.lastOrder === undefined || before.lastOrder < order ? { lastOrder: order, lastAtMs: atMs } : {}),
      }));
    },

    /** `/ask` opens a thread: it is listed once it has a message. */
    noteAsked: (at: Thread, id: string, text: string, personId?: string): Promise<void> => {
      const title = questionTitle(text);
      return change(at, (before) => {
        if (title === undefined || isNamed(before)) return before;
        const empty = { version: 1, channel: at.channel, thread: at.thread, ...begunBy(personId) } as const;
        return { ...(before ?? empty), title, titleFrom: { kind: "question", id } };
      });
    },

    /** The question that gave the title is gone: the next one does, or what Parley says there. */
    noteRemoved: (at: Thread, id: string, remaining: readonly ConsoleMessage[]): Promise<void> =>
      change(at, (before) => {
        const from = before?.titleFrom;
        const isGivenByIt = from === undefined || (from.kind === "question" && from.id === id);
        if (before === undefined || !isGivenByIt) return before;
        return { ...before, ...nameOf(remaining) };
      }),

    /** Returns whether there is such a conversation. */
    rename: async (at: Thread, name: string): Promise<boolean> => {
      if ((await records.get(threadKey(at)))?.lastOrder === undefined) return false;
      await change(at, (before) => before && { ...before, title: titleOf(name), titleFrom: { kind: "person" } });
      return true;
    },

    remove: async (at: Thread): Promise<void> => {
      await records.delete(threadKey(at));
      // Last: until then the list finds it, and removes it again.
      await listing.drop(at);
      onChange({ type: "conversation-removed", channel: at.channel, thread: at.thread });
    },
  };
}

const begunBy = (personId: string | undefined) => (personId === undefined ? {} : { begunBy: personId });

/** A title that questions leave as it is. One of an earlier version that begins with "/" came from a command. */
function isNamed(before: ConversationSummary | undefined): boolean {
  if (before === undefined) return false;
  const { titleFrom: from, title } = before;
  return from === undefined ? !title.startsWith("/") : from.kind !== "reply";
}

function namedAfter(message: ConsoleMessage, before: ConversationSummary | undefined, textBefore?: string): Named {
  if (before === undefined) return nameOf([message]);
  const kept = present({ title: before.title, titleFrom: before.titleFrom });
  const title = message.author === "you" ? messageTitle(message) : undefined;
  const from = before.titleFrom;
  const wasGivenByIt =
    from === undefined
      ? textBefore !== undefined && titleOf(textBefore) === before.title
      : from.kind === "question" && from.id === message.id;
  if (title === undefined || (isNamed(before) && !wasGivenByIt)) return kept;
  return { title, titleFrom: { kind: "question", id: message.id } };
}

function nameOf(messages: readonly ConsoleMessage[]): Named {
  for (const message of messages) {
    const title = message.author === "you" ? messageTitle(message) : undefined;
    if (title !== undefined) return { title, titleFrom: { kind: "question", id: message.id } };
  }
  const [first] = messages;
  const said =
    first?.author === "parley" ? first.payload.summary : first?.author === "parley-file" ? first.file.name : "";
  return { title: titleOf(said), titleFrom: { kind: "reply" } };
}
