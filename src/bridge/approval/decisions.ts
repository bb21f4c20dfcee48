/**
 * Stores what people decide about tool calls, once per request over all instances, and tells the instance that holds
 * the Turn.
 */

import type { App } from "../../app.ts";
import { ParleyError } from "../../core/errors.ts";
import type { ApprovalDecision, PendingRequest } from "../../core/model/approval.ts";
import type { Turn } from "../../core/model/turn.ts";
import { changeRecord } from "../../core/tools/change-record.ts";
import { approvalMinutes } from "../../presentation/drawing.ts";
import { currentApproval } from "./approval.ts";

const topic = "approvals";
/** A press waits no longer for storage: platforms give it 3 s. */
const leaseWithinMs = 1_500;
/** A message between instances can be lost, so the record is read this often too. */
const lookEveryMs = 10_000;
/** Longer than all requests of a run take, should the process die that would remove it. */
const asksMs = 4 * 60 * 60_000;

export type Decided =
  /** By this call, or before it. */
  | { readonly kind: "stored"; readonly turn: Turn; readonly request: PendingRequest }
  | { readonly kind: "before"; readonly turn: Turn; readonly decision: ApprovalDecision }
  /** Nothing waits for that decision. */
  | { readonly kind: "over" };

export type Followed = {
  /**
   * Resolves when something may have been decided since the last call, at the latest after a while; rejects with the
   * signal's reason.
   */
  readonly next: (atMostMs: number, signal: AbortSignal) => Promise<void>;
  readonly stop: () => void;
};

export type Decisions = {
  /** Durable when it resolves. The first decision about a request counts. */
  readonly decide: (turnId: string, key: string, decision: ApprovalDecision) => Promise<Decided>;
  /** Follows what is decided about that Turn from now on. */
  readonly follow: (turnId: string) => Followed;
  /** Notes that the Turn which holds that lane asks people, or no longer does. */
  readonly asks: (lane: string, turnId: string | undefined) => Promise<void>;
  /** Whether the Turn that holds that lane waits for people. */
  readonly isAsking: (lane: string) => Promise<boolean>;
  /** Calls back whenever that may have changed, until the result is called. */
  readonly watch: (lane: string, listener: () => void) => () => void;
};

export function createDecisions(app: App): Decisions {
  const { clock } = app;
  const { turns, coordinator } = app.state;
  const asking = app.state.keyValue<{ readonly turnId: string }>("approvals");
  const listeners = new Map<string, Set<() => void>>();

  coordinator.subscribe(topic, (about) => {
    for (const listener of listeners.get(about) ?? []) listener();
  });

  function listen(about: string, listener: () => void): () => void {
    const those = listeners.get(about) ?? new Set();
    listeners.set(about, those.add(listener));
    return () => {
      those.delete(listener);
      if (those.size === 0 && listeners.get(about) === those) listeners.delete(about);
    };
  }

  /** Others learn of it when they look the next time. */
  async function tell(about: string): Promise<void> {
    await coordinator.publish(topic, about).catch(() => undefined);
  }

  async function leased<T>(turnId: string, work: () => Promise<T>): Promise<T> {
    const patience = new AbortController();
    const error = new ParleyError("state_unavailable");
    const cancel = clock.after(leaseWithinMs, () => patience.abort(error));
    const lease = await coordinator.lease(`approval/${turnId}`, { signal: patience.signal }).finally(cancel);
    try {
      return await work();
    } finally {
      await lease.release();
    }
  }

  return {
    decide: (turnId, key, decision) =>
      leased(turnId, async () => {
        let found: Decided = { kind: "over" };
        const changed = await changeRecord(turns, turnId, (turn) => {
          found = { kind: "over" };
          const approval = currentApproval(turn);
          const request = approval?.requests.find((one) => one.key === key);
          if (approval === undefined || request === undefined) return undefined;
          if (request.decision !== undefined) found = { kind: "before", turn, decision: request.decision };
          const isOver = turn.state !== "waiting" || turn.isForgotten === true || turn.stopRequestedBy !== undefined;
          if (request.decision !== undefined || isOver) return undefined;
          const isLate = decision.isApproved && decision.atMs >= approval.expiresAtMs;
          if (isLate) return undefined;
          found = { kind: "stored", turn, request: { ...request, decision } };
          const requests = approval.requests.map((one) => (one.key === key ? { ...one, decision } : one));
          // The next request is shown only now, and says how long people have.
          const isByPerson = decision.how === "person";
          const expiresAtMs = isByPerson ? decision.atMs + approvalMinutes * 60_000 : approval.expiresAtMs;
          return { approval: { ...approval, requests, expiresAtMs } };
        });
        const outcome = found as Decided;
        if (outcome.kind !== "stored") return outcome;
        if (changed === undefined) throw new ParleyError("state_unavailable");
        await tell(turnId);
        return { ...outcome, turn: changed };
      }),
    follow: (turnId) => {
      let news = new AbortController();
      const stop = listen(turnId, () => news.abort());
      return {
        next: async (atMostMs, signal) => {
          await clock
            .sleep(Math.min(atMostMs, lookEveryMs), AbortSignal.any([signal, news.signal]))
            .catch(() => signal.throwIfAborted());
          news = new AbortController();
        },
        stop,
      };
    },
    asks: async (lane, turnId) => {
      if (turnId === undefined) await asking.delete(lane);
      else await asking.set(lane, { turnId }, asksMs);
      await tell(lane);
    },
    isAsking: async (lane) => {
      const noted = await asking.get(lane);
      if (noted === undefined) return false;
      return (await turns.get(noted.turnId))?.state === "waiting";
    },
    watch: listen,
  };
}
