/**
 * Defines a check and what it can use. A check names one behaviour of the API. It runs through the client, so it holds
 * for service and client together, and throws when the behaviour is missing.
 */

import { ParleyError } from "../../src/core/errors.ts";
import type { AgentEvent } from "../../src/core/model/agent-event.ts";
import type { AgentService, ServiceMessage, ServiceProfile } from "../../src/core/ports/agent-service.ts";
import type { Clock } from "../../src/core/ports/clock.ts";

export type CheckContext = {
  readonly service: AgentService;
  readonly clock: Clock;
  readonly profile: ServiceProfile;
  readonly project: string;
  /** Names that nobody else has; everything under them is deleted at the end. */
  readonly names: {
    readonly base: string;
    readonly agent: string;
    readonly renamedAgent: string;
    readonly bareAgent: string;
    readonly otherAgent: string;
    readonly file: string;
    readonly unknown: string;
  };
  /** Runs a call again while a knowledge base is busy, as Parley does. */
  readonly patiently: <T>(call: () => Promise<T>) => Promise<T>;
  /** One run, whole. Asked again when 25.x loses the answer without a failure; throws what the run failed with. */
  readonly ask: (messages: readonly ServiceMessage[], agent?: string) => Promise<readonly AgentEvent[]>;
  /** A client with another key; absent where the service asks for none. */
  readonly withKey?: (key: string) => AgentService;
  /** The shape that the scripted model behind the service has; absent with a model that obeys no words. */
  readonly scripted?: Scripted;
  /** Notes for the report, e.g. that a run had to be asked again. */
  readonly note: (text: string) => void;
};

/** `agent`: the model of cowork-server's agent, which has tools of its own. */
export type Scripted = "chat" | "responses" | "agent";

export type Check = {
  /** Never changes: docs/conformance.md and known.ts name it. */
  readonly id: string;
  readonly says: string;
  /** Absent: it always applies. */
  readonly applies?: (context: CheckContext) => boolean;
  readonly run: (context: CheckContext) => Promise<void>;
};

export class NotAsExpected extends Error {
  override readonly name = "NotAsExpected";
}

export function expect(isTrue: boolean, otherwise: string): asserts isTrue {
  if (!isTrue) throw new NotAsExpected(otherwise);
}

/** The call must fail with one of these codes. */
export async function expectCode(call: () => Promise<unknown>, ...codes: readonly string[]): Promise<void> {
  try {
    await call();
  } catch (thrown) {
    if (!(thrown instanceof ParleyError)) throw thrown;
    expect(codes.includes(thrown.code), `expected ${codes.join(" or ")}, got ${thrown.code}${causeOf(thrown)}`);
    return;
  }
  throw new NotAsExpected(`expected ${codes.join(" or ")}, but it was accepted`);
}

export function asked(question: string): readonly ServiceMessage[] {
  return [{ question, answer: "" }];
}

export function answerOf(events: readonly AgentEvent[]): string {
  const at = events.findLastIndex((event) => event.type === "answer");
  const pieces = events.slice(at + 1).flatMap((event) => (event.type === "answer-delta" ? [event.text] : []));
  const answer = events[at];
  if (answer?.type !== "answer") return pieces.join("");
  return answer.text !== "" ? answer.text + pieces.join("") : JSON.stringify(answer.table?.rows ?? []);
}

export function causeOf(thrown: ParleyError): string {
  return thrown.cause instanceof Error ? ` (${thrown.cause.message})` : "";
}
