/**
 * The stage of a Turn in which people decide about tool calls. All of it is stored, so that any instance can continue:
 * what is asked before it is shown, a decision before it is acknowledged, and the audit entry before the response is
 * sent.
 */

import { ParleyError } from "../../core/errors.ts";
import { type ApprovalDecision, type PendingRequest, undecided } from "../../core/model/approval.ts";
import type { Turn, TurnView } from "../../core/model/turn.ts";
import { approvalNeededDocument } from "../../presentation/drawing.ts";
import { approvalSentences } from "../../presentation/sentences.ts";
import type { BridgeApp } from "../app.ts";
import { laneOf } from "../lane.ts";
import { type Interruption, interruptionOf } from "../turn/record.ts";
import { type Living, replyOf } from "../turn/reply.ts";
import { failWith } from "../turn/view.ts";
import {
  type Asks,
  continuedView,
  createApproval,
  currentApproval,
  isAnyApproved,
  viewSoFar,
  waitingView,
} from "./approval.ts";
import type { Followed } from "./decisions.ts";

/** Between two tries to store that no decision came in time. */
const retryMs = 1_000;

/**
 * Stores what a run asked for. "stale": the question was edited meanwhile. Throws a ParleyError if people can't decide
 * about it, or if it can't be stored: then nothing was approved.
 */
export async function storeApproval(
  living: Living,
  asks: Asks,
  attempt: number,
  app: BridgeApp,
): Promise<"stored" | "stale" | "refused"> {
  const { record } = living;
  const nowMs = app.clock.now();
  const turn = record.turn();
  if (turn.attempt !== attempt) return "stale";
  const approval = createApproval(turn, asks, nowMs);
  if (approval === undefined) throw new ParleyError("approval_needed", approvalSentences.tooOften);
  const nobody: ApprovalDecision = { isApproved: false, how: "nobody", atMs: nowMs };
  const isAsked = hasApprovers(turn, app);
  const requests = approval.requests.map((request) => (isAsked ? request : { ...request, decision: nobody }));
  const soFar = viewSoFar(replyOf(living).view());
  // The service has ended its run. What is found waiting later has not lost its process at work.
  const over = { isUnderWay: false, resumptions: undefined, run: undefined };
  const stored = await record.move("waiting", { ...over, approval: { ...approval, requests }, soFar });
  if (stored === "unstored") throw new ParleyError("state_unavailable");
  return stored;
}

/**
 * Nobody sees a question to nobody in particular; nobody sits there when a schedule asks; and a manager can't press a
 * button in another person's direct message.
 */
function hasApprovers({ isQuiet, scheduleId, isPrivate, actor, askedIn }: Turn, app: BridgeApp): boolean {
  const { reach, people, settings } = app;
  if (isQuiet === true || scheduleId !== undefined) return false;
  if (settings.approvers === "asker") return !actor.isBot;
  if (isPrivate !== true && !reach.isDirect(askedIn)) return true;
  return reach.may(people.newest(actor, askedIn), "manage", askedIn).allowed;
}

/**
 * The end of a Turn whose process died after it had sent an approval: the tool may have run, so nothing is sent again.
 * Called before a Turn waits for decisions. Undefined if nothing is in doubt.
 */
export async function endIfUnclear(living: Living, { service, log, clock }: BridgeApp): Promise<TurnView | undefined> {
  const turn = living.record.turn();
  const approval = currentApproval(turn);
  if (approval?.sentAtMs === undefined || !isAnyApproved(approval)) return undefined;
  const profile = turn.run?.attempt === turn.attempt ? await service.profile().catch(() => undefined) : undefined;
  if (profile?.resumes === true) return undefined;
  const about = { turnId: turn.id, ref: turn.ref };
  log.warn(about, "An approved tool may have run before the process died; its approval isn't sent again");
  const view = continuedView(turn.soFar ?? replyOf(living).view(), approval, approval.sentAtMs);
  return failWith(view, new ParleyError("approval_unclear"), clock.now());
}

/** Waits until all is decided, in 15 minutes at the latest. Called under the Turn's lane. */
export async function awaitDecisions(
  living: Living,
  app: BridgeApp,
): Promise<{ readonly kind: "decided" } | Interruption> {
  const { record, control } = living;
  const { id } = record.turn();
  const lane = laneOf(record.turn());
  const followed = app.decisions.follow(id);
  await record.mark(false);
  control.onWaiting();
  // Follow-ups say what they wait for; without it they say that a question is ahead of them.
  await app.decisions.asks(lane, id).catch(() => undefined);
  const done = await untilDecided(living, followed, app).finally(async () => {
    followed.stop();
    await app.decisions.asks(lane, undefined).catch(() => undefined);
  });
  if (done.kind !== "drain" && done.kind !== "left") control.onRunning();
  return done;
}

async function untilDecided(
  living: Living,
  followed: Followed,
  app: BridgeApp,
): Promise<{ readonly kind: "decided" } | Interruption> {
  const { record, control } = living;
  const reply = replyOf(living);
  const { decisions, clock, settings } = app;
  const { id } = record.turn();
  const signal = control.signal();
  let shown: string | undefined;
  try {
    for (;;) {
      signal.throwIfAborted();
      const turn = await record.refresh();
      if (turn === undefined) return { kind: "left" };
      if (turn.stopRequestedBy !== undefined) return { kind: "stop" };
      const approval = currentApproval(turn);
      if (approval === undefined) return { kind: "restart" };
      const request = undecided(approval);
      if (request === undefined) {
        if (approval.sentAtMs === undefined) await audit(turn, approval.requests, app);
        reply.show(continuedView(turn.soFar ?? reply.view(), approval, clock.now()));
        return { kind: "decided" };
      }
      const leftMs = approval.expiresAtMs - clock.now();
      if (leftMs <= 0) {
        const expired = { isApproved: false, how: "expired", atMs: clock.now() } as const;
        await decisions.decide(id, request.key, expired).catch(() => clock.sleep(retryMs, signal));
        continue;
      }
      const view = waitingView(turn, settings.approvers);
      if (view !== undefined && shown !== request.key) {
        reply.show(view);
        shown = request.key;
        await tellAsker(turn, request, app);
      }
      await followed.next(leftMs, signal);
    }
  } catch (failure) {
    if (!signal.aborted) throw failure;
    return interruptionOf(signal);
  }
}

/** An edit notifies nobody, and a person who asked long ago may look elsewhere. Posted once for each request. */
async function tellAsker(turn: Turn, request: PendingRequest, app: BridgeApp): Promise<void> {
  const { settings, clock, reach, notices, log } = app;
  const askedMs = turn.askedAgainAtMs ?? turn.createdAtMs;
  const isLong = settings.notifyAfterMs > 0 && clock.now() - askedMs > settings.notifyAfterMs;
  if (!isLong || settings.approvers !== "asker" || turn.isPrivate === true || reach.isDirect(turn.askedIn)) return;
  const key = `approval/${turn.id}/${request.key}`;
  await notices
    .post({ key, place: turn.reply.place, document: approvalNeededDocument(turn.actor) })
    .catch((err: unknown) =>
      log.warn({ err, turnId: turn.id, ref: turn.ref }, "Can't notify the asker that a tool call waits for a decision"),
    );
}

/** Before the response is sent: a crash in between repeats entries, but no tool runs without one. */
async function audit(turn: Turn, requests: readonly PendingRequest[], app: BridgeApp): Promise<void> {
  const { settings, log } = app;
  for (const { tool, server, decision } of requests) {
    if (decision === undefined) continue;
    const { isApproved, how, by } = decision;
    const about = { tool, server, agent: turn.agent?.name, ref: turn.ref, how };
    log.info({ turnId: turn.id, ref: turn.ref, tool, server, isApproved, how }, "A tool call has its decision");
    const actor = { ...turn.actor, ...(by ?? parley) };
    const role = settings.approvers === "manage" ? "manage" : "ask";
    const action = isApproved ? "approve" : "deny";
    await app.audit.record({ actor, place: turn.askedIn }, { role, action, about, outcome: "done" });
  }
}

/** Who denies what nobody decided about. */
const parley = { id: "parley", name: "Parley" } as const;
