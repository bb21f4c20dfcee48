/** How Slack refuses a call: an error code in a response with status 200. */
export class SlackRefusal extends Error {
  readonly code: string;
  constructor(code: string) {
    super(code);
    this.code = code;
  }
}
