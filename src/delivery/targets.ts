/**
 * What a Reply writer is on its way to show: progress, of which only the newest matters, or the end, which must be shown.
 */

import type { Document } from "../ports/document.ts";
import { ParleyError } from "../ports/errors.ts";
import type { Drawn } from "./drawing.ts";
import type { Rendered } from "./perform.ts";

/** A document on its way; rendered when it is its turn, because most progress never is. */
export type Target = {
  readonly document: Document;
  readonly sinceMs: number;
  /** What it waited for has come: it waits for nothing more. */
  readonly isSettled?: boolean;
  rendered?: Rendered;
};

export type Final = Target & {
  readonly signal: AbortSignal | undefined;
  /** Absent until it is drawn. */
  drawn?: Drawn;
  readonly settle: { readonly resolve: () => void; readonly reject: (reason: unknown) => void };
  isPlain: boolean;
  /** Its own backoff. */
  notBeforeMs: number;
  failures: number;
  oddFailures: number;
  /** Of the upload, which what succeeds in between does not take back. */
  fileFailures: number;
  failingSinceMs: number | undefined;
};

/** Nothing is written by a writer that was closed. */
export function closedError(): ParleyError {
  return new ParleyError("internal", { what: "The reply was closed before it was shown." });
}
