/** An error as the page reads it from a response. */
import type { Context } from "hono";
import { type ErrorCode, ParleyError } from "../../../src/core/errors.ts";
import type { Log } from "../../../src/core/ports/log.ts";
import { errorText } from "../../../src/presentation/sentences.ts";

export const problem = (code: ErrorCode, hint?: string) => ({
  error: { code, ...errorText(new ParleyError(code, { hint })) },
});

export const problemOf = (error: ParleyError) => ({ error: { code: error.code, ...errorText(error) } });

/** For routes of the page: while storage is away, the page shows the sentence that says so. */
export function storageFailed(log: Log) {
  return (thrown: Error, context: Context): Response => {
    if (!(thrown instanceof ParleyError) || thrown.code !== "state_unavailable") throw thrown;
    log.warn(
      { err: thrown, method: context.req.method, path: context.req.path },
      "A request of the page met no storage",
    );
    return context.json(problemOf(thrown), 503);
  };
}
