/**
 * Manages the Turns of this process; passes Stop and edits to the instance that runs a Turn. A published message
 * carries them. `recover` takes over stored Turns that live nowhere.
 */

import type { Turn } from "../../core/model/turn.ts";
import type { BridgeApp } from "../app.ts";
import { laneOf } from "../lane.ts";
import type { Interruption } from "./record.ts";
import { liveTurn } from "./turn.ts";

const topic = "turns";

/**
 * Age at which a running Turn is waited for here too. Nothing of it is shown before its lane is free, at most 15 s (a
 * lease) after its holder died.
 */
const recoverAfterMs = 10_000;

export type Turns = {
  /** Starts the Turn in the background. Idempotent. */
  readonly start: (turn: Turn) => void;
  /** The same for a Turn that may live on another instance, or nowhere. */
  readonly resume: (turn: Turn) => void;
  /** Interrupts it on any instance. The caller has already stored what must survive. */
  readonly interrupt: (turnId: string, by: "stop" | "restart") => Promise<void>;
  /**
   * Takes over what is unfinished and lives nowhere: everything at the start, later what has been silent for a while.
   */
  readonly recover: (isStart: boolean) => Promise<void>;
  /** Resolves when no Turn lives here; after `graceMs` the running ones are marked interrupted. */
  readonly drain: (graceMs: number) => Promise<void>;
  readonly counts: () => { readonly waiting: number; readonly running: number };
};

/** Batch sizes for enqueueing and starting: of 10,000 Turns the last one starts after 10 s. */
const enqueuedAtOnce = 50;
const resumedAtOnce = 10;
const resumePauseMs = 10;

type Found = Pick<Turn, "id" | "ref" | "order"> & { readonly lane: string };

type Life = {
  controller: AbortController;
  isRunning: boolean;
  readonly over: Promise<void>;
};

export function createTurns(app: BridgeApp): Turns {
  const { clock, log, metrics } = app;
  const { turns, coordinator } = app.state;
  const lives = new Map<string, Life>();
  /** Found in the store, and not started yet. */
  const resuming = new Set<string>();
  const ending = new AbortController();
  let running = 0;
  let isDraining = false;
  let isGraceOver = false;

  coordinator.subscribe(topic, (message) => {
    const { turnId, kind } = JSON.parse(message) as { turnId: string; kind: "stop" | "restart" };
    lives.get(turnId)?.controller.abort({ kind } satisfies Interruption);
  });

  const counts = () => ({ waiting: lives.size - running, running });

  // Holds only what names the Turn: its text can be long.
  function start(turn: Pick<Turn, "id" | "ref">, isRecovered: boolean): void {
    // While draining, new questions are journaled, and run after the restart.
    if (isDraining) return;
    const before = lives.get(turn.id);
    if (before !== undefined) {
      // Asked again between its shown end and the end of its life here.
      void before.over.then(() => start(turn, isRecovered));
      return;
    }
    const controller = new AbortController();
    const over = Promise.resolve().then(() =>
      liveTurn(
        turn.id,
        isRecovered,
        {
          signal: () => life.controller.signal,
          renew: (isForEnd = false) => {
            life.controller = new AbortController();
            if (isForEnd ? isGraceOver : isDraining) life.controller.abort({ kind: "drain" } satisfies Interruption);
          },
          interrupt: (by) => life.controller.abort(by),
          onWaiting: () => {
            if (life.isRunning) running -= 1;
            life.isRunning = false;
            metrics.turnsNow(counts());
            if (isDraining) life.controller.abort({ kind: "drain" } satisfies Interruption);
          },
          onRunning: () => {
            if (life.isRunning) return;
            life.isRunning = true;
            running += 1;
            metrics.turnsNow(counts());
          },
        },
        app,
      ),
    );
    const life: Life = {
      controller,
      isRunning: false,
      over: over
        .catch((failure: unknown) =>
          log.error({ err: failure, turnId: turn.id, ref: turn.ref }, "A question failed unexpectedly"),
        )
        .finally(() => {
          lives.delete(turn.id);
          if (life.isRunning) running -= 1;
          metrics.turnsNow(counts());
        }),
    };
    lives.set(turn.id, life);
    metrics.turnsNow(counts());
  }

  /** Not all at once: each reads its record, waits for its lane and searches for its messages. */
  function resumeAll(found: readonly Found[]): void {
    for (const { id } of found) resuming.add(id);
    const first = found.slice(0, resumedAtOnce);
    for (const turn of first) resume(turn);
    if (found.length > resumedAtOnce) void resumeInBatches(found.slice(resumedAtOnce));
  }

  async function resumeInBatches(found: readonly Found[]): Promise<void> {
    for (let start = 0; start < found.length; start += resumedAtOnce) {
      await clock.sleep(resumePauseMs, ending.signal).catch(() => undefined);
      for (const turn of found.slice(start, start + resumedAtOnce)) resume(turn);
    }
  }

  function resume({ id, ref }: Pick<Turn, "id" | "ref">): void {
    resuming.delete(id);
    if (!lives.has(id)) start({ id, ref }, true);
  }

  return {
    start: ({ id, ref }) => start({ id, ref }, false),
    resume,
    interrupt: (turnId, kind) => coordinator.publish(topic, JSON.stringify({ turnId, kind })),
    recover: async (isStart) => {
      const nowMs = clock.now();
      const found: Found[] = [];
      let waiting = 0;
      const isWanted = ({ id, createdAtMs }: { readonly id: string; readonly createdAtMs: number }) =>
        !lives.has(id) && !resuming.has(id) && (isStart || nowMs - createdAtMs > recoverAfterMs);
      for await (const turn of turns.unfinished(isWanted)) {
        const { id, ref, conversation, order } = turn;
        if (!app.sites.has(conversation.platform)) {
          waiting += 1;
          continue;
        }
        if (isStart || nowMs - (turn.startedAtMs ?? 0) > recoverAfterMs) {
          found.push({ id, ref, lane: laneOf(turn), order });
        }
      }
      if (isStart && waiting > 0) log.warn({ waiting }, "Questions wait for a platform that is switched off");
      // Enqueue all before the first one checks whether it is first.
      for (let start = 0; start < found.length; start += enqueuedAtOnce) {
        const some = found.slice(start, start + enqueuedAtOnce);
        await Promise.all(
          some.map(({ lane, id, order }) => coordinator.lanes.enqueue(lane, id, order).catch(() => undefined)),
        );
      }
      resumeAll(found);
    },
    drain: async (graceMs) => {
      isDraining = true;
      ending.abort();
      for (const life of lives.values()) {
        // A Turn that waits in line would not end in time anyway; it is journaled.
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
