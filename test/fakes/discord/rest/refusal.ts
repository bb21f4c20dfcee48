/** How Discord refuses a request: a status, its own code and words. */
export class DiscordRefusal extends Error {
  readonly status: number;
  readonly code: number;
  /** Seconds, where the same may be asked again. */
  readonly afterS: number | undefined;
  constructor(status: number, code: number, message = "refused", afterS?: number) {
    super(message);
    this.status = status;
    this.code = code;
    this.afterS = afterS;
  }
}
