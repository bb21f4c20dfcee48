/**
 * Decodes a model's streamed reply, in the shape of Chat Completions or of the Responses API, as far as its text. The
 * shape of each event decides, because gateways translate one into the other.
 */
import type { AgentEvent } from "../../ports/agent-service.ts";
import { runLimits } from "../../ports/agent-service.ts";
import { ParleyError } from "../../ports/errors.ts";
import { isObject, parseJson } from "../../ports/tools/parse-json.ts";
import { present } from "../../ports/tools/present.ts";
import type { Decoder } from "../http/event-stream.ts";
import { openAiFailure } from "../http/openai-problem.ts";
import { readServerEvents } from "../http/server-sent-events.ts";

type Data = Readonly<Record<string, unknown>>;
type Cut = "length" | "filter";

export function createReplyDecoder(): Decoder {
  let events: AgentEvent[] = [];
  let text = "";
  let cut: Cut | undefined;
  let isFinished = false;
  let hasEnded = false;
  const limits = { maxEventBytes: runLimits.eventBytes, maxRunBytes: runLimits.bytes };
  const reader = readServerEvents(limits, (data) => {
    if (hasEnded) return;
    if (data === "[DONE]") {
      end();
      return;
    }
    const event = parseJson(data);
    if (!isObject(event)) return;
    if (typeof event["type"] === "string") readResponse(event, event["type"]);
    else readChunk(event);
  });

  function add(piece: unknown): void {
    if (typeof piece !== "string" || piece === "") return;
    text += piece;
    events.push({ type: "answer-delta", text: piece });
  }

  function fail(error: ParleyError): void {
    events.push({ type: "failed", error });
    isFinished = true;
    end();
  }

  function end(): void {
    if (hasEnded) return;
    if (!isFinished) {
      fail(new ParleyError("stream_cut"));
      return;
    }
    hasEnded = true;
    events.push(present({ type: "answer" as const, text, cut }), { type: "ended" });
  }

  function readChunk(chunk: Data): void {
    if (chunk["error"] !== undefined) {
      fail(openAiFailure(chunk["error"]));
      return;
    }
    const choice = Array.isArray(chunk["choices"]) ? chunk["choices"][0] : undefined;
    if (!isObject(choice)) return;
    const { delta, message, finish_reason: reason } = choice;
    // A server that doesn't stream sends the whole message in one event.
    const said = isObject(delta) ? delta : message;
    if (isObject(said)) {
      add(said["content"]);
      add(said["refusal"]);
    }
    if (typeof reason !== "string" || reason === "") return;
    // It asks to run a tool, though none was offered.
    if (/tool|function/.test(reason) && text.trim() === "") {
      fail(new ParleyError("answer_unusable"));
      return;
    }
    isFinished = true;
    cut = cutOf(reason);
  }

  function readResponse(event: Data, type: string): void {
    switch (type) {
      case "response.output_text.delta":
      case "response.refusal.delta":
        add(event["delta"]);
        break;
      case "response.completed":
      case "response.incomplete":
        readEnd(isObject(event["response"]) ? event["response"] : {});
        break;
      case "response.failed":
        fail(openAiFailure(isObject(event["response"]) ? event["response"]["error"] : event));
        break;
      case "error":
        fail(openAiFailure(event["error"] ?? event));
        break;
      default:
    }
  }

  function readEnd(response: Data): void {
    const details = response["incomplete_details"];
    const whole = messageText(response["output"]);
    if (whole !== "") text = whole;
    isFinished = true;
    if (isObject(details)) cut = cutOf(String(details["reason"]));
    end();
  }

  function taken(): readonly AgentEvent[] {
    const complete = events;
    events = [];
    return complete;
  }

  return {
    push: (bytes) => {
      if (!hasEnded) reader.push(bytes);
      return taken();
    },
    end: () => {
      if (!hasEnded) reader.end();
      end();
      return taken();
    },
  };
}

function cutOf(reason: string): Cut | undefined {
  if (/length|max_(?:output_)?tokens/.test(reason)) return "length";
  return reason === "content_filter" ? "filter" : undefined;
}

/** The text of the last message of a response. Reasoning has parts of the same type, so only messages count. */
function messageText(output: unknown): string {
  const items: readonly unknown[] = Array.isArray(output) ? output : [];
  const last = items.findLast((item) => isObject(item) && item["type"] === "message");
  const content: readonly unknown[] = isObject(last) && Array.isArray(last["content"]) ? last["content"] : [];
  return content
    .map((part) => (isObject(part) ? (part["text"] ?? part["refusal"]) : undefined))
    .filter((part) => typeof part === "string")
    .join("");
}
