/** Decodes chat completions for tests, and prints their events. */
import { createChatDecoder } from "../../../src/agent-service/chat/stream.ts";
import type { AgentEvent } from "../../../src/core/model/agent-event.ts";

export type Decoded = { readonly events: readonly AgentEvent[]; readonly hasEnded: boolean; readonly skipped: number };

export function decode(...reads: readonly (Uint8Array | string)[]): Decoded {
  let skipped = 0;
  const decoder = createChatDecoder({
    secrets: ["hunter2-token"],
    onMalformed: () => {
      skipped += 1;
    },
  });
  const events = reads.flatMap((read) => [...decoder.push(typeof read === "string" ? Buffer.from(read) : read)]);
  return { events: [...events, ...decoder.end()], hasEnded: decoder.hasEnded(), skipped };
}

/** A stream of chunks with these deltas, then the finish reason and `[DONE]`. */
export function chat(deltas: readonly object[], finish: string | null = "stop"): string {
  const choices = [...deltas.map((delta) => ({ index: 0, delta })), { index: 0, delta: {}, finish_reason: finish }];
  const chunks = choices.map((choice) => ({ id: "chatcmpl-1", object: "chat.completion.chunk", choices: [choice] }));
  return `${chunks.map(wire).join("")}data: [DONE]\n\n`;
}

export function wire(chunk: unknown): string {
  return `data: ${JSON.stringify(chunk)}\n\n`;
}

/** One line for each event; neighbouring pieces of the answer share one. */
export function printed(events: readonly AgentEvent[]): string {
  const lines: string[] = [];
  let pieces = "";
  const flush = () => {
    if (pieces !== "") lines.push(`answer-delta ${JSON.stringify(pieces)}`);
    pieces = "";
  };
  for (const event of events) {
    if (event.type === "answer-delta") {
      pieces += event.text;
      continue;
    }
    flush();
    const { type, ...rest } = event;
    const shown = event.type === "failed" ? { code: event.error.code, what: event.error.what } : rest;
    lines.push(`${type} ${JSON.stringify(shown)}`);
  }
  flush();
  return `${lines.join("\n")}\n`;
}

/** The answer as a reader of the events has it at the end. */
export function answerOf(events: readonly AgentEvent[]): string {
  return events.reduce((text, event) => {
    if (event.type === "answer-delta") return text + event.text;
    return event.type === "answer" ? event.text : text;
  }, "");
}
