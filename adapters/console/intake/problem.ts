/** An error as the page reads it from a response. */
import { type ErrorCode, ParleyError } from "../../../src/ports/errors.ts";
import { errorText } from "../../../src/presentation/sentences.ts";

export const problem = (code: ErrorCode, hint?: string) => ({
  error: { code, ...errorText(new ParleyError(code, { hint })) },
});

export const problemOf = (error: ParleyError) => ({ error: { code: error.code, ...errorText(error) } });
