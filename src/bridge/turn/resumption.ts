/**
 * Nothing is tried forever. A Turn in which a process died is taken up again at most twice, then it ends as failed: a
 * question that kills its process would else kill every later one. The count is stored before each attempt begins, and
 * only while there is work on the Turn: whoever waits in line has no part in what another question does.
 */
import { ParleyError } from "../../ports/errors.ts";
import type { Turn, TurnView } from "../../ports/model/turn.ts";
import type { Coordinator, Lease } from "../../ports/state.ts";
import type { Interruption } from "./run.ts";
import type { TurnControl } from "./turn-deps.ts";
import type { TurnRecord } from "./turn-record.ts";
import { failWith } from "./turn-view.ts";

/** Beyond the first attempt. */
const maxResumptions = 2;

/** Held during a last attempt, over all instances: the questions that died beside the one at fault outlive it. */
const lastAttemptKey = "last-attempt";
/** A storage that is away for longer is waited for by the next look for unfinished Turns. */
const patienceMs = 1_500;

/** With the attempt that is about to begin. Records of 0.1.0 say nothing but that they were running. */
function resumptionsOf(turn: Turn): number {
  const hasDied = turn.isUnderWay ?? turn.state === "running";
  return (turn.resumptions ?? 0) + (hasDied ? 1 : 0);
}

/**
 * Stores that the Turn is under way again. Undefined when it is not to be gone on with here: the process ends, or somebody
 * else has it. Called under the Turn's lane.
 */
export async function beginAgain(
  record: TurnRecord,
  control: TurnControl,
  coordinator: Pick<Coordinator, "lease">,
): Promise<{ readonly lease: Lease | undefined } | undefined> {
  const turn = record.turn();
  const resumptions = resumptionsOf(turn);
  const isLast = resumptions === maxResumptions;
  // The first write under the lane: whoever had it before, and may still believe to have it, is refused from here on.
  if (isLast && (await record.move(turn.state, {})) === "refused") return undefined;
  const alone = isLast ? await waitToBeAlone(control, coordinator) : { lease: undefined };
  if (alone === undefined) return undefined;
  const written = await record.move(turn.state, { isUnderWay: true, resumptions }, patienceMs);
  if (written === "stored") return alone;
  await alone.lease?.release();
  if (written === "refused") return undefined;
  throw new ParleyError("state_unavailable");
}

/** Always under the Turn's lane: who holds it waits for no lane. Undefined when the process ends, or somebody else has it. */
export async function waitToBeAlone(control: TurnControl, coordinator: Pick<Coordinator, "lease">) {
  const signal = control.signal();
  try {
    return { lease: await coordinator.lease(lastAttemptKey, { signal }) };
  } catch (failure) {
    if (!signal.aborted) throw failure;
    const { kind } = signal.reason as Interruption;
    if (kind === "drain" || kind === "taken") return undefined;
    // Stopped, or other words: what was stored with it is seen next.
    control.renew();
    return { lease: undefined };
  }
}

/** From here on it only waits: a process that dies now died of something else. */
export async function rest(record: TurnRecord): Promise<void> {
  const { state, isUnderWay } = record.turn();
  if (isUnderWay === true) await record.move(state, { isUnderWay: false }, patienceMs);
}

/** What it waited for is there. */
export async function goOn(record: TurnRecord): Promise<void> {
  const { state, isUnderWay } = record.turn();
  if (isUnderWay === false) await record.move(state, { isUnderWay: true }, patienceMs);
}

/** No process died: the storage or the platform is away, and may be for long. */
export async function uncount(record: TurnRecord, before: number | undefined, failure: unknown): Promise<void> {
  const code = failure instanceof ParleyError ? failure.code : "internal";
  if (code !== "state_unavailable" && code !== "platform_unreachable" && code !== "platform_rate_limited") return;
  await record.move(record.turn().state, { isUnderWay: false, resumptions: before ?? 0 }, patienceMs);
}

/** Nothing of it is tried any more but to say so. */
export function isGivenUp({ resumptions = 0, outcome }: Turn): boolean {
  return resumptions > maxResumptions || outcome?.error?.code === "gave_up";
}

/**
 * How a Turn ends that was taken up too often. "silently": even that end has killed its process too often, so that
 * it is recorded and not shown. Undefined while there are attempts left.
 */
export function giveUp(turn: Turn, view: TurnView, nowMs: number): TurnView | "silently" | undefined {
  if ((turn.resumptions ?? 0) <= maxResumptions) return undefined;
  const { outcome } = turn;
  if (outcome?.error?.code === "gave_up") return "silently";
  if (outcome === undefined) return failWith(view, new ParleyError("gave_up"), nowMs);
  // Nothing of what could not be shown.
  return failWith(view, new ParleyError("gave_up", { what: unshown }), nowMs);
}

const unshown = "Parley was interrupted three times while it posted this answer, so it stopped trying.";
