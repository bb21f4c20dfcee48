/** Opens a run against a real server, with the parts of a stream and a reader of its events. */
import type { ServerResponse } from "node:http";
import { expect } from "vitest";
import type { DialectOptions } from "../../../src/agent-service/dialect.ts";
import { ParleyError } from "../../../src/core/errors.ts";
import type { AgentEvent } from "../../../src/core/model/agent-event.ts";
import { open, question } from "../open-service.ts";
import type { Answer } from "../real-server.ts";

export const start = 'data: {"type": "start", "prompt": "x", "trace_id": ""}\n\n';
export const answer = 'data: {"output": "At two.", "messages": [], "trace_id": ""}\n\n';
export const end = 'data: {"type": "end"}\n\n';

export async function openStream(answerRequest: Answer, options: Partial<DialectOptions> = {}) {
  const opened = await open(answerRequest, options);
  const ask = (signal?: AbortSignal) =>
    opened.service.ask("mindsdb", "support", question, signal === undefined ? {} : { signal })[Symbol.asyncIterator]();
  return { ...opened, ask };
}

export function beginStream(response: ServerResponse, ...chunks: (string | Buffer)[]): void {
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
  for (const chunk of chunks) response.write(chunk);
}

/** All events, and what the stream threw in the end. */
export async function collect(events: AsyncIterator<AgentEvent>): Promise<{ types: string[]; code?: string }> {
  const types: string[] = [];
  try {
    for (;;) {
      const next = await events.next();
      if (next.done === true) return { types };
      types.push(next.value.type);
    }
  } catch (thrown) {
    expect(thrown).toBeInstanceOf(ParleyError);
    return { types, code: (thrown as ParleyError).code };
  }
}
