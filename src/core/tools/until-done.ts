/** Works that are never lost: what fails is retried until it succeeds, and what never ends begins anew. */
import type { Clock } from "../ports/clock.ts";
import type { WorkDefinition, Works } from "../ports/storage/works.ts";

/** Of one kind, on each instance. */
const concurrency = 10;
/** After a failure, for example while storage was unreachable. The first one may be the end of a process. */
const againMs = { first: 5_000, longest: 60_000 };
const dayMs = 86_400_000;

export function untilDone(works: Pick<Works, "add">, clock: Clock, kind: string): Omit<WorkDefinition<unknown>, "run"> {
  return {
    concurrency,
    attempts: Number.POSITIVE_INFINITY,
    backoff: (attempt) => Math.min(againMs.longest, againMs.first * 2 ** Math.min(attempt - 1, 10)),
    giveUpAfterMs: dayMs,
    onGivenUp: async ({ key, payload }) => {
      await works.add(kind, key, payload, { dueAtMs: clock.now() + againMs.longest });
    },
  };
}
