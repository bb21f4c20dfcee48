/**
 * The page's state, without any drawing. Messages arrive from two sides, reads and events, in any order, so the higher
 * revision wins. Subscribers are called once for several changes.
 */
import type { Role } from "../../../src/core/model/place.ts";
import type { Thumb } from "../../../src/core/model/turn.ts";
import type { ListedChannel } from "../channels/channels.ts";
import type { ConversationList, ReadMessage } from "../conversations/conversation-routes.ts";
import type { Listed } from "../conversations/listing.ts";
import type { Thread } from "../conversations/thread-key.ts";
import type { CommandDescription } from "../intake/command-list.ts";
import type { ConsolePayload, ConversationSummary, PageEvent } from "../writing/messages.ts";
import type { OutboxEntry } from "./connection/outbox.ts";
import { createKeptNotes, type Note, type ShownNote } from "./conversations/kept-notes.ts";

/** A conversation, or without a thread the place where a new one begins. */
export type Where = { readonly channel: string; readonly thread?: string | undefined };

export const isThread = (where: Where): where is Thread => where.thread !== undefined;

export const threadKey = ({ channel, thread }: Where): string => `${channel}/${thread}`;

type Stored = { message: ReadMessage; readonly arrival: number };

/** What may be changed directly is read from the address or the server, and is followed by `changed()`. */
export type State = {
  channels: readonly ListedChannel[];
  /** channel -> what its empty conversation shows. */
  readonly firstViews: Map<string, ConsolePayload>;
  commands: readonly CommandDescription[];
  /** threadKey -> summary. */
  conversations: Map<string, ConversationSummary>;
  /** Where "Show earlier" continues; undefined: everything is here. */
  next: string | undefined;
  /** threadKeys of the conversations this person pinned, the newest pin first. */
  pinned: readonly string[];
  you: { readonly id: string; readonly role: Role | "nobody" };
  /** threadKeys of conversations in which an answer ended that no tab has shown. */
  unread: ReadonlySet<string>;
  /** threadKey -> id -> message. */
  readonly threads: Map<string, Map<string, Stored>>;
  /** threadKey -> id -> note. */
  readonly notes: Map<string, Map<string, ShownNote>>;
  /** id -> sent, but not confirmed yet. */
  readonly pending: Map<string, OutboxEntry>;
  current: Where & { readonly messageId?: string | undefined };
  isRead: boolean;
  /** threadKeys of addresses that lead nowhere. */
  readonly gone: Set<string>;
  /** Threads that were read at least once. */
  readonly readThreads: Set<string>;
};

export type Store = ReturnType<typeof createState>;

export function createState() {
  const listeners = new Set<(state: State) => void>();
  let isScheduled = false;
  // Counts arrivals, so that reading a thread or the list does not undo what arrived during the read.
  let arrivals = 0;
  /** threadKey -> its last arrival or removal, since the list was read. */
  const listArrivals = new Map<string, number>();
  let pinsArrival = 0;

  const state: State = {
    channels: [{ id: "general", name: "general" }],
    firstViews: new Map(),
    commands: [],
    conversations: new Map(),
    next: undefined,
    pinned: [],
    you: { id: "you", role: "ask" },
    unread: new Set(),
    threads: new Map(),
    notes: new Map(),
    pending: new Map(),
    current: { channel: "general", thread: undefined, messageId: undefined },
    isRead: false,
    gone: new Set(),
    readThreads: new Set(),
  };

  function changed(): void {
    if (isScheduled) return;
    isScheduled = true;
    queueMicrotask(() => {
      isScheduled = false;
      for (const listener of listeners) listener(state);
    });
  }

  const thread = (at: Where): Map<string, Stored> => {
    const key = threadKey(at);
    const known = state.threads.get(key) ?? new Map<string, Stored>();
    state.threads.set(key, known);
    return known;
  };

  function putMessage(message: ReadMessage): void {
    const messages = thread(message);
    arrivals += 1;
    const before = messages.get(message.id)?.message;
    if ((before?.revision ?? 0) <= message.revision) {
      // Only a read says how this browser voted; null: not at all.
      const vote = message.vote === undefined ? before?.vote : message.vote;
      messages.set(message.id, { message: withVote(message, vote), arrival: arrivals });
    }
    state.pending.get(message.id)?.arrived();
  }

  const keptNotes = createKeptNotes(state.notes);

  function putNote(note: Note): void {
    const key = threadKey(note);
    const notes = state.notes.get(key) ?? new Map<string, ShownNote>();
    state.notes.set(key, notes);
    const before = notes.get(note.id);
    if (note.payload === undefined && note.command === undefined) notes.delete(note.id);
    else notes.set(note.id, { after: newestOrder(note), ...before, ...note });
    keptNotes.changed();
  }

  /** Order of a thread's newest message, so that a note stays where it arrived. */
  function newestOrder(at: Where): string {
    return [...thread(at).values()].reduce(
      (newest, { message }) => (message.order > newest ? message.order : newest),
      "",
    );
  }

  return {
    state,
    changed,
    subscribe: (listener: (state: State) => void) => void listeners.add(listener),
    putNote: (note: Note) => {
      putNote(note);
      changed();
    },
    /** This browser has voted on an answer, or taken its vote back (null). */
    vote: (at: Thread & { readonly id: string }, vote: Thumb | null) => {
      const known = thread(at).get(at.id);
      if (known !== undefined) known.message = withVote(known.message, vote);
      changed();
    },
    /** A decision of a note was made. */
    notePressed: (note: ShownNote, key: string, answerId: string) => {
      const known = state.notes.get(threadKey(note));
      const now = known?.get(note.id);
      if (now !== undefined) known?.set(note.id, { ...now, pressed: { ...now.pressed, [key]: answerId } });
      keptNotes.changed();
      changed();
    },
    hasNote: (at: Where, id: string) => state.notes.get(threadKey(at))?.get(id)?.payload !== undefined,
    dropNote: (at: Where, id: string) => {
      state.notes.get(threadKey(at))?.delete(id);
      keptNotes.changed();
      changed();
    },
    /** Take this before reading a thread or the list, and pass it to `readThread` or `readList`. */
    arrivalsNow: () => arrivals,
    /** Replaces a thread with the server's copy of it. */
    readThread: (at: Thread, messages: readonly ReadMessage[], since: number) => {
      const known = thread(at);
      const ids = new Set(messages.map((message) => message.id));
      for (const [id, { arrival }] of known) if (!ids.has(id) && arrival <= since) known.delete(id);
      for (const message of messages) putMessage(message);
      state.readThreads.add(threadKey(at));
      state.gone.delete(threadKey(at));
      changed();
    },
    /** The server doesn't know that conversation, or doesn't show it to this person. */
    noteGone: (at: Thread) => {
      state.gone.add(threadKey(at));
      state.readThreads.add(threadKey(at));
      changed();
    },
    readFirstView: (channel: string, payload: ConsolePayload) => {
      state.firstViews.set(channel, payload);
      changed();
    },
    /** What arrived after `since` is newer than the list, which was being read. */
    readList: (
      { channels, conversations, pinned, you, next }: Omit<ConversationList, "notifyAfterMs">,
      since: number,
    ) => {
      keptNotes.restore(you.id);
      const pins = pinsArrival > since ? state.pinned : pinned.map(threadKey);
      Object.assign(state, { channels, you, next, pinned: pins, isRead: true });
      const all = new Map([...pinned, ...conversations].map((conversation) => [threadKey(conversation), conversation]));
      for (const [key, arrival] of listArrivals) {
        const arrived = state.conversations.get(key);
        if (arrival <= since) listArrivals.delete(key);
        else if (arrived !== undefined) all.set(key, arrived);
        else all.delete(key);
      }
      state.conversations = all;
      changed();
    },
    readEarlier: ({ conversations, next }: Listed) => {
      state.next = next;
      for (const conversation of conversations) state.conversations.set(threadKey(conversation), conversation);
      changed();
    },
    /** Drops threads that are not shown; opening one reads it again. */
    forgetOthers: (at: Where) => {
      for (const key of state.threads.keys()) {
        if (key !== threadKey(at)) {
          state.threads.delete(key);
          state.readThreads.delete(key);
        }
      }
    },
    receive: (event: PageEvent) => {
      switch (event.type) {
        case "message":
          putMessage(event.message);
          break;
        case "removed":
          thread(event).delete(event.id);
          break;
        case "conversation":
          listArrivals.set(threadKey(event.conversation), ++arrivals);
          state.conversations.set(threadKey(event.conversation), event.conversation);
          state.gone.delete(threadKey(event.conversation));
          break;
        case "conversation-removed":
          listArrivals.set(threadKey(event), ++arrivals);
          state.conversations.delete(threadKey(event));
          state.threads.delete(threadKey(event));
          state.notes.delete(threadKey(event));
          keptNotes.changed();
          state.gone.add(threadKey(event));
          state.pinned = state.pinned.filter((key) => key !== threadKey(event));
          break;
        case "pinned": {
          pinsArrival = ++arrivals;
          const others = state.pinned.filter((key) => key !== threadKey(event));
          state.pinned = event.isPinned ? [threadKey(event), ...others] : others;
          break;
        }
        case "note":
          putNote(event.note);
          break;
      }
      changed();
    },
  };
}

/** Without a vote where nobody can vote. */
function withVote(message: ReadMessage, vote: Thumb | null | undefined): ReadMessage {
  return vote === undefined ? message : { ...message, vote };
}
