/** What the open conversation shows, in order: messages, private notes below what they refer to, unsent messages last. */
import type { ReadMessage } from "../../conversations/conversation-routes.ts";
import type { Me } from "../../people/routes.ts";
import type { OutboxEntry } from "../connection/outbox.ts";
import type { ShownNote } from "../conversations/kept-notes.ts";
import { isMine } from "../people/me.ts";
import { type State, threadKey } from "../state.ts";

export type Status = OutboxEntry["status"];

export type Item =
  | {
      readonly kind: "message";
      readonly key: string;
      readonly message: ReadMessage;
      /** Stored by the server, but not accepted. */
      readonly status: Status | undefined;
      readonly isLastOwn: boolean;
      /** Its steps, shown below it or in its fold. */
      readonly steps: readonly ShownNote[];
    }
  | { readonly kind: "note"; readonly key: string; readonly note: ShownNote; readonly decided: readonly string[] }
  | { readonly kind: "pending"; readonly key: string; readonly entry: OutboxEntry };

/** The private notes with an answer's steps: in words, and raw. */
export const stepsNoteIds = (messageId: string) => [`${messageId}.steps`, `${messageId}.raw-steps`] as const;

/** Whether an answer shows its steps in its fold. */
export function foldsSteps(message: ReadMessage): boolean {
  if (message.author !== "parley") return false;
  return message.payload.blocks.some(
    (block) => block.kind === "fold" && block.actions.some(({ id }) => id === "steps"),
  );
}

export function itemsOf(state: State, me: Me): readonly Item[] {
  const at = state.current;
  const key = threadKey(at);
  const messages = [...(state.threads.get(key)?.values() ?? [])].map(({ message }) => message);
  messages.sort((a, b) => (a.order < b.order ? -1 : 1));
  const notes = [...(state.notes.get(key)?.values() ?? [])];
  const failed = new Set(notes.filter(({ payload }) => payload?.tone === "failed").map(({ id }) => id));
  const noteItem = (note: ShownNote): Item => {
    const made = Object.entries(note.pressed ?? {}).filter(([, answerId]) => !failed.has(answerId));
    return { kind: "note", key: `note-${note.id}`, note, decided: made.map(([key]) => key) };
  };
  const anchored = (id: string) => notes.filter((note) => note.anchor === id).map(noteItem);
  const ids = new Set(messages.map((message) => message.id));
  const loose = notes.filter((note) => note.anchor === undefined || !ids.has(note.anchor));
  const looseAfter = (order: string) => loose.filter((note) => note.after === order).map(noteItem);

  const items: Item[] = [...looseAfter("")];
  // One's own last question can be edited, and the last one deleted by people who manage.
  const questions = messages.filter((message) => message.author === "you");
  const last: (ReadMessage | undefined)[] = [questions.at(-1), questions.findLast((message) => isMine(me, message))];
  for (const message of messages) {
    // Stored by the server, but not accepted: the bridge could not journal it, so it is retried.
    const status = state.pending.get(message.id)?.status === "waiting" ? "waiting" : undefined;
    const stepsIds: readonly string[] = stepsNoteIds(message.id);
    const steps = notes.filter(({ id, payload }) => stepsIds.includes(id) && payload !== undefined);
    const isLastOwn = last.includes(message);
    items.push({ kind: "message", key: `message-${message.id}`, message, status, isLastOwn, steps });
    const below = foldsSteps(message) ? (note: Item) => note.kind !== "note" || !steps.includes(note.note) : () => true;
    items.push(...anchored(message.id).filter(below), ...looseAfter(message.order));
  }
  const placed = new Set(items.map((item) => item.key));
  items.push(...loose.map(noteItem).filter((item) => !placed.has(item.key)));
  for (const entry of state.pending.values()) {
    const isHere = threadKey(entry) === key && !ids.has(entry.id);
    if (isHere) items.push({ kind: "pending", key: `message-${entry.id}`, entry });
  }
  return items;
}
