/**
 * Asks a new agent one question. Some services accept any model and key, and fail only when asked. The question takes a
 * run permit like any other.
 */
import { type AgentService, runsKey, type ServiceProfile } from "../../ports/agent-service.ts";
import type { Clock } from "../../ports/clock.ts";
import { ParleyError, toParleyError } from "../../ports/errors.ts";
import { type Place, workspaceKey } from "../../ports/model/place.ts";
import type { Source, Table } from "../../ports/model/turn.ts";
import type { Coordinator } from "../../ports/state.ts";

/** For an agent about whose knowledge nothing is known. */
export const plainQuestion = "Answer with one word: are you there?";
/** Includes the wait for a run permit. */
const limitMs = 90_000;

export type TestAnswer =
  | { readonly kind: "answered"; readonly text: string; readonly table?: Table; readonly sources: readonly Source[] }
  | { readonly kind: "failed"; readonly error: ParleyError };

/** The newer generation tests the model itself before it creates an agent. */
export function needsTestQuestion(profile: ServiceProfile | undefined): boolean {
  return profile?.generation !== "26.x";
}

/** Never throws. */
export async function askTestQuestion(
  ports: {
    readonly service: Pick<AgentService, "ask" | "askPlain" | "profile">;
    readonly coordinator: Pick<Coordinator, "permit">;
    readonly clock: Clock;
  },
  asked: { readonly project: string; readonly agent: string; readonly question: string },
  place: Place,
): Promise<TestAnswer> {
  const { service, coordinator, clock } = ports;
  const { project, agent, question } = asked;
  const messages = [{ question, answer: "" }];
  const tooLong = new AbortController();
  const cancel = clock.after(limitMs, () => tooLong.abort(new ParleyError("stream_too_long")));
  const { signal } = tooLong;
  try {
    const profile = await service.profile();
    const permit = await coordinator.permit(runsKey, profile.maxRuns, workspaceKey(place), { signal });
    try {
      const streamed = await streamedAnswer();
      if (streamed !== undefined) return streamed;
      // A stream can lose the answer without an error; the plain endpoint, where it works, shows whether it did.
      if (profile.plainWorks) {
        const text = await service.askPlain(project, agent, messages, { signal });
        if (text.trim() !== "") return { kind: "answered", text, sources: [] };
      }
      return { kind: "failed", error: new ParleyError("no_answer") };
    } finally {
      await permit.release();
    }
  } catch (failure) {
    return { kind: "failed", error: toParleyError(signal.aborted ? signal.reason : failure) };
  } finally {
    cancel();
  }

  /** Undefined when the stream ended without an answer; throws on failure. */
  async function streamedAnswer(): Promise<TestAnswer | undefined> {
    let answer: TestAnswer | undefined;
    let sources: readonly Source[] = [];
    for await (const event of service.ask(project, agent, messages, { signal })) {
      if (event.type === "failed") throw event.error;
      if (event.type === "step-finished") sources = [...sources, ...event.sources];
      if (event.type !== "answer") continue;
      const { text, table } = event;
      const isEmpty = text.trim() === "" && table === undefined;
      answer = isEmpty ? undefined : { kind: "answered", text, sources, table };
    }
    return answer;
  }
}
