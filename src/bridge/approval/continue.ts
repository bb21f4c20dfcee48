/** Continues an answer once people have decided: with the same agent, and with each response sent at most once. */

import { ParleyError, toParleyError } from "../../core/errors.ts";
import type { Approval } from "../../core/model/approval.ts";
import type { Turn, TurnView } from "../../core/model/turn.ts";
import type { AskOptions } from "../../core/ports/agent-service.ts";
import type { BridgeApp } from "../app.ts";
import { type Chosen, chooseAgent } from "../turn/preparation.ts";
import { accessNow } from "../turn/turn-access.ts";
import type { TurnRecord } from "../turn/turn-record.ts";
import type { TurnWork } from "../turn/turn-work.ts";
import { failWith } from "../turn/view.ts";
import { continuedView, currentApproval, isAnyApproved, responsesTo } from "./approval-view.ts";

/**
 * The agent that asked, whatever is bound there by now: what people approved is that agent's call. Other than before an
 * ordinary answer, access that can't be determined counts as none.
 */
export async function sameAgent(turn: Turn, app: BridgeApp): Promise<Chosen> {
  const { agent } = turn;
  if (agent === undefined) return chooseAgent(turn, app);
  try {
    app.circuit.check(turn.attempt > 1);
    const refusal = await accessNow(turn, agent, app);
    return refusal === undefined ? { kind: "agent", agent } : { kind: "failed", error: refusal };
  } catch (failure) {
    return { kind: "failed", error: toParleyError(failure) };
  }
}

/** Stores first that the responses are sent: after a crash nobody knows whether an approved tool ran. */
export async function sendOnce(
  record: TurnRecord,
  approval: Approval,
  begun: Pick<AskOptions, "resume" | "thread">,
  { clock }: BridgeApp,
): Promise<Omit<AskOptions, "signal">> {
  // They were sent before the process died, and the run that got them is read on.
  if (approval.sentAtMs !== undefined && begun.resume !== undefined) return begun;
  const stored = await record.move("running", { approval: { ...approval, sentAtMs: clock.now() } });
  if (stored !== "stored") throw new ParleyError("state_unavailable");
  return { resume: approval.run, thread: approval.thread ?? begun.thread, approvals: responsesTo(approval) };
}

/**
 * The end of a Turn whose process died after it had sent an approval: the tool may have run, so nothing is sent again.
 * Called before its first attempt in this process. Undefined if nothing is in doubt.
 */
export async function endIfUnclear(
  { record, picture }: TurnWork,
  { service, log, clock }: BridgeApp,
): Promise<TurnView | undefined> {
  const turn = record.turn();
  const approval = currentApproval(turn);
  if (approval?.sentAtMs === undefined || !isAnyApproved(approval)) return undefined;
  const profile = turn.run?.attempt === turn.attempt ? await service.profile().catch(() => undefined) : undefined;
  if (profile?.resumes === true) return undefined;
  const about = { turnId: turn.id, ref: turn.ref };
  log.warn(about, "An approved tool may have run before the process died; its approval isn't sent again");
  const view = continuedView(turn.soFar ?? picture.view(), approval, approval.sentAtMs);
  return failWith(view, new ParleyError("approval_unclear"), clock.now());
}
