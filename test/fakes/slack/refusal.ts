/** How Slack refuses a call: an error code in a response with status 200, with reasons where it has some. */
export class SlackRefusal extends Error {
  readonly code: string;
  readonly messages: readonly string[];
  readonly errors: readonly unknown[];
  constructor(code: string, messages: readonly string[] = [], errors: readonly unknown[] = messages.map(withoutMark)) {
    super(code);
    this.code = code;
    this.messages = messages;
    this.errors = errors;
  }
}

export function throwRefused(verdict: { readonly error?: string; readonly messages: readonly string[] }): void {
  if (verdict.error !== undefined) throw new SlackRefusal(verdict.error, verdict.messages);
}

/** The reasons, as Slack's client gets them. */
export function refusedContent({ code, messages, errors }: SlackRefusal): Record<string, unknown> {
  if (messages.length === 0) return { ok: false, error: code };
  return { ok: false, error: code, errors, response_metadata: { messages } };
}

/** The same from `blocks.validate`: apart, with pointers that begin at the list. */
export function validationErrors(messages: readonly string[]): readonly Record<string, string>[] {
  return messages.map((says) => {
    const [, message = says, pointer = ""] =
      /^\[ERROR\] (.*) \[json-pointer:(?:\/view)?\/blocks([^\]]*)\]$/.exec(says) ?? [];
    return { pointer, code: "failed_constraint", message };
  });
}

function withoutMark(message: string): string {
  return message.replace("[ERROR] ", "");
}
