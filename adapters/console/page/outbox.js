/**
 * Sends what people type and never loses it: it is kept in this browser until the server says that it has it, and sent
 * again under the same id, so that twice is once. One at a time, because the order of questions matters.
 */
import { newId, request, tab } from "./connection.js";

/** What begins with a slash is a command, never a question. */
export const isCommand = (text) => text.trimStart().startsWith("/");

const prefix = "parley.outbox.";
const retryDelaysMs = [1000, 2000, 4000, 8000, 15_000];
// What another tab left behind is taken over once that tab must have given up, or is closed.
const abandonedAfterMs = 30_000;

/** Storage may be full or forbidden; sending then works all the same, only a reload would lose what is under way. */
function keep(entry) {
  try {
    const { id, channel, thread, isNew, text, atMs } = entry;
    localStorage.setItem(prefix + id, JSON.stringify({ id, channel, thread, isNew, text, atMs, tab }));
  } catch {}
}

function kept() {
  const entries = [];
  for (const key of Object.keys(localStorage)) {
    if (!key.startsWith(prefix)) continue;
    try {
      const entry = JSON.parse(localStorage.getItem(key));
      if (entry.tab === tab || Date.now() - entry.atMs > abandonedAfterMs) entries.push(entry);
    } catch {
      localStorage.removeItem(key);
    }
  }
  return entries.sort((a, b) => a.atMs - b.atMs);
}

/** `onRefused(entry, error)` when sending again cannot help, `onForm(form, entry)` when the answer is a form. */
export function createOutbox({ pending, changed, onRefused, onForm, onSent }) {
  const queue = [];
  let isSending = false;
  let wake = () => {};

  function add(kept) {
    const entry = { ...kept, status: "sending", hasArrived: false };
    entry.arrived = () => {
      entry.hasArrived = true;
      if (entry.status === "sent") pending.delete(entry.id);
    };
    pending.set(entry.id, entry);
    queue.push(entry);
    changed();
    return entry;
  }

  function finish(entry) {
    const index = queue.indexOf(entry);
    if (index >= 0) queue.splice(index, 1);
    localStorage.removeItem(prefix + entry.id);
  }

  async function attempt(entry) {
    const { id, channel, thread, isNew, text } = entry;
    const answer = await request("POST", "/api/messages", { id, tab, channel, ...(isNew ? {} : { thread }), text });
    if (answer.status === 200 || answer.status === 202) {
      finish(entry);
      entry.status = "sent";
      if (entry.hasArrived || isCommand(text)) pending.delete(id);
      onSent(entry);
      if (answer.body?.form !== undefined) onForm(answer.body.form, entry);
      return true;
    }
    if (answer.status >= 400 && answer.status < 500 && answer.status !== 401 && answer.status !== 429) {
      finish(entry);
      pending.delete(id);
      onRefused(
        entry,
        answer.body?.error ?? { what: "The message was not accepted.", hint: "Reload the page and try again." },
      );
      return true;
    }
    entry.status = "waiting";
    return false;
  }

  async function run() {
    if (isSending) return;
    isSending = true;
    let failures = 0;
    while (queue.length > 0) {
      const isDone = await attempt(queue[0]);
      changed();
      failures = isDone ? 0 : failures + 1;
      if (isDone) continue;
      const delayMs = retryDelaysMs[Math.min(failures, retryDelaysMs.length) - 1];
      await new Promise((resolve) => {
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
    /** Sends at once, or as soon as what was typed before it is sent. Returns the entry. */
    send: ({ channel, thread, text }) => {
      const id = newId();
      const entry = add({ id, channel, thread: thread ?? id, isNew: thread === undefined, text, atMs: Date.now() });
      keep(entry);
      run();
      return entry;
    },
    /** Takes back what is not sent yet, for the message box. */
    takeBack: (id) => {
      const index = queue.findIndex((entry) => entry.id === id);
      if (index < 0) return;
      queue.splice(index, 1);
      pending.delete(id);
      localStorage.removeItem(prefix + id);
      changed();
    },
    /** The server is there (again): do not wait. */
    wake: () => wake(),
    /** What was under way when the page was closed. */
    restore: () => {
      for (const entry of kept()) if (!pending.has(entry.id)) add(entry);
      run();
    },
  };
}
