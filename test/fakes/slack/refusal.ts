/** How Slack refuses a call: an error code in an answer with status 200. */
export class SlackRefusal extends Error {
  readonly code: string;
  constructor(code: string) {
    super(code);
    this.code = code;
  }
}
