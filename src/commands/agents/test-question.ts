/**
 * Asks a new agent one short question. Some services accept any model and key, and fail only when asked. The question
 * takes a run permit like any other.
 */
import type { AgentService, ServiceProfile } from "../../ports/agent-service.ts";
import { runsKey } from "../../ports/agent-service.ts";
import type { Clock } from "../../ports/clock.ts";
import { ParleyError, toParleyError } from "../../ports/errors.ts";
import { type Place, workspaceKey } from "../../ports/model/place.ts";
import type { Coordinator } from "../../ports/state.ts";

const question = "Answer with one word: are you there?";
/** Includes the wait for a run permit. */
const limitMs = 90_000;

/** The newer generation tests the model itself before it creates an agent. */
export function needsTestQuestion(profile: ServiceProfile): boolean {
  return profile.generation !== "26.x";
}

/** Why the agent didn't answer; undefined if it did. Never throws. */
export async function askTestQuestion(
  ports: {
    readonly service: Pick<AgentService, "ask" | "askPlain" | "profile">;
    readonly coordinator: Pick<Coordinator, "permit">;
    readonly clock: Clock;
  },
  project: string,
  agent: string,
  place: Place,
): Promise<ParleyError | undefined> {
  const { service, coordinator, clock } = ports;
  const tooLong = new AbortController();
  const cancel = clock.after(limitMs, () => tooLong.abort(new ParleyError("stream_too_long")));
  const { signal } = tooLong;
  try {
    const profile = await service.profile();
    const permit = await coordinator.permit(runsKey, profile.maxRuns, workspaceKey(place), { signal });
    try {
      if (await answersStream(signal)) return undefined;
      // A stream can lose the answer without an error; the plain endpoint, where it works, shows whether it did.
      if (profile.plainWorks) {
        const answer = await service.askPlain(project, agent, [{ question, answer: "" }], { signal });
        if (answer.trim() !== "") return undefined;
      }
      return new ParleyError("no_answer");
    } finally {
      await permit.release();
    }
  } catch (failure) {
    return toParleyError(signal.aborted ? signal.reason : failure);
  } finally {
    cancel();
  }

  /** False when the stream ended without an answer; throws on failure. */
  async function answersStream(runSignal: AbortSignal): Promise<boolean> {
    let answered = false;
    for await (const event of service.ask(project, agent, [{ question, answer: "" }], { signal: runSignal })) {
      if (event.type === "failed") throw event.error;
      if (event.type === "answer") answered = event.text.trim() !== "" || event.table !== undefined;
    }
    return answered;
  }
}
