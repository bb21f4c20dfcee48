/** What a person deleted on the page is deleted, however long storage or Parley's own end takes. */
import type { WorkDefinition } from "../../../src/core/ports/storage/works.ts";

const backoffMs = { first: 1_000, longest: 60_000 };

export const untilDone: Omit<WorkDefinition<unknown>, "run"> = {
  concurrency: 10,
  attempts: 1_000,
  backoff: (attempt) => Math.min(backoffMs.longest, backoffMs.first * 2 ** Math.min(attempt - 1, 10)),
  giveUpAfterMs: 7 * 86_400_000,
};
