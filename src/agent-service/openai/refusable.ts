/**
 * Sends what a server or a model may refuse, and asks again without it if it does. Nobody says beforehand who takes what,
 * so that is found out by asking, once a day.
 */

import { createHash } from "node:crypto";
import { ParleyError } from "../../core/errors.ts";
import type { AgentEvent } from "../../core/model/agent-event.ts";
import type { Refusals } from "../dialect.ts";

const rememberedMs = 24 * 60 * 60_000;

export type Refusable = {
  /** Under which a refusal is remembered: what, and by whom. Not secret. */
  readonly key: string;
  /** A request with it that fails like this may succeed without it. */
  readonly mayRefuse: (error: ParleyError) => boolean;
  /** If asking without it helps, the next requests would fail in the same way. */
  readonly meansAlways: (error: ParleyError) => boolean;
  /** The server is known to refuse it from now on. */
  readonly onRefused: (error: ParleyError) => void;
};

/** Of this request, or of each one. */
export type Refused = "now" | "always";

/** The events of `run`: with it, unless the server refuses it. */
export async function* orWithout(
  { key: text, mayRefuse, meansAlways, onRefused }: Refusable,
  refusals: Refusals | undefined,
  run: (refused: Refused | undefined) => AsyncIterable<AgentEvent>,
): AsyncGenerator<AgentEvent, void, undefined> {
  const key = createHash("sha256").update(text).digest("hex");
  if ((await refusals?.get(key).catch(() => undefined)) === true) return yield* run("always");
  const tried = { hasStarted: false };
  const refusal = yield* tryWith(run(undefined), mayRefuse, tried);
  if (refusal === undefined) return;
  const isAlways = meansAlways(refusal);
  let isNoted = !isAlways;
  for await (const event of run(isAlways ? "always" : "now")) {
    // Only now it is certain what the fault was.
    if (!isNoted && (event.type === "answer" || event.type === "answer-delta")) {
      isNoted = true;
      onRefused(refusal);
      await refusals?.set(key, true, rememberedMs).catch(() => undefined);
    }
    // The first try may have begun, too.
    if (event.type !== "started" || !tried.hasStarted) yield event;
  }
}

/** Returns the error if what was sent may be why nothing came. */
async function* tryWith(
  events: AsyncIterable<AgentEvent>,
  mayRefuse: Refusable["mayRefuse"],
  tried: { hasStarted: boolean },
): AsyncGenerator<AgentEvent, ParleyError | undefined> {
  let hasBegun = false;
  try {
    for await (const event of events) {
      if (event.type === "failed" && !hasBegun && mayRefuse(event.error)) return event.error;
      tried.hasStarted ||= event.type === "started";
      hasBegun ||= !beforeWords.has(event.type);
      yield event;
    }
    return undefined;
  } catch (thrown) {
    if (hasBegun || !(thrown instanceof ParleyError) || !mayRefuse(thrown)) throw thrown;
    return thrown;
  }
}

/** Events that a refusal inside a stream may follow. */
const beforeWords: ReadonlySet<AgentEvent["type"]> = new Set([
  "waiting",
  "started",
  "traced",
  "run",
  "usage",
  "unknown",
]);

/** What the server said, as far as the error has it. */
export function wordsOf({ cause, said }: ParleyError): string {
  return `${said ?? ""}\n${cause instanceof Error ? cause.message : ""}`;
}
