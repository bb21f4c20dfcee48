/**
 * Limits how often a Turn is resumed after its process died: twice, then it fails. Otherwise a question that kills its
 * process would kill every later one. The count is stored before each attempt begins, and only while work on the Turn
 * is under way, so that questions waiting in line are not blamed for another one.
 */
import { ParleyError } from "../../core/errors.ts";
import type { Turn, TurnView } from "../../core/model/turn.ts";
import type { Coordinator, Lease } from "../../core/ports/state.ts";
import type { TurnRecord } from "./turn-record.ts";
import { interruptionOf, type TurnControl } from "./turn-work.ts";
import { failWith } from "./view.ts";

/** Beyond the first attempt. */
const maxResumptions = 2;

/** Held during a last attempt, over all instances: questions that died beside the one at fault survive it. */
const lastAttemptKey = "last-attempt";
/** If storage is unreachable for longer, the next scan for unfinished Turns takes over. */
const patienceMs = 1_500;

/** Includes the attempt about to begin. */
function resumptionsOf({ isUnderWay: hasDied = false, resumptions = 0 }: Turn): number {
  return resumptions + (hasDied ? 1 : 0);
}

/**
 * Stores that the Turn is under way again. Undefined when it does not continue here: the process is shutting down, or
 * another instance has it. Called under the Turn's lane.
 */
export async function beginAgain(
  record: TurnRecord,
  control: TurnControl,
  coordinator: Pick<Coordinator, "lease">,
): Promise<{ readonly lease: Lease | undefined } | undefined> {
  const turn = record.turn();
  const resumptions = resumptionsOf(turn);
  const isLast = resumptions === maxResumptions;
  // The first write under the lane: it locks out a previous holder that may still believe it holds the lane.
  if (isLast && (await record.move(turn.state, {})) === "refused") return undefined;
  const held = isLast ? await acquireLastAttempt(control, coordinator) : { lease: undefined };
  if (held === undefined) return undefined;
  const written = await record.move(turn.state, { isUnderWay: true, resumptions }, patienceMs);
  if (written === "stored") return held;
  await held.lease?.release();
  if (written === "refused") return undefined;
  throw new ParleyError("state_unavailable");
}

/**
 * Always called under the Turn's lane, and the holder of this lease waits for no lane. Undefined when the process is
 * shutting down, or another instance has the Turn.
 */
export async function acquireLastAttempt(control: TurnControl, coordinator: Pick<Coordinator, "lease">) {
  const signal = control.signal();
  try {
    return { lease: await coordinator.lease(lastAttemptKey, { signal }) };
  } catch (failure) {
    if (!signal.aborted) throw failure;
    const { kind } = interruptionOf(signal);
    if (kind === "drain" || kind === "taken") return undefined;
    // Stopped, or edited: the next round reads what was stored with it.
    control.renew();
    return { lease: undefined };
  }
}

/** From here on the Turn only waits: if the process dies now, something else killed it. */
export async function markWaiting(record: TurnRecord): Promise<void> {
  const { state, isUnderWay } = record.turn();
  if (isUnderWay === true) await record.move(state, { isUnderWay: false }, patienceMs);
}

/** The Turn works again: what it waited for has arrived. */
export async function markUnderWay(record: TurnRecord): Promise<void> {
  const { state, isUnderWay } = record.turn();
  if (isUnderWay === false) await record.move(state, { isUnderWay: true }, patienceMs);
}

/** No process died: storage or the platform is unreachable, perhaps for long. */
export async function undoResumption(record: TurnRecord, before: number | undefined, failure: unknown): Promise<void> {
  const code = failure instanceof ParleyError ? failure.code : "internal";
  if (code !== "state_unavailable" && code !== "platform_unreachable" && code !== "platform_rate_limited") return;
  await record.move(record.turn().state, { isUnderWay: false, resumptions: before ?? 0 }, patienceMs);
}

/** Nothing more is attempted except to say so. */
export function isGivenUp({ resumptions = 0, outcome }: Turn): boolean {
  return resumptions > maxResumptions || outcome?.error?.code === "gave_up";
}

/**
 * The end of a Turn that was resumed too often. "silently": showing that end has killed its process too often as well,
 * so it is recorded and not shown. Undefined while attempts are left.
 */
export function giveUp(turn: Turn, view: TurnView, nowMs: number): TurnView | "silently" | undefined {
  if ((turn.resumptions ?? 0) <= maxResumptions) return undefined;
  const { outcome } = turn;
  if (outcome?.error?.code === "gave_up") return "silently";
  if (outcome === undefined) return failWith(view, new ParleyError("gave_up"), nowMs);
  // Omits everything that could not be shown.
  return failWith(
    view,
    new ParleyError("gave_up", {
      what: "Parley was interrupted three times while posting this answer, so it stopped trying.",
    }),
    nowMs,
  );
}
