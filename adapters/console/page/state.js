/**
 * The page's state, without any drawing. Messages arrive from two sides, reads and events, in any order, so the higher
 * revision wins. Subscribers are called once for several changes.
 */
import { createKeptNotes } from "./conversations/kept-notes.js";

export const threadKey = ({ channel, thread }) => `${channel}/${thread}`;

export function createState() {
  const listeners = new Set();
  let isScheduled = false;
  // Counts arrivals, so that reading a thread or the list does not undo what arrived during the read.
  let arrivals = 0;
  /** threadKey -> its last arrival or removal, since the list was read. */
  const listArrivals = new Map();
  let pinsArrival = 0;

  const state = {
    /** Who reads this page, as the server says. */
    me: undefined,
    /** `{ id, name, isPrivate }`. */
    channels: [{ id: "general", name: "general" }],
    /** channel -> what its empty conversation shows. */
    firstViews: new Map(),
    commands: [],
    /** threadKey -> summary. */
    conversations: new Map(),
    /** Where "Show earlier" continues; undefined: everything is here. */
    next: undefined,
    /** threadKeys of the conversations this person pinned, the newest pin first. */
    pinned: [],
    /** `{ id, role }` of the person. */
    you: { id: "you", role: "ask" },
    /** threadKeys of conversations in which an answer ended that no tab has shown. */
    unread: new Set(),
    /** threadKey -> Map(id -> { message, arrival }). */
    threads: new Map(),
    /** threadKey -> Map(id -> note): private answers, and the commands that were typed. */
    notes: new Map(),
    /** id -> sent, but not confirmed yet. */
    pending: new Map(),
    current: { channel: "general", thread: undefined, messageId: undefined },
    isRead: false,
    /** threadKeys of addresses that lead nowhere. */
    gone: new Set(),
    /** Threads that were read at least once. */
    readThreads: new Set(),
  };

  function changed() {
    if (isScheduled) return;
    isScheduled = true;
    queueMicrotask(() => {
      isScheduled = false;
      for (const listener of listeners) listener(state);
    });
  }

  const thread = (at) => {
    const key = threadKey(at);
    const known = state.threads.get(key);
    if (known !== undefined) return known;
    state.threads.set(key, new Map());
    return state.threads.get(key);
  };

  function putMessage(message) {
    const messages = thread(message);
    arrivals += 1;
    const before = messages.get(message.id)?.message;
    if ((before?.revision ?? 0) <= message.revision) {
      // Only a read says how this browser voted; null: not at all.
      const vote = message.vote === undefined ? before?.vote : message.vote;
      messages.set(message.id, { message: { ...message, vote }, arrival: arrivals });
    }
    state.pending.get(message.id)?.arrived();
  }

  const keptNotes = createKeptNotes(state.notes);

  function putNote(note) {
    const key = threadKey(note);
    const notes = state.notes.get(key) ?? new Map();
    state.notes.set(key, notes);
    const before = notes.get(note.id);
    if (note.payload === undefined && note.command === undefined) notes.delete(note.id);
    else notes.set(note.id, { after: newestOrder(note), ...before, ...note });
    keptNotes.changed();
  }

  /** Order of a thread's newest message, so that a note stays where it arrived. */
  function newestOrder(at) {
    return [...thread(at).values()].reduce(
      (newest, { message }) => (message.order > newest ? message.order : newest),
      "",
    );
  }

  return {
    state,
    changed,
    subscribe: (listener) => listeners.add(listener),
    putNote: (note) => {
      putNote(note);
      changed();
    },
    /** This browser has voted on an answer, or taken its vote back (null). */
    vote: (at, vote) => {
      const known = thread(at).get(at.id);
      if (known !== undefined) known.message = { ...known.message, vote };
      changed();
    },
    hasNote: (at, id) => state.notes.get(threadKey(at))?.get(id)?.payload !== undefined,
    dropNote: (at, id) => {
      state.notes.get(threadKey(at))?.delete(id);
      keptNotes.changed();
      changed();
    },
    /** Take this before reading a thread or the list, and pass it to `readThread` or `readList`. */
    arrivalsNow: () => arrivals,
    /** Replaces a thread with the server's copy of it. */
    readThread: (at, messages, since) => {
      const known = thread(at);
      const ids = new Set(messages.map((message) => message.id));
      for (const [id, { arrival }] of known) if (!ids.has(id) && arrival <= since) known.delete(id);
      for (const message of messages) putMessage(message);
      state.readThreads.add(threadKey(at));
      state.gone.delete(threadKey(at));
      changed();
    },
    /** The server doesn't know that conversation, or doesn't show it to this person. */
    noteGone: (at) => {
      state.gone.add(threadKey(at));
      state.readThreads.add(threadKey(at));
      changed();
    },
    readFirstView: (channel, payload) => {
      state.firstViews.set(channel, payload);
      changed();
    },
    /** What arrived after `since` is newer than the list, which was being read. */
    readList: ({ channels, conversations, pinned, you, next }, since) => {
      keptNotes.restore(you.id);
      const pins = pinsArrival > since ? state.pinned : pinned.map(threadKey);
      Object.assign(state, { channels, you, next, pinned: pins, isRead: true });
      const all = new Map([...pinned, ...conversations].map((conversation) => [threadKey(conversation), conversation]));
      for (const [key, arrival] of listArrivals) {
        if (arrival <= since) listArrivals.delete(key);
        else if (state.conversations.has(key)) all.set(key, state.conversations.get(key));
        else all.delete(key);
      }
      state.conversations = all;
      changed();
    },
    readEarlier: ({ conversations, next }) => {
      state.next = next;
      for (const conversation of conversations) state.conversations.set(threadKey(conversation), conversation);
      changed();
    },
    /** Drops threads that are not shown; opening one reads it again. */
    forgetOthers: (at) => {
      for (const key of state.threads.keys()) {
        if (key !== threadKey(at)) {
          state.threads.delete(key);
          state.readThreads.delete(key);
        }
      }
    },
    receive: (event) => {
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
