/** The Responses API of the scripted model server: begins responses, and keeps them where the real server does. */
import type { Framing } from "./chat.ts";
import type { Emission, Json } from "./emission.ts";
import { errorBody, invalid, Refuse } from "./refusals.ts";
import { bridgeStream } from "./responses-bridge.ts";
import { nativeStream } from "./responses-native.ts";
import { type Item, inputItems, readResponses } from "./responses-request.ts";
import { itemsAfter, type Run, type Stored } from "./runs.ts";
import type { Asked, Script } from "./script.ts";

type Parts = {
  readonly framing: Framing;
  readonly script: (asked: Asked) => Script;
  readonly start: (id: string, emissions: Iterable<Emission>) => Run;
};

type Other = { readonly run: Run; readonly from: number } | { readonly body: Json };

export function createResponses({ framing, script: decide, start }: Parts) {
  const stored = new Map<string, Stored>();
  const conversations = new Set<string>();
  let count = 0;
  let conversationCount = 0;

  function begin(body: Json) {
    const isBridge = framing === "litellm" && body["model"] !== "native";
    const before = isBridge ? [] : itemsBefore(body);
    const asked = readResponses(body, before, isBridge);
    const script = decide(asked);
    count += 1;
    const id = newId(count);
    const emissions = isBridge
      ? bridgeStream(script, { id, model: asked.model, body })
      : nativeStream(script, nativeRequest(id, body, asked), framing);
    const begin = () => keep(id, body, before, start(id, emissions), isBridge);
    return {
      ...{ asked, script },
      stream: begin,
      whole: async () => {
        const { run } = begin();
        if (body["background"] !== true || isBridge) while (!run.isOver()) await run.beyond(run.texts.length);
        return run.response();
      },
    };
  }

  function nativeRequest(id: string, body: Json, asked: Asked) {
    const modelsName = framing === "litellm" ? "fake-native" : asked.model;
    return { ...{ id, body, modelsName, model: asked.model, decided: asked.approval, firstItem: (count - 1) * 100 } };
  }

  /** LiteLLM's ids carry its own data: hundreds of characters. */
  function newId(number: number): string {
    const short = `resp_${String(number).padStart(16, "0")}`;
    if (framing === "openai") return short;
    const packed = `litellm:custom_llm_provider:openai;model_id:${"22492f0a7ee315ca".repeat(12)};response_id:${short}`;
    return `resp_${Buffer.from(packed).toString("base64url")}=`;
  }

  function keep(id: string, body: Json, before: readonly Item[], run: Run, isBridge: boolean) {
    const isBackground = body["background"] === true && !isBridge;
    const conversation = typeof body["conversation"] === "string" && !isBridge ? body["conversation"] : undefined;
    const kept = { run, items: [...before, ...inputItems(body)], isBackground, conversation };
    if (!isBridge && body["store"] !== false) stored.set(id, kept);
    return { run, isBackground };
  }

  function itemsBefore({ previous_response_id: previous, conversation }: Json): readonly Item[] {
    if (typeof previous === "string") {
      const before = stored.get(previous);
      if (before !== undefined) return itemsAfter(before);
      const message = `Previous response with id '${previous}' not found.`;
      throw invalid(message, "previous_response_id", "previous_response_not_found");
    }
    if (typeof conversation !== "string") return [];
    if (!conversations.has(conversation)) throw notFound(`Conversation with id '${conversation}' not found.`);
    const ofIt = [...stored.values()].filter((one) => one.conversation === conversation);
    if (ofIt.some(({ run }) => !run.isOver())) {
      throw invalid("Another process is currently operating on this conversation.", null, "conversation_locked");
    }
    const last = ofIt.at(-1);
    return last === undefined ? [] : itemsAfter(last);
  }

  /** Everything but a new response. */
  function other(method: string, path: string, query: URLSearchParams, body: Json): Other {
    const [, , kind, id = "", action] = path.split("/");
    if (framing === "litellm") throw litellmCannot();
    if (kind === "conversations") return conversationCall(method, id, body);
    const found = stored.get(id);
    if (found === undefined) throw notFound(`Response with id '${id}' not found.`);
    if (method === "POST" && action === "cancel") {
      if (!found.isBackground) throw invalid("Cannot cancel a synchronous response.");
      if (!found.run.isOver()) found.run.stop();
      return { body: found.run.response() };
    }
    if (method === "DELETE" && action === undefined) {
      stored.delete(id);
      return { body: { id, object: "response", deleted: true } };
    }
    if (method !== "GET" || action !== undefined) throw notFound(`Invalid URL (${method} ${path})`);
    if (query.get("stream") !== "true") return { body: found.run.response() };
    if (!found.isBackground) throw invalid("This response cannot be streamed: it was not created in the background.");
    const after = Number(query.get("starting_after") ?? -1);
    const from = found.run.sequences.findIndex((sequence) => sequence > after);
    // Numbers begin at 0: what hasn't been sent yet is left out too, up to that one.
    return { run: found.run, from: from < 0 ? Math.max(found.run.texts.length, after + 1) : from };
  }

  function conversationCall(method: string, id: string, { metadata = {} }: Json): Other {
    if (method === "POST" && id === "") {
      conversationCount += 1;
      const created = `conv_${conversationCount}`;
      conversations.add(created);
      return { body: { id: created, object: "conversation", created_at: 1_700_000_000, metadata } };
    }
    if (!conversations.has(id)) throw notFound(`Conversation with id '${id}' not found.`);
    if (method === "DELETE") {
      conversations.delete(id);
      return { body: { id, object: "conversation.deleted", deleted: true } };
    }
    return { body: { id, object: "conversation", created_at: 1_700_000_000, metadata } };
  }

  return { begin, other };
}

function notFound(message: string): Refuse {
  return new Refuse(404, errorBody(message, "invalid_request_error"));
}

function litellmCannot(): Refuse {
  const message =
    'litellm.BadRequestError: OpenAIException - {"error": {"message": "Unknown path", "type": "invalid_request_error", "param": null, "code": null}}';
  return new Refuse(404, errorBody(message, "invalid_request_error", "404"));
}
