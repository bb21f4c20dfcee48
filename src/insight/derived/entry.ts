/** What the question log keeps of a finished Turn. Pure. */
import { personKey } from "../../core/model/place.ts";
import type { Turn } from "../../core/model/turn.ts";
import type { QuestionEntry, QuestionOutcome } from "./question-log.ts";
import type { ProjectedTurn } from "./turn-projection.ts";

/** The error that people would have read, had nothing been found. */
const modelFailedCode = "model_unavailable";

export function entryOf({ turn, votes }: ProjectedTurn): QuestionEntry {
  const { id, ref, createdAtMs, endedAtMs, askedIn, agent, actor, outcome, unshown } = turn;
  const beganAtMs = turn.askedAgainAtMs ?? createdAtMs;
  return {
    visibility: turn.visibility,
    isPrivate: turn.isPrivate === true ? (true as const) : undefined,
    isScheduled: turn.scheduleId === undefined ? undefined : (true as const),
    endedAtMs, // Another instance, whose clock is behind, may have ended it.
    durationMs: endedAtMs === undefined ? undefined : Math.max(0, endedAtMs - beganAtMs),
    agent: agent === undefined ? undefined : `${agent.project}.${agent.name}`,
    why: unshown === undefined ? turn.notAnswered : ("unshown" as const),
    code: unshown?.code ?? outcome?.error?.code ?? (outcome?.modelFailed === undefined ? undefined : modelFailedCode),
    id,
    ref,
    askedAtMs: createdAtMs,
    place: askedIn,
    outcome: outcomeOf(turn),
    hasSource: outcome?.grade === "sure",
    up: votes.up,
    down: votes.down,
    asker: personKey(askedIn, actor),
  };
}

function outcomeOf({ state, notAnswered, unshown, outcome }: Turn): QuestionOutcome {
  if (state === "stopped") return "stopped";
  if (notAnswered !== undefined || unshown !== undefined) return "not-shown";
  if (state !== "answered" || outcome === undefined) return "failed";
  if (outcome.modelFailed !== undefined) return "passages-only";
  return outcome.grade === "sure" ? "answered" : (outcome.grade ?? "nothing");
}
