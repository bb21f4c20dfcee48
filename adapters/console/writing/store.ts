/**
 * Stores messages and conversations in the KeyValue that is passed in, so history survives a reload and a restart.
 * Nothing is held in memory, so idle conversations cost none. Every change increments the message's revision.
 */
import { randomUUID } from "node:crypto";
import type { Tone } from "../../../src/core/document.ts";
import type { Clock } from "../../../src/core/ports/clock.ts";
import type { CollectionFactory } from "../../../src/core/ports/collection.ts";
import type { Log } from "../../../src/core/ports/log.ts";
import type { Coordinator, KeyValueFactory } from "../../../src/core/ports/state.ts";
import { cleanText } from "../../../src/presentation/drawing.ts";
import { conversationsIn, createListing } from "../conversations/listing.ts";
import { createTexts } from "../conversations/texts.ts";
import { type Thread, threadKey } from "../conversations/thread-key.ts";
import { questionTitle } from "../conversations/titles.ts";
import { workspaceName as workspace } from "../intake/inbound.ts";
import { goingMs, orderReserveMs } from "../limits.ts";
import { alone } from "./alone.ts";
import type {
  AttachedFile,
  Author,
  ConsoleMark,
  ConsoleMessage,
  ConsolePayload,
  PageEvent,
  SharedFile,
} from "./messages.ts";
import { createSummaries, type Noted } from "./summaries.ts";

type StoredFile = {
  readonly name: string;
  readonly content: string;
  readonly mediaType: string;
  readonly channel: string;
};

export type ConsoleStoreOptions = {
  readonly keyValue: KeyValueFactory;
  readonly collection: CollectionFactory;
  readonly coordinator: Pick<Coordinator, "lease">;
  readonly clock: Clock;
  readonly log: Log;
  /** Ms after which messages expire; absent: never. */
  readonly retentionMs?: number;
  /** Removes files that people attached. */
  readonly removeFiles: (files: readonly AttachedFile[]) => Promise<void>;
  /** Called after every change is stored. */
  readonly onChange: (event: PageEvent) => void;
};

export type ConsoleStore = ReturnType<typeof createConsoleStore>;

const messageKey = (at: Thread, id: string) => `${threadKey(at)}/${encodeURIComponent(id)}`;

const inProgress: ReadonlySet<Tone> = new Set(["running", "waiting"]);

const filesOf = (files: readonly AttachedFile[]) => ({ files: files.length === 0 ? undefined : files });

export function createConsoleStore(options: ConsoleStoreOptions) {
  const { clock, retentionMs, removeFiles, onChange } = options;
  const messages = options.keyValue<ConsoleMessage>("console-messages");
  const records = conversationsIn(options);
  const going = options.keyValue<true>("console-going");
  const listing = createListing(records);
  const isGoing = async (at: Thread) => (await going.get(threadKey(at))) === true;
  const messagesOf = (at: Thread) => list(at);
  const summaries = createSummaries({ ...options, records, isGoing, messagesOf });
  const files = options.keyValue<StoredFile>("console-files");
  const counter = options.keyValue<number>("console-order");

  let lastOrder = 0;
  let reservedUpTo = 0;
  /**
   * Microseconds since 1970, strictly growing, even across restarts and clocks that were set back. Each instance counts
   * for itself; within a thread the order also grows across instances.
   */
  async function nextOrder(at?: Thread): Promise<string> {
    // A concurrent call may have counted further by the time this is read.
    if (lastOrder === 0) lastOrder = Math.max((await counter.get(`${workspace}/order`)) ?? 0, lastOrder);
    const known = at === undefined ? undefined : await summaries.get(at);
    lastOrder = Math.max(lastOrder + 1, clock.now() * 1000, Number(known?.lastOrder ?? 0) + 1);
    const order = lastOrder;
    if (order >= reservedUpTo) {
      reservedUpTo = order + orderReserveMs * 1000;
      await counter.set(`${workspace}/order`, reservedUpTo);
    }
    return String(order).padStart(20, "0");
  }

  const texts = createTexts({ ...options, summaryOf: summaries.get, messagesOf, repair: summaries.repair });

  /** `isNews`: it says something that can be searched for now. */
  async function write(message: ConsoleMessage, noted: Noted = {}, isNews = true): Promise<void> {
    const follow = isNews ? await texts.note(message) : undefined;
    await messages.set(messageKey(message, message.id), message, retentionMs);
    onChange({ type: "message", message });
    await summaries.noteMessage(message, noted);
    follow?.();
  }

  /** What each version of a message has; a later version keeps order and time. */
  async function headOf({ channel, thread }: Thread, id: string, existing: ConsoleMessage | undefined) {
    const order = existing?.order ?? (await nextOrder({ channel, thread }));
    const atMs = existing?.atMs ?? clock.now();
    const revision = (existing?.revision ?? 0) + 1;
    return { version: 1 as const, id, order, channel, thread, atMs, revision };
  }

  const get = (at: Thread, id: string) => messages.get(messageKey(at, id));

  async function list(at: Thread): Promise<readonly ConsoleMessage[]> {
    const found: ConsoleMessage[] = [];
    for await (const [, message] of messages.entries(`${threadKey(at)}/`)) found.push(message);
    return found.sort((a, b) => (a.order < b.order ? -1 : 1));
  }

  async function removeMessage(at: Thread, id: string, message: ConsoleMessage | undefined): Promise<void> {
    if (message?.author === "you" && message.files !== undefined) await removeFiles(message.files);
    if (message?.author === "parley-file") await files.delete(`${workspace}/${message.file.id}`);
    await messages.delete(messageKey(at, id));
    onChange({ type: "removed", ...at, id });
  }

  /** An edit that has read its message must not bring it back after it was deleted. */
  const withMessage = <T>(at: Thread, id: string, work: () => Promise<T>): Promise<T> =>
    alone(`message/${messageKey(at, id)}`, options, work);

  return {
    nextOrder,
    get,
    list,

    /** Stores a person's message. A retry with the same id returns the same message, with its first order. */
    async putQuestion(
      at: Thread,
      id: string,
      text: string,
      by: Author,
      attached: readonly AttachedFile[] = [],
    ): Promise<ConsoleMessage> {
      const existing = await get(at, id);
      const head = await headOf(at, id, existing);
      const message: ConsoleMessage = existing ?? {
        ...head,
        author: "you",
        by,
        text,
        isEdited: false,
        ...filesOf(attached),
      };
      const personId = by.id;
      // A retry continues where a crash ended the first one.
      if (existing === undefined) await write(message, { personId });
      else await summaries.noteMessage(existing, { personId });
      return message;
    },

    /** Changes a person's message. Undefined if it is gone or isn't a person's. */
    changeText: (at: Thread, id: string, text: string): Promise<ConsoleMessage | undefined> =>
      withMessage(at, id, async () => {
        const message = await get(at, id);
        if (message?.author !== "you") return undefined;
        const changed = { ...message, text, isEdited: true, revision: message.revision + 1 };
        await write(changed);
        return changed;
      }),

    /** Creates or replaces Parley's message with that mark. */
    async putOwn(at: Thread, id: string, payload: ConsolePayload, mark: ConsoleMark): Promise<void> {
      const existing = await get(at, id);
      const head = await headOf(at, id, existing);
      const before = existing?.author === "parley" ? existing : undefined;
      const wasInProgress = before !== undefined && inProgress.has(before.payload.tone);
      const isInProgress = inProgress.has(payload.tone);
      const nowMs = clock.now();
      // Asked again, an answer that had ended begins again.
      const begunAtMs = before === undefined || (isInProgress && !wasInProgress) ? nowMs : before.begunAtMs;
      const message = { ...head, author: "parley" as const, payload, mark, begunAtMs };
      // A later change of what has ended, such as a pressed thumb, is no news.
      const isEnd = !isInProgress && (before === undefined || wasInProgress);
      if (!isEnd) return write(message, {}, false);
      // Another instance, whose clock is ahead, may have begun it.
      const tookMs = Math.max(0, nowMs - begunAtMs);
      await write(message, { ending: { atMs: nowMs, tookMs, tone: payload.tone } });
    },

    /** Returns the id of the file's message. A part of a Reply has a fixed id, so storing it again is idempotent. */
    async putFile(
      at: Thread,
      file: Omit<StoredFile, "channel">,
      part?: { id: string; mark: ConsoleMark },
    ): Promise<string> {
      const existing = part === undefined ? undefined : await get(at, part.id);
      const fileId = existing?.author === "parley-file" ? existing.file.id : randomUUID();
      await files.set(`${workspace}/${fileId}`, { ...file, channel: at.channel }, retentionMs);
      const id = part?.id ?? `file-${fileId}`;
      const shared: SharedFile = { id: fileId, name: cleanText(file.name), sizeBytes: Buffer.byteLength(file.content) };
      const head = await headOf(at, id, existing);
      await write({ ...head, author: "parley-file", file: shared, mark: part?.mark });
      return id;
    },

    getFile: (id: string) => files.get(`${workspace}/${id}`),

    /** Idempotent. Removing its last message also removes the conversation. */
    remove: (at: Thread, id: string): Promise<void> =>
      withMessage(at, id, async () => {
        const follow = await texts.note(at);
        await removeMessage(at, id, await get(at, id));
        await summaries.noteRemoved(at, id);
        follow();
      }),

    /** Removes the conversation with all its messages and files. Idempotent. */
    async removeAll(at: Thread): Promise<void> {
      const follow = await texts.note(at);
      for (const message of await list(at)) await removeMessage(at, message.id, message);
      await summaries.remove(at);
      await texts.remove(at);
      // What was being written meanwhile is removed again.
      follow();
    },

    /** Until `gone`, what is still written there creates no record. */
    going: (at: Thread): Promise<void> => going.set(threadKey(at), true, goingMs),

    /** From the list at once; its messages follow. Until `removeAll` nothing lists it again. */
    async hide(at: Thread): Promise<void> {
      await going.set(threadKey(at), true, goingMs);
      await texts.remove(at);
      await summaries.remove(at);
    },

    /** It is deleted, and its address may be used again. What was being written there meanwhile is listed. */
    async gone(at: Thread): Promise<void> {
      await going.delete(threadKey(at));
      await summaries.repair(at);
    },
    isGoing,

    summary: summaries.get,
    async noteAsked(at: Thread, id: string, text: string, personId: string): Promise<void> {
      const title = questionTitle(text);
      if (title !== undefined) await summaries.noteAsked(at, id, title, { personId, order: await nextOrder(at) });
    },
    async rename(at: Thread, name: string, personId: string): Promise<boolean> {
      const follow = await texts.note(at);
      const isThere = await summaries.rename(at, name, personId);
      follow();
      return isThere;
    },

    /** Idempotent. */
    async forgetName(at: Thread, personId: string): Promise<void> {
      const follow = await texts.note(at);
      await summaries.forgetName(at, personId);
      follow();
    },

    pin: summaries.pin,
    leave: summaries.leave,
    listing,
    texts,
  };
}
