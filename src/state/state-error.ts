/**
 * What storage throws, as the one error that the bridge knows. What SQLite or Redis said stays in `cause`, for the log.
 */
import { ParleyError } from "../ports/errors.ts";

/** A ParleyError `state_unavailable`; one that is a ParleyError already stays as it is. */
export function stateError(thrown: unknown, sentences: { readonly what?: string; readonly hint?: string } = {}) {
  return thrown instanceof ParleyError ? thrown : new ParleyError("state_unavailable", { ...sentences, cause: thrown });
}
