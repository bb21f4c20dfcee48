/** The reason why something couldn't be read, in a phrase for people. It begins in lower case, to follow a URL. */
import type { InsertReason } from "../../core/errors.ts";

export class ReadFailure extends Error {
  override readonly name = "ReadFailure";
  /** "unreachable": nothing is known about the page, and another reader may reach it. */
  readonly kind: "refused" | "unreadable" | "unreachable";
  readonly reason: string;

  /** The HTTP status, if that is why. */
  readonly status: number | undefined;
  /** The server is busy, and asks to be asked again after this time. */
  readonly retryAfterMs: number | undefined;

  constructor(kind: ReadFailure["kind"], reason: string, cause?: unknown, status?: number, retryAfterMs?: number) {
    super(reason, cause === undefined ? undefined : { cause });
    this.kind = kind;
    this.reason = reason;
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }
}

const reasons: readonly (readonly [RegExp, InsertReason])[] = [
  [/doesn't resolve/, "url-unresolved"],
  [/no answer within|server can't be reached/, "url-silent"],
  [/HTTPS certificate/, "url-certificate"],
  [/larger than \d+ MB|too complex to read/, "page-too-large"],
  [/not a web page/, "page-not-text"],
  [/no readable text/, "page-empty"],
  [/page not found \(|requires a login|returned an error \(/, "url-failed"],
  [/robots\.txt/, "robots"],
  [/it leads to |internal network/, "url-internal"],
];

/** In the words of an agent service, which a failed insert has. Undefined where it has none for that. */
export function insertReasonOf({ reason }: ReadFailure): InsertReason | undefined {
  return reasons.find(([pattern]) => pattern.test(reason))?.[1];
}
