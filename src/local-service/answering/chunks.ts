/** The chunks of a streamed run, as the API document has them. */

/** A call of a tool, as its chunks name it. */
export type Action = { readonly tool: string; readonly tool_input: string; readonly log: string };

export function action(tool: string, input: string, thought: string): Action {
  return { tool, tool_input: input, log: `Thought: ${thought}\nAction: ${tool}\nAction Input: ${input}` };
}

export function startChunk(question: string): unknown {
  return { type: "start", prompt: question, trace_id: "" };
}

export function actionChunk(call: Action): unknown {
  return { actions: [call], messages: [{ content: call.log }], trace_id: "" };
}

export function stepChunk(call: Action, observation: string): unknown {
  return { steps: [{ action: call, observation }], messages: [{ content: observation }], trace_id: "" };
}

export function outputChunk(output: string): unknown {
  return { output, messages: [{ content: output }], trace_id: "" };
}

/** What was written so far. A client that doesn't know the mark takes the last output, which has none. */
export function partialChunk(output: string): unknown {
  return { output, messages: [{ content: output }], trace_id: "", partial: true };
}

/** The model is busy. A client that doesn't know `retry_after_ms` shows the words. `forMs`: absent once it is over. */
export function waitingChunk(forMs: number | undefined): unknown {
  const content = forMs === undefined ? "Asking the language model again." : "The language model is busy.";
  return { type: "status", content, retry_after_ms: forMs ?? null, trace_id: "" };
}

export const endChunk: unknown = { type: "end" };
