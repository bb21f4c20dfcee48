/**
 * All Turns that live in this process. A Turn that stands in the store and lives nowhere is taken up by `recover`;
 * what is pressed on one instance (Stop, an edit) reaches the one where the Turn lives by a published message.
 */

import type { Interruption } from "./run.ts";
import { liveTurn, type TurnDeps } from "./turn-life.ts";
import { conversationKey, type Turn } from "./words.ts";

const topic = "turns";

/**
 * A Turn that began this long ago is waited for here too: nothing of it is shown before its lane is free, which it is at
 * most 15 s (a lease) after whoever has it died.
 */
const recoverAfterMs = 10_000;

export type Turns = {
  /** Takes the Turn up in the background; twice is once. */
  readonly start: (turn: Turn) => void;
  /** The same for one that may be living on another instance, or nowhere. */
  readonly takeUp: (turn: Turn) => void;
  /** Interrupts it wherever it lives. What must survive was stored before. */
  readonly interrupt: (turnId: string, by: "stop" | "restart") => Promise<void>;
  /** Takes up what is unfinished and lives nowhere. At the start everything, later what has been silent for a while. */
  readonly recover: (isStart: boolean) => Promise<void>;
  /** Resolves when none lives here any more; after `graceMs` what still runs is marked interrupted. */
  readonly drain: (graceMs: number) => Promise<void>;
  readonly counts: () => { readonly waiting: number; readonly running: number };
};

type Life = {
  controller: AbortController;
  isRunning: boolean;
  readonly over: Promise<void>;
};

export function createTurns(deps: TurnDeps): Turns {
  const { turns, coordinator, clock, log, metrics } = deps;
  const lives = new Map<string, Life>();
  let isDraining = false;
  let isGraceOver = false;

  coordinator.subscribe(topic, (message) => {
    const { turnId, kind } = JSON.parse(message) as { turnId: string; kind: "stop" | "restart" };
    lives.get(turnId)?.controller.abort({ kind } satisfies Interruption);
  });

  function counts() {
    let running = 0;
    for (const life of lives.values()) if (life.isRunning) running += 1;
    return { waiting: lives.size - running, running };
  }

  // Nothing of the Turn but what names it is held here: its words are as long as whoever asked likes.
  function start(turn: Pick<Turn, "id" | "ref">, isTakenUp: boolean): void {
    // While draining, what arrives is journaled and goes on after the restart.
    if (isDraining) return;
    const before = lives.get(turn.id);
    if (before !== undefined) {
      // Asked again in the moment between its shown end and the end of its life here.
      void before.over.then(() => start(turn, isTakenUp));
      return;
    }
    const controller = new AbortController();
    const over = Promise.resolve().then(() =>
      liveTurn(
        turn.id,
        isTakenUp,
        {
          signal: () => life.controller.signal,
          renew: (isForEnd = false) => {
            life.controller = new AbortController();
            if (isForEnd ? isGraceOver : isDraining) life.controller.abort({ kind: "drain" } satisfies Interruption);
          },
          onRunning: () => {
            life.isRunning = true;
            metrics.turnsNow(counts());
          },
        },
        deps,
      ),
    );
    const life: Life = {
      controller,
      isRunning: false,
      over: over
        .catch((failure: unknown) =>
          log.error({ err: failure, turnId: turn.id, ref: turn.ref }, "A question broke off"),
        )
        .finally(() => {
          lives.delete(turn.id);
          metrics.turnsNow(counts());
        }),
    };
    lives.set(turn.id, life);
    metrics.turnsNow(counts());
  }

  return {
    start: ({ id, ref }) => start({ id, ref }, false),
    takeUp: ({ id, ref }) => {
      if (!lives.has(id)) start({ id, ref }, true);
    },
    interrupt: (turnId, kind) => coordinator.publish(topic, JSON.stringify({ turnId, kind })),
    recover: async (isStart) => {
      const found: Turn[] = [];
      let waiting = 0;
      for await (const turn of turns.unfinished()) {
        if (lives.has(turn.id)) continue;
        if (!deps.sites.has(turn.conversation.platform)) {
          waiting += 1;
          continue;
        }
        const lastSignMs = Math.max(turn.createdAtMs, turn.startedAtMs ?? 0);
        if (isStart || clock.now() - lastSignMs > recoverAfterMs) found.push(turn);
      }
      if (isStart && waiting > 0) log.warn({ waiting }, "Questions wait for a platform that is switched off");
      // All in line before the first one looks whether it is the first.
      for (const { conversation, id, order } of found) {
        await coordinator.lanes.enqueue(conversationKey(conversation), id, order).catch(() => undefined);
      }
      for (const { id, ref } of found) start({ id, ref }, true);
    },
    drain: async (graceMs) => {
      isDraining = true;
      for (const life of lives.values()) {
        // What only waits in line would not end in time anyway; it is journaled.
        if (!life.isRunning) life.controller.abort({ kind: "drain" } satisfies Interruption);
      }
      const cancel = clock.after(graceMs, () => {
        isGraceOver = true;
        for (const life of lives.values()) life.controller.abort({ kind: "drain" } satisfies Interruption);
      });
      await Promise.all([...lives.values()].map((life) => life.over));
      cancel();
    },
    counts,
  };
}
