/** Keeps one record per conversation for the list: its title, its newest message, the last end of an answer. */
import { isDeepStrictEqual } from "node:util";
import { ParleyError } from "../../../src/core/errors.ts";
import type { Clock } from "../../../src/core/ports/clock.ts";
import type { Coordinator, Lease } from "../../../src/core/ports/state.ts";
import { type Conversations, type StoredConversation, shownOf } from "../conversations/listing.ts";
import { type Thread, threadKey } from "../conversations/thread-key.ts";
import { messageTitle, titleOf } from "../conversations/titles.ts";
import { alone as aloneOverAll } from "./alone.ts";
import type { ConsoleMessage, ConversationSummary, Ending, PageEvent, TitleFrom } from "./messages.ts";

type Named = Pick<ConversationSummary, "title" | "titleFrom">;

/** What a change of a message says besides: who wrote it, the end of an answer if it is one. */
export type Noted = { readonly personId?: string; readonly ending?: Ending };

export function createSummaries(deps: {
  readonly records: Conversations;
  readonly onChange: (event: PageEvent) => void;
  /** Whether it is being deleted: what is still written there creates no record. */
  readonly isGoing: (at: Thread) => Promise<boolean>;
  readonly messagesOf: (at: Thread) => Promise<readonly ConsoleMessage[]>;
  readonly coordinator: Pick<Coordinator, "lease">;
  readonly clock: Clock;
}) {
  const { records, onChange } = deps;

  type Change = (before: StoredConversation | undefined) => StoredConversation | undefined;

  const stored = async (at: Thread): Promise<StoredConversation | undefined> =>
    (await records.get(threadKey(at)))?.record;

  /** What one instance reads before it writes, no other one may change in between: simultaneous changes lose a title. */
  const alone = <T>(at: Thread, work: (lease: Pick<Lease, "isCurrent">) => Promise<T>): Promise<T> =>
    aloneOverAll(`conversation/${threadKey(at)}`, deps, work);

  async function put(
    before: StoredConversation | undefined,
    after: StoredConversation,
    { isCurrent }: Pick<Lease, "isCurrent">,
  ): Promise<void> {
    // After a long stall another instance may have changed it.
    if (!isCurrent()) throw new ParleyError("state_unavailable");
    await records.put(threadKey(after), after);
    const conversation = shownOf(after);
    const isShown = after.lastOrder !== undefined && !isDeepStrictEqual(before && shownOf(before), conversation);
    if (isShown) onChange({ type: "conversation", conversation });
  }

  async function remove(at: Thread): Promise<void> {
    await records.delete(threadKey(at));
    onChange({ type: "conversation-removed", channel: at.channel, thread: at.thread });
  }

  const isSame = (before: StoredConversation | undefined, after: StoredConversation | undefined) =>
    after === undefined || isDeepStrictEqual(before, after);

  /** Returns the record as it is afterwards. */
  async function change(at: Thread, to: Change): Promise<StoredConversation | undefined> {
    const known = await stored(at);
    // Most edits of a running answer change nothing here.
    if (isSame(known, to(known))) return known;
    return alone(at, async (lease) => {
      const before = await stored(at);
      const after = to(before);
      if (after === undefined || isSame(before, after)) return before;
      if (before === undefined && (await deps.isGoing(at))) return undefined;
      await put(before, after, lease);
      return after;
    });
  }

  return {
    get: async (at: Thread): Promise<ConversationSummary | undefined> => {
      const found = await stored(at);
      return found === undefined ? undefined : shownOf(found);
    },

    /** A message was stored. */
    noteMessage: (message: ConsoleMessage, about: Noted = {}) =>
      change(message, (before) => noted(before, message, about)),

    /** What a process that died has left: the record follows the messages. */
    repair: (at: Thread): Promise<void> =>
      alone(at, async (lease) => {
        if (await deps.isGoing(at)) return;
        const before = await stored(at);
        const messages = await deps.messagesOf(at);
        if (messages.length === 0 && before?.lastOrder !== undefined) return remove(at);
        let after = before;
        for (const message of messages) after = noted(after, message, { personId: writerOf(message) });
        if (after !== undefined && !isSame(before, after)) await put(before, after, lease);
        return undefined;
      }),

    /** `/ask` opens a thread: it is listed once it has a message. */
    noteAsked: (at: Thread, id: string, title: string, { personId, order }: AskedBy) =>
      change(at, (before) => {
        if (before !== undefined && isNamed(before)) return withWriter(before, personId);
        const empty = { version: 1, channel: at.channel, thread: at.thread, ...begunBy(personId) } as const;
        const asked = { ...(before ?? empty), title, titleFrom: { kind: "question", id }, askedOrder: order } as const;
        return withWriter(asked, personId);
      }),

    pin: (at: Thread, personId: string, isPinned: boolean, atMs: number) =>
      change(at, (before) => {
        if (before === undefined) return undefined;
        const others = (before.pins ?? []).filter(({ actorId }) => actorId !== personId);
        if (!isPinned && others.length === (before.pins ?? []).length) return before;
        return { ...before, pins: isPinned ? [...others, { actorId: personId, atMs }] : others };
      }),

    /** Removes that person from its writers and pins. */
    leave: async (at: Thread, personId: string): Promise<void> => {
      const isOther = ({ actorId }: { readonly actorId: string }) => actorId !== personId;
      await change(at, (before) => {
        if (before === undefined) return undefined;
        const { writers = [], pins = [] } = before;
        return { ...before, writers: writers.filter(isOther), pins: pins.filter(isOther) };
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
        const before = await stored(at);
        const from = before?.titleFrom;
        const isGivenByIt = from?.kind === "question" && from.id === id;
        if (before !== undefined && isGivenByIt) await put(before, { ...before, ...nameOf([first, ...others]) }, lease);
        return undefined;
      }),

    /** What that person called it, or asked with `/ask`, is gone: its title is what others asked or what Parley says. */
    forgetName: (at: Thread, personId: string): Promise<void> =>
      alone(at, async (lease) => {
        const before = await stored(at);
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
      const isListed = (before: StoredConversation | undefined) => before?.lastOrder !== undefined;
      const after = await change(at, (before) =>
        before !== undefined && isListed(before) ? { ...before, title: titleOf(name), titleFrom } : before,
      );
      return isListed(after);
    },

    remove: (at: Thread): Promise<void> => alone(at, () => remove(at)),
  };
}

/** `order`: of what they typed. */
export type AskedBy = { readonly personId: string; readonly order: string };

function withWriter(record: StoredConversation, personId: string | undefined): StoredConversation {
  const { writers = [] } = record;
  const isKnown = personId === undefined || writers.some(({ actorId }) => actorId === personId);
  return isKnown ? record : { ...record, writers: [...writers, { actorId: personId }] };
}

function noted(
  before: StoredConversation | undefined,
  message: ConsoleMessage,
  { personId, ending }: Noted,
): StoredConversation {
  const { channel, thread, order, atMs } = message;
  const tone = message.author === "parley" ? { tone: message.payload.tone } : {};
  const after = {
    ...(before ?? { version: 1, channel, thread, ...begunBy(personId) }),
    ...namedAfter(message, before),
    ...tone,
    ...(ending === undefined
      ? {}
      : { ended: { ...ending, atMs: Math.max(ending.atMs, (before?.ended?.atMs ?? 0) + 1) } }),
    ...(before?.lastOrder === undefined || before.lastOrder < order ? { lastOrder: order, lastAtMs: atMs } : {}),
  };
  return withWriter(after, personId);
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
