/**
 * Sends typed messages and never loses one. A message stays in this browser's storage until the server confirms it,
 * and is retried under the same id, which the server deduplicates. One at a time, because questions have an order.
 */
import type { Form } from "../../../../src/core/document.ts";
import { named } from "./address.ts";
import { nowMs } from "./clock.ts";
import { newId, type Refusal, request, tab } from "./connection.ts";
import { type KnownFile, type Upload, uploaded } from "./upload.ts";

type Message = {
  readonly id: string;
  readonly channel: string;
  readonly thread: string;
  /** It begins the conversation. */
  readonly isNew: boolean;
  readonly text: string;
  readonly atMs: number;
  readonly uploads: readonly Upload[];
};

/** A message that was sent and isn't confirmed yet. */
export type OutboxEntry = Omit<Message, "uploads"> & {
  uploads: readonly Upload[];
  status: "sending" | "sent" | "waiting";
  hasArrived: boolean;
  /** The server shows it. */
  readonly arrived: () => void;
};

type Saved = Omit<Message, "uploads"> & {
  readonly tab: string;
  readonly person?: string;
  readonly files?: readonly (KnownFile & { readonly isDone: boolean })[];
};

type Refused = Pick<NonNullable<Refusal["error"]>, "what" | "hint">;

/** Text that begins with a slash is a command, never a question. */
export const isCommand = (text: string): boolean => text.trimStart().startsWith("/");

const prefix = named("outbox.");
const retryDelaysMs = [1000, 2000, 4000, 8000, 15_000];
// Messages of another tab are taken over once that tab must be closed or has given up.
const abandonedAfterMs = 30_000;

/** Storage may be full or blocked. Sending still works then, but a reload loses unconfirmed messages. */
function save(entry: Message, person: string): void {
  try {
    const { id, channel, thread, isNew, text, atMs, uploads } = entry;
    const files = uploads.map(({ id, name, sizeBytes, state }) => ({ id, name, sizeBytes, isDone: state === "done" }));
    localStorage.setItem(prefix + id, JSON.stringify({ id, channel, thread, isNew, text, atMs, files, tab, person }));
  } catch {}
}

/** What another person typed in this browser stays there for them. */
function saved(person: string): Saved[] {
  const entries: Saved[] = [];
  for (const key of Object.keys(localStorage)) {
    if (!key.startsWith(prefix)) continue;
    try {
      const entry: Saved = JSON.parse(localStorage.getItem(key) ?? "");
      if ((entry.person ?? person) !== person) continue;
      if (entry.tab === tab || Math.abs(nowMs() - entry.atMs) > abandonedAfterMs) entries.push(entry);
    } catch {
      localStorage.removeItem(key);
    }
  }
  return entries.sort((a, b) => a.atMs - b.atMs);
}

export function createOutbox({
  person,
  pending,
  changed,
  onRefused,
  onForm,
  onSent,
}: {
  /** Whose messages these are. */
  readonly person: string;
  readonly pending: Map<string, OutboxEntry>;
  readonly changed: () => void;
  /** A retry cannot help. */
  readonly onRefused: (entry: Message, error: Refused) => void;
  /** The answer is a form. */
  readonly onForm: (form: Form, entry: OutboxEntry) => void;
  readonly onSent: (entry: OutboxEntry) => void;
}) {
  const queue: OutboxEntry[] = [];
  let isSending = false;
  let wake = () => {};

  function add(message: Message): OutboxEntry {
    const entry: OutboxEntry = {
      ...message,
      status: "sending",
      hasArrived: false,
      arrived: () => {
        entry.hasArrived = true;
        if (entry.status === "sent") pending.delete(entry.id);
      },
    };
    for (const upload of entry.uploads) upload.changed = changed;
    pending.set(entry.id, entry);
    queue.push(entry);
    changed();
    return entry;
  }

  function finish({ id }: Pick<Message, "id">): void {
    const index = queue.findIndex((entry) => entry.id === id);
    if (index >= 0) queue.splice(index, 1);
    localStorage.removeItem(prefix + id);
  }

  function refuse(entry: Message, error: Refused): void {
    finish(entry);
    pending.delete(entry.id);
    onRefused(entry, error);
  }

  /** Waits for its files; false when it was taken back or refused. */
  async function filesAreThere(entry: OutboxEntry): Promise<boolean> {
    const { uploads } = entry;
    if (uploads.every(({ state }) => state === "done")) return true;
    await Promise.all(uploads.map(({ ended }) => ended));
    if (!queue.includes(entry)) return false;
    const failed = uploads.find(({ state }) => state === "failed");
    if (failed === undefined) save(entry, person);
    else refuse(entry, { what: failed.problem ?? "", hint: "" });
    return failed === undefined;
  }

  async function attempt(entry: OutboxEntry): Promise<boolean> {
    if (!(await filesAreThere(entry))) return true;
    const { id, channel, thread, isNew, text } = entry;
    const files = entry.uploads.map((upload) => upload.id);
    const answer = await request<{ readonly form?: Form }>("POST", "/api/messages", {
      id,
      tab,
      channel,
      ...(isNew ? {} : { thread }),
      text,
      ...(files.length > 0 ? { files } : {}),
    });
    if (answer.status === 200 || answer.status === 202) {
      finish(entry);
      entry.status = "sent";
      if (entry.hasArrived || isCommand(text)) pending.delete(id);
      onSent(entry);
      if (answer.body?.form !== undefined) onForm(answer.body.form, entry);
      return true;
    }
    if (answer.status >= 400 && answer.status < 500 && answer.status !== 401 && answer.status !== 429) {
      // They are no longer there to be sent again.
      if (answer.refusal?.error?.code === "file_refused") entry.uploads = [];
      refuse(
        entry,
        answer.refusal?.error ?? { what: "Couldn't send your message.", hint: "Reload the page and try again." },
      );
      return true;
    }
    entry.status = "waiting";
    return false;
  }

  async function run(): Promise<void> {
    if (isSending) return;
    isSending = true;
    let failures = 0;
    for (let [first] = queue; first !== undefined; [first] = queue) {
      const isDone = await attempt(first);
      changed();
      failures = isDone ? 0 : failures + 1;
      if (isDone) continue;
      const delayMs = retryDelaysMs[Math.min(failures, retryDelaysMs.length) - 1];
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, delayMs);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    isSending = false;
  }

  return {
    /** Enqueues a message behind those typed before it. Returns the entry. */
    send: ({
      channel,
      thread,
      text,
      uploads = [],
    }: {
      readonly channel: string;
      readonly thread?: string | undefined;
      readonly text: string;
      readonly uploads?: readonly Upload[];
    }): OutboxEntry => {
      const id = newId();
      const isNew = thread === undefined;
      const entry = add({ id, channel, thread: thread ?? id, isNew, text, uploads, atMs: nowMs() });
      save(entry, person);
      run();
      return entry;
    },
    /** Removes a message that is not sent yet; its text goes back to the message box. */
    undoSend: (id: string) => {
      const index = queue.findIndex((entry) => entry.id === id);
      if (index < 0) return;
      queue.splice(index, 1);
      pending.delete(id);
      localStorage.removeItem(prefix + id);
      changed();
    },
    /** Retries at once: the server is reachable again. */
    wake: () => wake(),
    /** Sends what was unconfirmed when the page was closed. */
    restore: () => {
      for (const { files = [], ...entry } of saved(person)) {
        if (pending.has(entry.id)) continue;
        const known = { ...entry, uploads: files.filter(({ isDone }) => isDone).map(uploaded) };
        if (files.every(({ isDone }) => isDone)) add(known);
        else refuse(known, { what: "The page was closed before all files were uploaded.", hint: "Attach them again." });
      }
      run();
    },
  };
}
