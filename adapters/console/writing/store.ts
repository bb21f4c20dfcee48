/**
 * Stores messages and conversations in the KeyValue that is passed in, so history survives a reload and a restart.
 * Nothing is held in memory, so idle conversations cost none. Every change increments the message's revision.
 */
import { randomUUID } from "node:crypto";
import type { Clock } from "../../../src/ports/clock.ts";
import type { Tone } from "../../../src/ports/document.ts";
import type { KeyValueFactory } from "../../../src/ports/state.ts";
import { present } from "../../../src/ports/tools/present.ts";
import { cleanText } from "../../../src/presentation/drawing.ts";
import { maxTitleChars, orderReserveMs } from "../limits.ts";
import type {
  ConsoleMark,
  ConsoleMessage,
  ConsolePayload,
  ConversationSummary,
  Ending,
  PageEvent,
  SharedFile,
} from "./messages.ts";

type StoredFile = { readonly name: string; readonly content: string; readonly mediaType: string };
type Thread = { readonly channel: string; readonly thread: string };

export type ConsoleStoreOptions = {
  readonly keyValue: KeyValueFactory;
  readonly clock: Clock;
  /** Ms after which messages expire; absent: never. */
  readonly retentionMs?: number;
  /** Called after every change is stored. */
  readonly onChange: (event: PageEvent) => void;
};

export type ConsoleStore = ReturnType<typeof createConsoleStore>;

const workspace = "local";
const threadKey = ({ channel, thread }: Thread) => [workspace, channel, thread].map(encodeURIComponent).join("/");
const messageKey = (at: Thread, id: string) => `${threadKey(at)}/${encodeURIComponent(id)}`;

const inProgress: ReadonlySet<Tone> = new Set(["running", "waiting"]);

/** A question or command, on one line and short enough for the list. */
function titleOf(text: string): string {
  const line = cleanText(text)
    .replace(/^\s*\/ask\s+/, "")
    .trim()
    .replace(/\s+/g, " ");
  const characters = [...line];
  return characters.length <= maxTitleChars ? line : `${characters.slice(0, maxTitleChars - 1).join("")}…`;
}

export function createConsoleStore(options: ConsoleStoreOptions) {
  const { clock, retentionMs, onChange } = options;
  const messages = options.keyValue<ConsoleMessage>("console-messages");
  const conversations = options.keyValue<ConversationSummary>("console-conversations");
  const files = options.keyValue<StoredFile>("console-files");
  const counter = options.keyValue<number>("console-order");

  let lastOrder = 0;
  let reservedUpTo = 0;
  // A change reads a conversation record before it writes: one at a time, or simultaneous messages lose a title.
  let conversationWrites: Promise<unknown> = Promise.resolve();

  /**
   * Microseconds since 1970, strictly growing, even across restarts and clocks that were set back. Each instance counts
   * for itself; within a thread the order also grows across instances.
   */
  async function nextOrder(at?: Thread): Promise<string> {
    // A concurrent call may have counted further by the time this is read.
    if (lastOrder === 0) lastOrder = Math.max((await counter.get(`${workspace}/order`)) ?? 0, lastOrder);
    const known = at === undefined ? undefined : await conversations.get(threadKey(at));
    lastOrder = Math.max(lastOrder + 1, clock.now() * 1000, Number(known?.lastOrder ?? 0) + 1);
    const order = lastOrder;
    if (order >= reservedUpTo) {
      reservedUpTo = order + orderReserveMs * 1000;
      await counter.set(`${workspace}/order`, reservedUpTo);
    }
    return String(order).padStart(20, "0");
  }

  function changeConversation(
    at: Thread,
    change: (before: ConversationSummary | undefined) => ConversationSummary,
  ): Promise<void> {
    const write = conversationWrites.then(async () => {
      const before = await conversations.get(threadKey(at));
      const after = change(before);
      if (before !== undefined && JSON.stringify(before) === JSON.stringify(after)) return;
      await conversations.set(threadKey(at), after, retentionMs);
      if (after.lastOrder !== undefined) onChange({ type: "conversation", conversation: after });
    });
    conversationWrites = write.catch(() => undefined);
    return write;
  }

  async function write(message: ConsoleMessage, ending?: Ending): Promise<void> {
    await messages.set(messageKey(message, message.id), message, retentionMs);
    onChange({ type: "message", message });
    const tone = message.author === "parley" ? { tone: message.payload.tone } : {};
    await changeConversation(message, (before) => ({
      ...(before ?? {
        version: 1,
        channel: message.channel,
        thread: message.thread,
        title: titleOf(
          message.author === "you"
            ? message.text
            : message.author === "parley"
              ? message.payload.summary
              : message.file.name,
        ),
      }),
      ...tone,
      ...(ending === undefined
        ? {}
        : { ended: { ...ending, atMs: Math.max(ending.atMs, (before?.ended?.atMs ?? 0) + 1) } }),
      ...(before?.lastOrder === undefined || before.lastOrder < message.order
        ? { lastOrder: message.order, lastAtMs: message.atMs }
        : {}),
    }));
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
    if (message?.author === "parley-file") await files.delete(`${workspace}/${message.file.id}`);
    await messages.delete(messageKey(at, id));
    onChange({ type: "removed", ...at, id });
  }

  async function removeConversation(at: Thread): Promise<void> {
    await conversations.delete(threadKey(at));
    onChange({ type: "conversation-removed", ...at });
  }

  return {
    nextOrder,
    get,
    list,

    /** Stores a person's message. A retry with the same id returns the same message, with its first order. */
    async putQuestion(at: Thread, id: string, text: string): Promise<ConsoleMessage> {
      const existing = await get(at, id);
      if (existing !== undefined) return existing;
      const head = await headOf(at, id, undefined);
      const message: ConsoleMessage = { ...head, author: "you", text, isEdited: false };
      await write(message);
      return message;
    },

    /** Names a thread that begins with a command; it is listed once it has a message. */
    nameConversation: (at: Thread, text: string) =>
      changeConversation(at, (before) => before ?? { version: 1, ...at, title: titleOf(text) }),

    /** Changes a person's message. Undefined if it is gone or isn't a person's. */
    async changeText(at: Thread, id: string, text: string): Promise<ConsoleMessage | undefined> {
      const message = await get(at, id);
      if (message?.author !== "you") return undefined;
      const changed = { ...message, text, isEdited: true, revision: message.revision + 1 };
      await write(changed);
      return changed;
    },

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
      const message = { ...head, author: "parley" as const, payload, mark, ...present({ begunAtMs }) };
      // A later change of what has ended, such as a pressed thumb, is no news.
      const isEnd = !isInProgress && (before === undefined || wasInProgress);
      if (!isEnd) return write(message);
      await write(message, { atMs: nowMs, tookMs: nowMs - (begunAtMs ?? head.atMs), tone: payload.tone });
    },

    /** Returns the id of the file's message. A part of a Reply has a fixed id, so storing it again is idempotent. */
    async putFile(at: Thread, file: StoredFile, part?: { id: string; mark: ConsoleMark }): Promise<string> {
      const existing = part === undefined ? undefined : await get(at, part.id);
      const fileId = existing?.author === "parley-file" ? existing.file.id : randomUUID();
      await files.set(`${workspace}/${fileId}`, file, retentionMs);
      const id = part?.id ?? `file-${fileId}`;
      const shared: SharedFile = { id: fileId, name: cleanText(file.name), sizeBytes: Buffer.byteLength(file.content) };
      const head = await headOf(at, id, existing);
      await write({ ...head, author: "parley-file", file: shared, ...present({ mark: part?.mark }) });
      return id;
    },

    getFile: (id: string) => files.get(`${workspace}/${id}`),

    /** Idempotent. Removing its last message also removes the conversation. */
    async remove(at: Thread, id: string): Promise<void> {
      await removeMessage(at, id, await get(at, id));
      if ((await list(at)).length === 0) await removeConversation(at);
    },

    /** Removes the conversation with all its messages and files. Idempotent. */
    async removeAll(at: Thread): Promise<void> {
      for (const message of await list(at)) await removeMessage(at, message.id, message);
      await removeConversation(at);
    },

    /** The newest conversations, and how many there are in total. */
    async conversations(limit: number): Promise<{ newest: readonly ConversationSummary[]; total: number }> {
      const found: ConversationSummary[] = [];
      for await (const [, conversation] of conversations.entries(`${workspace}/`)) {
        if (conversation.lastOrder !== undefined) found.push(conversation);
      }
      found.sort((a, b) => ((a.lastOrder ?? "") < (b.lastOrder ?? "") ? 1 : -1));
      return { newest: found.slice(0, limit), total: found.length };
    },
  };
}
