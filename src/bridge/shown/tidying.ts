/**
 * Removes the progress that an end was posted beside, after that end. The Reply says what to remove; a pointer to its
 * Turn is stored before it, so that any instance finds it after a crash. Removing twice does no harm.
 */

import type { App } from "../../app.ts";
import { workspaceKey } from "../../core/model/place.ts";
import type { Turn } from "../../core/model/turn.ts";
import { unfinishedTurnStates } from "../../core/ports/state.ts";
import { changeRecord } from "../../core/tools/change-record.ts";
import { answeredBelowDocument } from "../../presentation/drawing.ts";

/** A Turn whose Reply may have messages to remove. */
export type TidyPointer = { readonly turnId: string; readonly atMs: number };

export type Tidying = {
  /** Before a Reply with such messages is stored. Never rejects. */
  readonly note: (turn: Pick<Turn, "id" | "conversation">) => Promise<void>;
  /** That Turn is over here. Returns at once. */
  readonly begin: (turnId: string) => void;
  /** Does what dead processes left, and what the platform refused. Never rejects. */
  readonly recover: () => Promise<void>;
  readonly drain: () => Promise<void>;
};

/** After that, a message stays as it is. */
const giveUpAfterMs = 24 * 3_600_000;
const retryMs = { first: 5_000, longest: 3_600_000 };
/** Another instance that holds the lease longer does it. */
const leaseWithinMs = 1_000;

/** `pointers`: namespace "tidying". */
export function createTidying(app: App): Tidying {
  const { sites, clock, log } = app;
  const { turns, coordinator } = app.state;
  const pointers = app.state.keyValue<TidyPointer>("tidying");
  const ending = new AbortController();
  /** Noted by this process, by Turn: the key of the pointer. */
  const noted = new Map<string, string>();
  /** By key. */
  const working = new Set<string>();
  /** One after the other in a workspace, whose budget they share. */
  const chains = new Map<string, Promise<void>>();
  const failed = new Map<string, { readonly times: number; readonly notBeforeMs: number }>();

  function inBackground(key: string): void {
    if (working.has(key) || ending.signal.aborted || (failed.get(key)?.notBeforeMs ?? 0) > clock.now()) return;
    working.add(key);
    const workspace = key.slice(0, key.lastIndexOf("/"));
    const before = chains.get(workspace) ?? Promise.resolve();
    const chain = before
      .then(() => tidy(key))
      .then((isOver) => (isOver ? void failed.delete(key) : wait(key)))
      .catch((err: unknown) => {
        wait(key);
        if (!ending.signal.aborted) log.info({ err, key }, "Progress beside an answer was not removed yet");
      })
      .finally(() => {
        working.delete(key);
        if (chains.get(workspace) === chain) chains.delete(workspace);
      });
    chains.set(workspace, chain);
  }

  function wait(key: string): void {
    const times = (failed.get(key)?.times ?? 0) + 1;
    const forMs = Math.min(retryMs.longest, retryMs.first * 2 ** Math.min(times - 1, 20));
    failed.set(key, { times, notBeforeMs: clock.now() + forMs });
  }

  /** False when it must be tried again. */
  async function tidy(key: string): Promise<boolean> {
    ending.signal.throwIfAborted();
    const impatience = new AbortController();
    const cancel = clock.after(leaseWithinMs, () => impatience.abort(new Error("Another instance does it.")));
    const signal = AbortSignal.any([ending.signal, impatience.signal]);
    const lease = await coordinator.lease(`tidy/${key}`, { signal }).finally(cancel);
    try {
      // What this process noted is looked at even if its pointer is lost.
      const pointer = (await pointers.get(key)) ?? { turnId: key.slice(key.lastIndexOf("/") + 1), atMs: clock.now() };
      return await remove(key, pointer);
    } finally {
      await lease.release();
    }
  }

  async function remove(key: string, { turnId, atMs }: TidyPointer): Promise<boolean> {
    const turn = await turns.get(turnId);
    const removed = turn === undefined ? [] : await removeOf(turn, clock.now() - atMs > giveUpAfterMs);
    if (removed === "later") return false;
    if (removed === "not-now") return true;
    if (turn?.reply.superseded !== undefined) await forget(turnId, removed);
    await pointers.delete(key);
    // Asked again meanwhile, which stored a pointer that is deleted now.
    const isAgain = turn !== undefined && (await turns.get(turnId))?.reply.superseded !== undefined;
    if (isAgain) await pointers.set(key, { turnId, atMs: clock.now() });
    return true;
  }

  /** What is gone. "not-now": its end comes first, or its platform is switched off. */
  async function removeOf(turn: Turn, isTooOld: boolean): Promise<readonly string[] | "later" | "not-now"> {
    const { id: turnId, conversation, reply } = turn;
    const delivery = sites.get(conversation.platform)?.delivery;
    if (!isOver(turn) || delivery === undefined) return "not-now";
    const superseded = (reply.superseded ?? []).map(({ messageId }) => messageId);
    if (isTooOld && superseded.length > 0) {
      log.warn({ turnId }, "Progress beside an answer could not be removed for a day");
      return superseded;
    }
    // What is part of the Reply is never removed.
    for (const messageId of superseded.filter((one) => !reply.parts.some((part) => part.messageId === one))) {
      const about = { place: reply.place, messageId, instead: answeredBelowDocument(), signal: ending.signal };
      if ((await delivery.removeSuperseded(about)) === "later") return "later";
    }
    return superseded;
  }

  async function forget(turnId: string, removed: readonly string[]): Promise<void> {
    await changeRecord<Turn>(turns, turnId, (now) => {
      const { superseded = [], ...reply } = now.reply;
      const left = superseded.filter(({ messageId }) => !removed.includes(messageId));
      if (!isOver(now)) return undefined;
      return { reply: { ...reply, superseded: left.length === 0 ? undefined : left } };
    });
  }

  return {
    note: async ({ id, conversation }) => {
      if (noted.has(id)) return;
      const key = `${workspaceKey(conversation)}/${id}`;
      try {
        await pointers.set(key, { turnId: id, atMs: clock.now() });
      } catch (err) {
        log.warn({ err, turnId: id }, "After a crash now, progress would stay beside an answer");
      }
      noted.set(id, key);
    },
    begin: (turnId) => {
      const key = noted.get(turnId);
      noted.delete(turnId);
      if (key !== undefined) inBackground(key);
    },
    recover: async () => {
      try {
        for await (const [key] of pointers.entries("")) inBackground(key);
      } catch (err) {
        log.warn({ err }, "Can't look for progress beside answers");
      }
    },
    drain: async () => {
      ending.abort(new Error("The process is ending."));
      await Promise.all(chains.values());
    },
  };
}

function isOver({ state }: Turn): boolean {
  return !unfinishedTurnStates.includes(state);
}
