/**
 * Conversations that the agent service itself keeps: which one the next question continues, and which ones to delete
 * when a Conversation is forgotten.
 */

import type { App } from "../../app.ts";
import type { Conversation, Conversations, KeptThread } from "../../core/conversations.ts";
import type { ServiceThread } from "../../core/model/agent-event.ts";
import { historyOf, type Turn } from "../../core/model/turn.ts";
import { withTimeout } from "../../core/tools/timeout.ts";

/** Some services name a new one with every answer. The oldest are dropped. */
const maxThreads = 50;
/** Forgetting doesn't wait longer for a service. */
const forgetWithinMs = 5_000;

/**
 * The one whose newest answer is the last of the history, by the same agent. A question that is asked again begins anew,
 * and so does one that perhaps nobody is to see.
 */
export function threadFor(
  { entries, threads = [] }: Conversation,
  turn: Pick<Turn, "attempt" | "resumptions" | "repeats" | "isQuiet">,
  agent: NonNullable<Turn["agent"]>,
): ServiceThread | undefined {
  const isAgain = turn.attempt > 1 || (turn.resumptions ?? 0) > 0;
  if (isAgain || turn.repeats !== undefined || turn.isQuiet === true) return undefined;
  const last = entries.at(-1)?.turnId;
  const known = threads.at(-1);
  const isSame = known?.agent.name === agent.name && known.agent.project === agent.project;
  return last !== undefined && known?.turnId === last && isSame ? known.ids : undefined;
}

/**
 * After the end of that Turn. Without an answer, its thread is not continued: half an answer must not become history, and
 * the service may still be busy there.
 */
export function withThread(conversation: Conversation, turn: Turn, isAnswered: boolean): Conversation {
  const { threads = [] } = conversation;
  const { serviceThread: ids, agent } = turn;
  // What the service keeps of the text before is not what was answered now.
  const before = threads.map((one) => (one.turnId === turn.id ? { ids: one.ids, agent: one.agent } : one));
  if (ids === undefined || agent === undefined) {
    return threads.length === 0 ? conversation : { ...conversation, threads: before };
  }
  const told = JSON.stringify(ids);
  const others = before.filter((one) => JSON.stringify(one.ids) !== told);
  const all: readonly KeptThread[] = isAnswered
    ? [...others, { ids, agent, turnId: turn.id }]
    : [{ ids, agent }, ...others];
  return { ...conversation, threads: all.slice(-maxThreads) };
}

/** None is continued any longer: they hold an answer that was removed. Forgetting still finds them. */
export function withoutThreads({ threads, ...conversation }: Conversation): Conversation {
  return threads === undefined
    ? conversation
    : { ...conversation, threads: threads.map(({ ids, agent }) => ({ ids, agent })) };
}

/**
 * Before a run that begins anew: what the service keeps of the one before, of an edited text or a dead process, is noted,
 * so that forgetting finds it. `begun`: the thread of the new run.
 */
export async function leaveThread(
  turn: Turn,
  begun: ServiceThread | undefined,
  app: App & { readonly conversations: Conversations },
): Promise<void> {
  const { serviceThread: left } = turn;
  if (left === undefined || JSON.stringify(left) === JSON.stringify(begun)) return;
  if (turn.isPrivate === true || turn.repeats !== undefined) return dropThread(turn, app);
  await app.conversations.update(historyOf(turn), (known) => withThread(known, turn, false));
}

/** Of a Turn that leaves no history: nothing of it is to stay at the service either. */
export function dropThread({ serviceThread: ids, agent }: Turn, app: App): void {
  if (ids !== undefined && agent !== undefined) void forgetThreads({ threads: [{ ids, agent }] }, app);
}

/** Deletes them at the service. Never rejects: what Parley stores is deleted in any case. */
export async function forgetThreads(
  { threads = [] }: Pick<Conversation, "threads">,
  { service, clock, log }: App,
): Promise<void> {
  const { forgetThread } = service;
  if (forgetThread === undefined || threads.length === 0) return;
  const forgetting = threads.map(({ ids }) =>
    forgetThread(ids).catch((err: unknown) =>
      log.warn({ err }, "The agent service may still keep a conversation that was forgotten"),
    ),
  );
  await withTimeout(Promise.all(forgetting), forgetWithinMs, clock);
}
