/**
 * Keeps the words of each conversation in one small record, for the search: its title, questions and answers, folded. A
 * conversation that changes is noted before, so that a process that continues after a crash brings its record up to date.
 */
import { randomUUID } from "node:crypto";
import { setImmediate as nextLoopTurn } from "node:timers/promises";
import type { Clock } from "../../../src/core/ports/clock.ts";
import type { Log } from "../../../src/core/ports/log.ts";
import type { Coordinator, KeyValueFactory } from "../../../src/core/ports/state.ts";
import { fold } from "../../../src/core/text/folding.ts";
import { documentText } from "../../../src/presentation/markdown.ts";
import { workspaceName as workspace } from "../intake/inbound.ts";
import { maxSearchedChars } from "../limits.ts";
import type { ConsoleMessage, ConversationSummary } from "../writing/messages.ts";
import { type Thread, threadKey, threadOfKey } from "./thread-key.ts";
import { abandonedMs } from "./unfinished.ts";

/** `id` is the message's; absent for the title. */
export type TextPart = { readonly id?: string; readonly text: string };
type Texts = {
  readonly version: 1;
  readonly parts: readonly TextPart[];
  /** Whose words it holds, so that erasing a person removes it; it is written again without them. */
  readonly writers: readonly { readonly actorId: string }[];
};

/** Some conversation changes at that time. */
type Changed = { readonly version: 1; readonly key: string; readonly atMs: number };

function writersIn(messages: readonly ConsoleMessage[], { begunBy }: ConversationSummary): ReadonlySet<string> {
  const ids = messages.map((message) => (message.author === "you" ? message.by.id : undefined));
  return new Set([begunBy, ...ids].filter((id) => id !== undefined));
}

/** What a person can search for in a message. */
export function textOf(message: ConsoleMessage): string {
  switch (message.author) {
    case "you":
      return message.text;
    case "parley":
      return documentText(message.payload);
    case "parley-file":
      return message.file.name;
    default:
      return message satisfies never;
  }
}

export function createTexts(deps: {
  readonly keyValue: KeyValueFactory;
  readonly coordinator: Pick<Coordinator, "lease">;
  readonly summaryOf: (at: Thread) => Promise<ConversationSummary | undefined>;
  readonly messagesOf: (at: Thread) => Promise<readonly ConsoleMessage[]>;
  /** Brings the conversation's own record up to date. */
  readonly repair: (at: Thread) => Promise<void>;
  readonly retentionMs?: number;
  readonly clock: Clock;
  readonly log: Log;
}) {
  const { summaryOf, clock, log, retentionMs } = deps;
  const records = deps.keyValue<Texts>("console-texts");
  const changed = deps.keyValue<Changed>("console-changed");
  /** By conversation: the notes that its next update answers. */
  const pending = new Map<string, string[]>();
  const working = new Set<Promise<void>>();
  let isClosed = false;

  async function write(at: Thread): Promise<void> {
    const key = threadKey(at);
    const summary = await summaryOf(at);
    if (summary === undefined) return records.delete(key);
    const parts: TextPart[] = [{ text: fold(summary.title) }];
    let left = maxSearchedChars;
    // The newest first: a very long conversation is found by what was said last.
    const messages = await deps.messagesOf(at);
    for (const message of messages.toReversed()) {
      const text = fold(textOf(message)).slice(0, left);
      left -= text.length;
      if (text !== "") parts.push({ id: message.id, text });
      if (left <= 0) break;
    }
    const writers = [...writersIn(messages, summary)].map((actorId) => ({ actorId }));
    await records.set(key, { version: 1, parts, writers }, retentionMs);
    return undefined;
  }

  /** One at a time over all instances, so that an older reading never replaces a newer one. */
  async function update(key: string): Promise<void> {
    const lease = await deps.coordinator.lease(`console/texts/${key}`);
    try {
      // Notes from now on are answered by the next update.
      const notes = pending.get(key) ?? [];
      pending.delete(key);
      await write(threadOfKey(key));
      for (const note of notes) await changed.delete(note);
    } finally {
      await lease.release();
    }
  }

  function follow(key: string): void {
    if (isClosed) return;
    const work = update(key).catch((err: unknown) => log.info({ err, key }, "A conversation can't be searched yet"));
    working.add(work);
    work.finally(() => working.delete(work));
  }

  return {
    /** Before the change is stored. Returns what to call after it. */
    note: async (at: Thread): Promise<() => void> => {
      const key = threadKey(at);
      const note = `${workspace}/${randomUUID()}`;
      await changed.set(note, { version: 1, key, atMs: clock.now() });
      return () => {
        const known = pending.get(key);
        pending.set(key, [...(known ?? []), note]);
        // An update that has not begun to read answers this note as well.
        if (known === undefined) follow(key);
      };
    },

    remove: (at: Thread): Promise<void> => records.delete(threadKey(at)),

    /** Empty for a conversation whose record is missing, which is then written. */
    read: async (key: string): Promise<readonly TextPart[]> => {
      const known = await records.get(key);
      if (known === undefined && !pending.has(key)) {
        pending.set(key, []);
        follow(key);
      }
      return known?.parts ?? [];
    },

    /** Brings up to date what a process that died had noted. */
    recover: async (isStart: boolean): Promise<void> => {
      const until = isStart ? clock.now() : clock.now() - abandonedMs;
      for await (const [note, { key, atMs }] of changed.entries(`${workspace}/`)) {
        if (isClosed) return;
        if (atMs > until) continue;
        await deps.repair(threadOfKey(key));
        await update(key);
        await changed.delete(note);
        await nextLoopTurn();
      }
    },

    close: async (): Promise<void> => {
      isClosed = true;
      await Promise.all(working);
    },
  };
}
