/** The reason why something couldn't be read, in a phrase for people. It begins in lower case, to follow a URL. */
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
