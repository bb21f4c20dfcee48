/**
 * Forgets a Conversation, or single questions: deletes questions, answers, context and steps from every store. An empty record of each
 * Turn stays (who asked, where and when); without it the platform could resend the event, and it would be asked again.
 */

import { ParleyError } from "../../core/errors.ts";
import { type Actor, conversationKey, type Place } from "../../core/model/place.ts";
import { historyOf, type Turn } from "../../core/model/turn.ts";
import { unfinishedTurnStates } from "../../core/ports/state.ts";
import { withLane } from "../../core/tools/with-lane.ts";
import { forgetThreads } from "../conversation/service-threads.ts";
import type { WholeTopic } from "../conversation/topics.ts";
import type { IntakeApp } from "./app.ts";
import { stopTurn } from "./asking.ts";

/** Only the needed fields: a Conversation can have thousands of Turns. */
type Known = Pick<Turn, "id" | "state" | "actor" | "agent" | "askedIn" | "conversation" | "createdAtMs">;

/** What is stored of one history. */
type Held = WholeTopic & { readonly known: Known[]; readonly remembered: readonly string[] };

const pollMs = 50;
const maxEndingMs = 15_000;

async function turnsOf(
  app: IntakeApp,
  conversation: Place,
  isMeant: (turn: Turn) => boolean = () => true,
): Promise<Known[]> {
  const { turns } = app.state;
  const found: Known[] = [];
  for await (const turn of turns.ofConversation(conversation)) {
    const { id, state, actor, agent, askedIn, createdAtMs } = turn;
    const known = { id, state, actor, agent, askedIn, createdAtMs, conversation: turn.conversation };
    if (turn.isForgotten !== true && isMeant(turn)) found.push(known);
  }
  return found;
}

/** Private answers in the same direct message, on platforms that also know it by the person's id. */
async function privateTurnsOf(app: IntakeApp, conversation: Place, by: Actor): Promise<Known[]> {
  const { sites } = app;
  const platform = sites.get(conversation.platform)?.platform;
  if (platform?.isDirect?.(conversation) !== true) return [];
  // The platform may have to be asked and may be unreachable; then there is no second place to search.
  const findDirect = async () => platform.directPlace?.(by, conversation);
  const direct = await findDirect().catch(() => undefined);
  if (direct === undefined || conversationKey(direct) === conversationKey(conversation)) return [];
  const { thread } = conversation;
  return turnsOf(app, direct, ({ isPrivate, actor, reply }) => {
    const stands = thread === undefined || reply.parts.some(({ messageId }) => messageId === thread);
    return isPrivate === true && actor.id === by.id && stands;
  });
}

/** Waits for the Turn's end: a waiting question ends after a moment. Gives up if its end cannot be shown. */
async function ended(app: IntakeApp, turnId: string): Promise<Turn | undefined> {
  const { clock } = app;
  const { turns } = app.state;
  for (let waitedMs = 0; ; waitedMs += pollMs) {
    const turn = await turns.get(turnId);
    if (turn === undefined || !unfinishedTurnStates.includes(turn.state) || waitedMs >= maxEndingMs) return turn;
    await clock.sleep(pollMs);
  }
}

/** `fence`: from now on a previous holder of the Turn, which may not know about this, can't store anything more. */
async function strip(app: IntakeApp, turnId: string, fence: number): Promise<boolean> {
  const { turns } = app.state;
  const nothing = { question: "", attachments: [], isForgotten: true as const };
  const removed = {
    context: undefined,
    outcome: undefined,
    approval: undefined,
    soFar: undefined,
    platformData: undefined,
    run: undefined,
    serviceThread: undefined,
    requestedAgent: undefined,
    requestedProject: undefined,
  };
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const turn = await ended(app, turnId);
    if (turn === undefined) return false;
    const patch = { ...nothing, ...removed };
    const held = Math.max(turn.fence, fence);
    if ((await turns.transition(turnId, [turn.state], turn.state, patch, held)) !== undefined) return true;
  }
  return false;
}

/** Returns the ids of those that are still stored. */
async function stripAll(app: IntakeApp, known: readonly Known[], fence: number): Promise<readonly string[]> {
  const stripped: string[] = [];
  const forgetNotes = await app.notes?.noteForgotten(known);
  for (const { id } of known) if (await strip(app, id, fence)) stripped.push(id);
  await forgetNotes?.();
  return stripped;
}

/** Stops what still runs. Sends all stops before waiting for the first. */
async function stopAll(app: IntakeApp, known: readonly Known[], by: (turn: Known) => Actor): Promise<void> {
  const unfinished = known.filter(({ state }) => unfinishedTurnStates.includes(state));
  await Promise.all(unfinished.map((turn) => stopTurn(app, turn.id, by(turn))));
}

/** Of one history. What the service keeps of it goes too, since nobody can take single questions out there. */
function forgetOf(app: IntakeApp, topic: Place, meant: readonly Turn[], signal?: AbortSignal): Promise<void> {
  const { clock, conversations } = app;
  const { coordinator } = app.state;
  const work = async (fence: number) => {
    await stripAll(app, meant, fence);
    const ids = new Set(meant.map(({ id }) => id));
    const before = await conversations.get(topic);
    if (before.entries.every(({ turnId }) => !ids.has(turnId)) && before.threads === undefined) return;
    await forgetThreads(before, app);
    await conversations.update(topic, ({ threads: _deleted, entries, ...rest }) => ({
      ...rest,
      entries: entries.filter(({ turnId }) => !ids.has(turnId)),
    }));
  };
  return withLane(conversationKey(topic), { coordinator, clock }, work, signal);
}

async function forgetWithin(app: IntakeApp, topic: Place, meant: readonly Turn[], withinMs: number): Promise<void> {
  const { clock } = app;
  const waiting = new AbortController();
  const cancel = clock.after(withinMs, () => waiting.abort());
  try {
    await forgetOf(app, topic, meant, waiting.signal);
  } catch (failure) {
    if (!waiting.signal.aborted) throw failure;
  } finally {
    cancel();
  }
}

/**
 * Forgets these questions with their answers, and stops the ones that run. The rest of their conversations stays.
 * Idempotent. Rejects while storage is away. `withinMs`: leaves those alone whose conversation has a running answer for
 * longer.
 */
export async function forgetTurns(app: IntakeApp, meant: readonly Turn[], withinMs?: number): Promise<void> {
  await stopAll(app, meant, ({ actor }) => actor);
  const byHistory = new Map<string, Turn[]>();
  for (const turn of meant) {
    const key = conversationKey(historyOf(turn));
    byHistory.set(key, [...(byHistory.get(key) ?? []), turn]);
  }
  for (const [first, ...others] of byHistory.values()) {
    if (first === undefined) continue;
    const [topic, all] = [historyOf(first), [first, ...others]];
    if (withinMs === undefined) await forgetOf(app, topic, all);
    else await forgetWithin(app, topic, all, withinMs);
  }
}

/** In the thread of an answer its whole topic; in a direct message itself also every topic of it. */
async function historiesAt(app: IntakeApp, conversation: Place): Promise<readonly WholeTopic[]> {
  const topics = await app.topics.at(conversation);
  const isInTopic = conversation.thread !== undefined && topics.length > 0;
  return isInTopic ? topics : [{ topic: conversation, conversations: [conversation] }, ...topics];
}

async function heldBy(app: IntakeApp, { topic, conversations: places }: WholeTopic): Promise<Held> {
  const { conversations } = app;
  const known: Known[] = [];
  for (const place of places) known.push(...(await turnsOf(app, place)));
  const { entries } = await conversations.get(topic);
  return { topic, conversations: places, known, remembered: entries.map(({ turnId }) => turnId) };
}

/** Questions asked after this point belong to a new conversation. */
function forgetHeld(app: IntakeApp, held: Held): Promise<number> {
  const { sites, clock, conversations } = app;
  const { coordinator } = app.state;
  const { topic, known, remembered } = held;
  return withLane(conversationKey(topic), { coordinator, clock }, async (fence) => {
    const forgotten = new Set([...remembered, ...(await stripAll(app, known, fence))]);
    // First: once they are no longer stored, nobody would find them again.
    await forgetThreads(await conversations.get(topic), app);
    await conversations.forget(topic);
    for (const place of held.conversations) await app.talk.forget(place);
    // Last: until then the command finds all of it again, if this process dies.
    await app.topics.forget(held);
    if (forgotten.size > 0) await sites.get(topic.platform)?.platform.forget?.(topic);
    return forgotten.size;
  });
}

async function allHeldAt(app: IntakeApp, conversation: Place, by: Actor): Promise<readonly Held[]> {
  const found: Held[] = [];
  for (const history of await historiesAt(app, conversation)) found.push(await heldBy(app, history));
  found[0]?.known.push(...(await privateTurnsOf(app, conversation, by)));
  return found;
}

/** If an entry's Turn is gone, nobody knows who asked. */
function areOwn(found: readonly Held[], by: Actor): boolean {
  const known = found.flatMap((held) => held.known);
  const own = new Set(known.filter(({ actor }) => actor.id === by.id).map(({ id }) => id));
  const ids = [...known.map(({ id }) => id), ...found.flatMap(({ remembered }) => remembered)];
  return ids.every((id) => own.has(id));
}

function refuseForOthers(): never {
  throw new ParleyError("not_allowed", {
    what: "Other people have asked here too, so only managers can forget this conversation.",
  });
}

/** Rejects with what `forgetConversation` would, and forgets nothing. */
export async function checkAskedAlone(app: IntakeApp, conversation: Place, by: Actor): Promise<void> {
  if (!areOwn(await allHeldAt(app, conversation, by), by)) refuseForOthers();
}

export async function forgetConversation(
  app: IntakeApp,
  conversation: Place,
  by: Actor,
  mayForgetOthers: boolean,
): Promise<number> {
  const found = await allHeldAt(app, conversation, by);
  if (!mayForgetOthers && !areOwn(found, by)) refuseForOthers();
  const known = found.flatMap((held) => held.known);
  await stopAll(app, known, () => by);
  let count = 0;
  for (const held of found) count += await forgetHeld(app, held);
  return count;
}
