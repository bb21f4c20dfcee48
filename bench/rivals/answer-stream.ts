/** Reads an agent's answer from the service, event by event, as the naive bots do. */

type Event = {
  readonly actions?: readonly { readonly tool: string; readonly tool_input: string }[];
  readonly steps?: readonly unknown[];
  readonly output?: string;
};

const asked = /content = '(\w+)'/;

/** Yields what a message should show after each event: a line for each step, at the end the answer alone. */
export async function* answerStream(serviceUrl: string, question: string): AsyncGenerator<string> {
  const response = await fetch(`${serviceUrl}/api/projects/mindsdb/agents/bench/completions/stream`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ messages: [{ question, answer: null }] }),
  });
  const lines: string[] = [];
  let rest = "";
  for await (const part of response.body ?? []) {
    rest += Buffer.from(part).toString();
    const whole = rest.split("\n\n");
    rest = whole.pop() ?? "";
    for (const text of whole) {
      const event = JSON.parse(text.slice("data: ".length)) as Event;
      for (const { tool, tool_input } of event.actions ?? []) {
        lines.push(`⏳ ${tool} “${asked.exec(tool_input)?.[1]}”`);
      }
      if (event.steps !== undefined) lines.push(lines.pop()?.replace("⏳", "✅") ?? "");
      if (event.output !== undefined) yield event.output;
      else if (event.actions !== undefined || event.steps !== undefined) yield lines.join("\n");
    }
  }
}
