/** Turns errors of storage into ParleyErrors. The message of SQLite or Redis stays in `cause`, for the log. */
import { ParleyError } from "../core/errors.ts";

/** A ParleyError `state_unavailable`; an error that is already a ParleyError is returned as it is. */
export function stateError(thrown: unknown, sentences: { readonly what?: string; readonly hint?: string } = {}) {
  return thrown instanceof ParleyError ? thrown : new ParleyError("state_unavailable", { ...sentences, cause: thrown });
}

/** What SQLite said, if it is the cause: "database or disk is full". It quotes no content. */
export function sqliteReason(thrown: unknown): string | undefined {
  if (!(thrown instanceof Error)) return undefined;
  return "errcode" in thrown ? thrown.message : sqliteReason(thrown.cause);
}
