/** Decodes the bytes of a streamed chat completion into AgentEvents. Accepts any split of the bytes. */
import { type AgentEvent, runLimits } from "../../core/model/agent-event.ts";
import { createEventJson, errorIn } from "../http/event-json.ts";
import type { Decoder } from "../http/event-stream.ts";
import { createKeyRemoval } from "../http/key-removal.ts";
import { readServerEvents } from "../http/server-sent-events.ts";
import { createThoughtsApart } from "../thoughts/apart.ts";
import { createChunkReader } from "./chunk.ts";

export type ChatDecoderOptions = {
  /** A larger chunk ends the stream with answer_too_large. */
  readonly maxChunkBytes?: number;
  /** The same limit for all chunks together. */
  readonly maxRunBytes?: number;
  /** Must not appear in an error. */
  readonly secrets?: readonly string[];
  /** Called for each chunk that is skipped because it isn't JSON. */
  readonly onMalformed?: () => void;
};

export type ChatDecoder = Decoder & {
  /** The service said how the run ended. Without that, the stream was cut. */
  readonly hasEnded: () => boolean;
};

const none: readonly AgentEvent[] = [];

export function createChatDecoder(options: ChatDecoderOptions = {}): ChatDecoder {
  const { maxChunkBytes = runLimits.eventBytes, maxRunBytes = runLimits.bytes, secrets = [] } = options;
  let events: AgentEvent[] = [];
  const withoutKeys = createKeyRemoval(secrets);
  const apart = createThoughtsApart((event) => events.push(withoutKeys(event)));
  const chunks = createChunkReader(apart, secrets);
  const json = createEventJson(() => options.onMalformed?.());
  const reader = readServerEvents({ maxEventBytes: maxChunkBytes, maxRunBytes }, read);

  function read(data: string, name: string | undefined): void {
    if (data === "[DONE]") {
      chunks.finish();
      return;
    }
    const chunk = json.read(data);
    const error = chunk === undefined ? (name === "error" ? data : undefined) : errorIn(chunk, name);
    if (error !== undefined) chunks.fail(error);
    else if (chunk !== undefined) chunks.read(chunk);
  }

  function taken(): readonly AgentEvent[] {
    if (events.length === 0) return none;
    const complete = events;
    events = [];
    return complete;
  }

  return {
    push: (bytes) => {
      if (chunks.hasEnded()) return none;
      json.refuseNonsense();
      reader.push(bytes);
      return taken();
    },
    end: () => {
      if (!chunks.hasEnded()) reader.end();
      chunks.close();
      return taken();
    },
    hasEnded: chunks.hasEnded,
  };
}
