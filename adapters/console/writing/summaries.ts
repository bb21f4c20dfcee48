/** Keeps one record per conversation for the list: its title, its newest message, the last end of an answer. */
import { isDeepStrictEqual } from "node:util";
import { ParleyError } from "../../../src/core/errors.ts";
import type { Clock } from "../../../src/core/ports/clock.ts";
import type { Coordinator, KeyValue, Lease } from "../../../src/core/ports/state.ts";
import type { Listing } from "../conversations/listing.ts";
import { type Thread, threadKey } from "../conversations/thread-key.ts";
import { messageTitle, questionTitle, titleOf } from "../conversations/titles.ts";
import { alone as aloneOverAll } from "./alone.ts";
import type { ConsoleMessage, ConversationSummary, Ending, PageEvent, TitleFrom } from "./messages.ts";

type Named = Pick<ConversationSummary, "title" | "titleFrom">;

/** What a change of a message says besides: who wrote it, the end of an answer if it is one. */
export type Noted = { readonly personId?: string; readonly ending?: Ending };

export function createSummaries(deps: {
  readonly records: KeyValue<ConversationSummary>;
  readonly listing: Pick<Listing, "rank" | "drop">;
  readonly retentionMs?: number;
  readonly onChange: (event: PageEvent) => void;
  /** Whether it is being deleted: what is still written there creates no record. */
  readonly isGoing: (at: Thread) => Promise<boolean>;
  readonly messagesOf: (at: Thread) => Promise<readonly ConsoleMessage[]>;
  readonly coordinator: Pick<Coordinator, "lease">;
  readonly clock: Clock;
}) {
  const { records, listing, retentionMs, onChange } = deps;

  type Change = (before: ConversationSummary | undefined) => ConversationSummary | undefined;

  /** What one instance reads before it writes, no other one may change in between: simultaneous changes lose a title. */
  const alone = <T>(at: Thread, work: (lease: Pick<Lease, "isCurrent">) => Promise<T>): Promise<T> =>
    aloneOverAll(`conversation/${threadKey(at)}`, deps, work);

  async function put(
    before: ConversationSummary | undefined,
    after: ConversationSummary,
    { isCurrent }: Pick<Lease, "isCurrent">,
  ): Promise<void> {
    if (after.lastOrder !== undefined && after.lastOrder !== before?.lastOrder) await listing.rank(after);
    // After a long stall another instance may have changed it.
    if (!isCurrent()) throw new ParleyError("state_unavailable");
    await records.set(threadKey(after), after, retentionMs);
    if (after.lastOrder !== undefined) onChange({ type: "conversation", conversation: after });
  }

  async function remove(at: Thread): Promise<void> {
    await records.delete(threadKey(at));
    // Last: until then the list finds it, and removes it again.
    await listing.drop(at);
    onChange({ type: "conversation-removed", channel: at.channel, thread: at.thread });
  }

  const isSame = (before: ConversationSummary | undefined, after: ConversationSummary | undefined) =>
    after === undefined || isDeepStrictEqual(before, after);

  /** Returns the record as it is afterwards. */
  async function change(at: Thread, to: Change): Promise<ConversationSummary | undefined> {
    const known = await records.get(threadKey(at));
    // Most edits of a running answer change nothing here.
    if (isSame(known, to(known))) return known;
    return alone(at, async (lease) => {
      const before = await records.get(threadKey(at));
      const after = to(before);
      if (after === undefined || isSame(before, after)) return before;
      if (before === undefined && (await deps.isGoing(at))) return undefined;
      await put(before, after, lease);
      return after;
    });
  }

  return {
    get: (at: Thread) => records.get(threadKey(at)),

    /** A message was stored. */
    noteMessage: (message: ConsoleMessage, about: Noted = {}) =>
      change(message, (before) => noted(before, message, about)),

    /** What a process that died has left: the record follows the messages. */
    repair: (at: Thread): Promise<void> =>
      alone(at, async (lease) => {
        if (await deps.isGoing(at)) return;
        const before = await records.get(threadKey(at));
        const messages = await deps.messagesOf(at);
        if (messages.length === 0 && before?.lastOrder !== undefined) return remove(at);
        let after = before;
        for (const message of messages) after = noted(after, message, { personId: writerOf(message) });
        if (after !== undefined && !isSame(before, after)) await put(before, after, lease);
        return undefined;
      }),

    /** `/ask` opens a thread: it is listed once it has a message. */
    noteAsked: (at: Thread, id: string, text: string, personId?: string) => {
      const title = questionTitle(text);
      return change(at, (before) => {
        if (title === undefined || isNamed(before)) return before;
        const empty = { version: 1, channel: at.channel, thread: at.thread, ...begunBy(personId) } as const;
        return { ...(before ?? empty), title, titleFrom: { kind: "question", id } };
      });
    },

    /**
     * A message is gone: if it gave the title, the next question does, or what Parley says there. Without messages there
     * is no conversation.
     */
    noteRemoved: (at: Thread, id: string): Promise<void> =>
      alone(at, async (lease) => {
        const [first, ...others] = await deps.messagesOf(at);
        if (first === undefined) return remove(at);
        const before = await records.get(threadKey(at));
        const from = before?.titleFrom;
        const isGivenByIt = from?.kind === "question" && from.id === id;
        if (before !== undefined && isGivenByIt) await put(before, { ...before, ...nameOf([first, ...others]) }, lease);
        return undefined;
      }),

    /** What that person called it, or asked with `/ask`, is gone: its title is what others asked or what Parley says. */
    forgetName: (at: Thread, personId: string): Promise<void> =>
      alone(at, async (lease) => {
        const before = await records.get(threadKey(at));
        if (before === undefined) return;
        const [first, ...others] = await deps.messagesOf(at);
        if (first === undefined) return remove(at);
        const messages = [first, ...others] as const;
        if (isNameOf(before, personId, messages)) await put(before, { ...before, ...nameOf(messages) }, lease);
        return undefined;
      }),

    /** `personId`: who names it. Returns whether there is such a conversation. */
    rename: async (at: Thread, name: string, personId: string): Promise<boolean> => {
      const titleFrom: TitleFrom = { kind: "person", actorId: personId };
      const isListed = (before: ConversationSummary | undefined) => before?.lastOrder !== undefined;
      const after = await change(at, (before) =>
        before !== undefined && isListed(before) ? { ...before, title: titleOf(name), titleFrom } : before,
      );
      return isListed(after);
    },

    remove: (at: Thread): Promise<void> => alone(at, () => remove(at)),
  };
}

function noted(
  before: ConversationSummary | undefined,
  message: ConsoleMessage,
  { personId, ending }: Noted,
): ConversationSummary {
  const { channel, thread, order, atMs } = message;
  const tone = message.author === "parley" ? { tone: message.payload.tone } : {};
  return {
    ...(before ?? { version: 1, channel, thread, ...begunBy(personId) }),
    ...namedAfter(message, before),
    ...tone,
    ...(ending === undefined
      ? {}
      : { ended: { ...ending, atMs: Math.max(ending.atMs, (before?.ended?.atMs ?? 0) + 1) } }),
    ...(before?.lastOrder === undefined || before.lastOrder < order ? { lastOrder: order, lastAtMs: atMs } : {}),
  };
}

const writerOf = (message: ConsoleMessage) => (message.author === "you" ? message.by.id : undefined);

/** Whether that person named it, or began it with a question whose message is gone. */
function isNameOf(
  { titleFrom: from, begunBy: beginner }: ConversationSummary,
  personId: string,
  messages: readonly ConsoleMessage[],
): boolean {
  if (from.kind === "person") return from.actorId === personId;
  if (beginner !== personId || from.kind === "reply") return false;
  return !messages.some(({ id }) => id === from.id);
}

const begunBy = (personId: string | undefined) => (personId === undefined ? {} : { begunBy: personId });

/** A title that questions leave as it is. */
const isNamed = (before: ConversationSummary | undefined): boolean =>
  before !== undefined && before.titleFrom.kind !== "reply";

function namedAfter(message: ConsoleMessage, before: ConversationSummary | undefined): Named {
  if (before === undefined) return nameOf([message]);
  const { title: titleBefore, titleFrom: from } = before;
  // "Adding to handbook · 0 of 8 done" is true for a moment.
  const isOver = message.author === "parley" && message.payload.tone !== "running";
  if (isOver && from.kind === "reply" && from.id === message.id) return nameOf([message]);
  const title = message.author === "you" ? messageTitle(message) : undefined;
  const wasGivenByIt = from.kind === "question" && from.id === message.id;
  if (title === undefined || (isNamed(before) && !wasGivenByIt)) return { title: titleBefore, titleFrom: from };
  return { title, titleFrom: { kind: "question", id: message.id } };
}

function nameOf(messages: readonly [ConsoleMessage, ...ConsoleMessage[]]): Named {
  for (const message of messages) {
    const title = message.author === "you" ? messageTitle(message) : undefined;
    if (title !== undefined) return { title, titleFrom: { kind: "question", id: message.id } };
  }
  const [first] = messages;
  const said =
    first.author === "parley" ? first.payload.summary : first.author === "parley-file" ? first.file.name : "";
  return { title: titleOf(said), titleFrom: { kind: "reply", id: first.id } };
}
