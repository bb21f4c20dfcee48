/**
 * Ends a question to nobody in particular. The answer is shown only if it is sure; otherwise the Turn, the log and the
 * metrics record that there was no answer. A schedule's unchanged answer isn't shown either.
 */

import type { Turn, TurnView } from "../../core/model/turn.ts";
import type { BridgeApp } from "../app.ts";
import { clearedAtEnd, type TurnRecord } from "./turn-record.ts";

/** Said to nobody in particular. A schedule that shows only what has changed is quiet too, and was asked for. */
export function isOverheard({ isQuiet, scheduleId }: Pick<Turn, "isQuiet" | "scheduleId">): boolean {
  return isQuiet === true && scheduleId === undefined;
}

/** Nobody is to see anything of it, as far as it is known. */
export function isUnseen({ isQuiet, outcome }: Pick<Turn, "isQuiet" | "outcome">): boolean {
  return isQuiet === true && outcome?.grade !== "sure";
}

/** It leaves no history either: the next question there begins anew. "left": another instance has continued it. */
export async function endUnseen(
  record: TurnRecord,
  view: TurnView,
  startedAtMs: number,
  { log, metrics, clock, unasked }: BridgeApp,
  /** Why a good answer isn't shown: a schedule's is the same as the last one, or there were too many unasked ones. */
  because?: "unchanged" | "limit",
): Promise<"over" | "left"> {
  const { id: turnId, ref } = record.turn();
  const state = view.state === "answered" || view.state === "stopped" ? view.state : "failed";
  const why = because ?? (state === "answered" ? (view.grade === "unsure" ? "unsure" : "nothing") : "failed");
  const ended = {
    ...clearedAtEnd,
    outcome: view,
    notAnswered: state === "stopped" ? undefined : why,
    endedAtMs: view.endedAtMs ?? clock.now(),
  } as const;
  if ((await record.move(state, ended)) === "refused") return "left";
  const turn = record.turn();
  if (isOverheard(turn) && state !== "stopped") {
    const noting =
      turn.askedIn.thread === undefined
        ? unasked.noteQuiet(turn.conversation)
        : unasked.count(turn.conversation, "quiet");
    await noting.catch((err: unknown) => log.info({ err, turnId }, "A question that was overheard was not counted"));
  }
  const outcome = state === "stopped" ? "stopped" : "not_answered";
  log.info({ turnId, ref, outcome, why, steps: view.steps.length, code: view.error?.code }, "A question ended");
  metrics.turnEnded(outcome, { totalMs: clock.now() - startedAtMs });
  return "over";
}
