/** Why something could not be read, in a sentence that may be shown; it begins small, to stand behind an address. */
export class ReadFailure extends Error {
  override readonly name = "ReadFailure";
  /** "unreachable": nothing is known of the page, another reader may have more luck. */
  readonly kind: "refused" | "unreadable" | "unreachable";
  readonly reason: string;

  constructor(kind: ReadFailure["kind"], reason: string, cause?: unknown) {
    super(reason, cause === undefined ? undefined : { cause });
    this.kind = kind;
    this.reason = reason;
  }
}
