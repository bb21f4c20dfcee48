/**
 * What a Reply writer is about to show: progress or the end. Of progress only the newest matters; the end must be
 * shown.
 */

import type { Document } from "../ports/document.ts";
import { ParleyError } from "../ports/errors.ts";
import type { Drawn } from "./drawing.ts";
import type { Rendered } from "./perform.ts";

/** A document to show. Rendered when it is its turn, because most progress never is. */
export type Target = {
  readonly document: Document;
  readonly sinceMs: number;
  /** The update it waited for has arrived, so it waits no longer. */
  readonly isSettled?: boolean;
  rendered?: Rendered;
};

export type Final = Target & {
  readonly signal: AbortSignal | undefined;
  /** Absent until it is rendered. */
  drawn?: Drawn;
  readonly settle: { readonly resolve: () => void; readonly reject: (reason: unknown) => void };
  isPlain: boolean;
  /** Its own backoff. */
  notBeforeMs: number;
  failures: number;
  oddFailures: number;
  /** Of the upload; a success in between does not reset them. */
  fileFailures: number;
  failingSinceMs: number | undefined;
};

/** A closed writer writes nothing. */
export function closedError(): ParleyError {
  return new ParleyError("internal", { what: "The reply was closed before it was shown." });
}
