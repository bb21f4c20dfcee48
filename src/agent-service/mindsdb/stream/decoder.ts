/**
 * Decodes the bytes of a stream into AgentEvents. Accepts any split of the bytes, LF, CRLF or CR line ends, missing
 * empty lines and a missing end. Time limits are in runs.ts.
 */

import { ParleyError } from "../../../core/errors.ts";
import { type AgentEvent, runLimits } from "../../../core/model/agent-event.ts";
import { isObject } from "../../../core/tools/parse-json.ts";
import { errorIn, parseLenient } from "../../http/event-json.ts";
import type { Decoder } from "../../http/event-stream.ts";
import { messageOf } from "../../http/openai-problem.ts";
import { createThoughtsApart } from "../../thoughts/apart.ts";
import { createChunkReader } from "./chunk.ts";
import { createLineReader } from "./lines.ts";

export type DecoderOptions = {
  /** A larger chunk ends the stream with answer_too_large. */
  readonly maxChunkBytes?: number;
  /** The same limit for all chunks together. */
  readonly maxRunBytes?: number;
  /** Called for each chunk that is skipped because it isn't JSON. */
  readonly onMalformed?: () => void;
};

const none: readonly AgentEvent[] = [];

export function createDecoder(options: DecoderOptions = {}): Decoder {
  const { maxChunkBytes = runLimits.eventBytes, maxRunBytes = runLimits.bytes } = options;
  let bytesInAll = 0;
  const chunks = createChunkReader();
  const lines = createLineReader();
  let events: AgentEvent[] = [];
  const apart = createThoughtsApart((event) => events.push(event));

  function translate(texts: readonly string[]): readonly AgentEvent[] {
    if (texts.length === 0) return none;
    events = [];
    for (const text of texts) {
      if (chunks.hasEnded()) break;
      const chunk = asChunk(parseLenient(text));
      if (chunk === undefined) options.onMalformed?.();
      else chunks.read(chunk).forEach(apart);
    }
    return events;
  }

  return {
    push: (bytes) => {
      if (chunks.hasEnded()) return none;
      // Checked before the next bytes, so that complete events before an endless chunk aren't lost with it.
      if (lines.pendingBytes() > maxChunkBytes) {
        throw new ParleyError("answer_too_large", {
          cause: new Error(`A chunk of the stream is larger than ${maxChunkBytes} bytes.`),
        });
      }
      bytesInAll += bytes.length;
      if (bytesInAll > maxRunBytes) {
        throw new ParleyError("answer_too_large", {
          what: `The agent sent more than ${Math.floor(maxRunBytes / 1024 / 1024)} MB while it worked, so Parley stopped reading.`,
          cause: new Error(`A run is larger than ${maxRunBytes} bytes.`),
        });
      }
      return translate(lines.push(bytes));
    },
    end: () => translate(lines.end()),
  };
}

/** What a server that doesn't stream answers, and errors that aren't the service's own, as chunks. */
function asChunk(value: unknown): unknown {
  if (!isObject(value)) return value;
  const { message } = value;
  if (isObject(message) && typeof message["content"] === "string" && value["type"] === undefined) {
    return { output: message["content"] };
  }
  const error = "content" in value ? undefined : errorIn(value, undefined);
  return isObject(error) ? { ...value, type: "error", error: messageOf(error) || error } : value;
}
