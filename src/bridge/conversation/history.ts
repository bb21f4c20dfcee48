/**
 * Converts a Conversation's history to the service's `messages` array. Entries are tagged with their Turn, so that
 * writing one twice (after a crash, Try again or an edit) only replaces its own text.
 */
import type { Settings } from "../../config/settings.ts";
import type { Conversation, ConversationEntry } from "../../core/conversations.ts";
import type { ServiceMessage } from "../../core/ports/agent-service.ts";

type HistoryLimits = Settings["history"];

export const emptyConversation: Conversation = { version: 1, entries: [] };

/** The messages of one run: earlier entries, oldest first, within the limits, then the question. */
export function messagesFor(
  conversation: Conversation,
  turnId: string,
  question: string,
  limits: HistoryLimits,
): readonly ServiceMessage[] {
  const own = conversation.entries.findIndex((entry) => entry.turnId === turnId);
  const before = own < 0 ? conversation.entries : conversation.entries.slice(0, own);
  const kept: ServiceMessage[] = [];
  let chars = 0;
  for (const entry of before.toReversed()) {
    chars += entry.question.length + entry.answer.length;
    if (kept.length >= limits.maxTurns || chars > limits.maxChars) break;
    kept.unshift({ turnId: entry.turnId, question: entry.question, answer: entry.answer });
  }
  return [...kept, { turnId, question, answer: "" }];
}

/** Adds or replaces that entry, keeping its position; drops the oldest beyond the limits. */
export function withEntry(conversation: Conversation, entry: ConversationEntry, limits: HistoryLimits): Conversation {
  const known = conversation.entries.some((other) => other.turnId === entry.turnId);
  const entries = known
    ? conversation.entries.map((other) => (other.turnId === entry.turnId ? entry : other))
    : [...conversation.entries, entry];
  // Not slice(-maxTurns): with 0 it would keep all.
  return { ...conversation, entries: entries.slice(Math.max(0, entries.length - limits.maxTurns)) };
}

/** Removes that Turn's entry: its answer does not count while the question is asked again. */
export function withoutEntry(conversation: Conversation, turnId: string): Conversation {
  return { ...conversation, entries: conversation.entries.filter((entry) => entry.turnId !== turnId) };
}
