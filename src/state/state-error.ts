/** Turns errors of storage into ParleyErrors. The message of SQLite or Redis stays in `cause`, for the log. */
import { ParleyError } from "../core/errors.ts";

/** A ParleyError `state_unavailable`; an error that is already a ParleyError is returned as it is. */
export function stateError(thrown: unknown, sentences: { readonly what?: string; readonly hint?: string } = {}) {
  return thrown instanceof ParleyError ? thrown : new ParleyError("state_unavailable", { ...sentences, cause: thrown });
}

/** Half of what was stored is no store to answer from. */
export const halfRestored = (store: string) =>
  new ParleyError("state_unavailable", {
    what: `A restore into ${store} has begun and hasn't ended, so Parley can't use it yet.`,
    hint: "Run the restore again with the same file: it continues where it stopped.",
  });

/** What SQLite said, if it is the cause: "database or disk is full". It quotes no content. */
export function sqliteReason(thrown: unknown): string | undefined {
  if (!(thrown instanceof Error)) return undefined;
  return "errcode" in thrown ? thrown.message : sqliteReason(thrown.cause);
}
