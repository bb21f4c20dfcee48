/**
 * Sends the pictures of a question to a model, and asks again without them if it refuses them. Servers don't say which
 * models see pictures.
 */

import type { ParleyError } from "../../core/errors.ts";
import type { AgentEvent } from "../../core/model/agent-event.ts";
import type { AskOptions, Picture, ServiceMessage } from "../../core/ports/agent-service.ts";
import type { DialectOptions } from "../dialect.ts";
import { orWithout, type Refusable, wordsOf } from "./refusable.ts";

/** Sent with the question, so that the model doesn't describe what it can't see. */
const unseen = "(You can't see the pictures that were sent with this.)";

/** A request with pictures that fails like this may succeed without them. OpenRouter refuses them with 404. */
const likelyCodes = new Set([
  "service_request_refused",
  "service_not_understood",
  "agent_not_found",
  "resource_not_found",
  "question_too_long",
]);

/** Words that such a request may be refused with. Whether that holds for every picture, only `takesNonePatterns` tell. */
const refusedPattern =
  /image|picture|vision|multi-?modal|mmproj|(?:must be|expected|valid|not) an? string|invalid (?:content )?(?:part|type)|content type|item type/i;

/**
 * How servers say that a model takes no pictures at all (2026-11). What isn't here concerns only the pictures that were
 * sent: bytes that are none, too many pixels, a filter. A sentence that is missing costs one more request a question; one
 * that is too broad would let one person's bad picture turn pictures off for everyone.
 *
 * In this order: OpenAI; Ollama, Volcengine, LM Studio, LiteLLM, Bedrock and SGLang (not "does not support image format
 * …"); OpenRouter; llama.cpp and gateways (not "Animated images are not supported"); llama.cpp and Ollama without the
 * vision part of a model; vLLM, and of its limits only that of none; Gemini; mlx-lm; DashScope; DeepSeek, and servers
 * whose messages are texts, such as Groq's. test/agent-service/openai-pictures.test.ts has their words.
 */
const takesNonePatterns: readonly RegExp[] = [
  /image_url is only supported by/i,
  /(?:do(?:es)? not|doesn't|don't) support (?:the )?(?:image(?:s? input|s? content|_url)|(?:images?|vision|multi-?modal(?: input)?)(?:[.,;:!"']|$))/im,
  /no endpoints found that support image/i,
  /(?:image (?:input|content)s?|image_url|input_image|vision(?: input)?|multi-?modal(?: input| content)?) (?:is|are) not supported/i,
  /\bmmproj\b/i,
  /missing data required for image input/i,
  /is not a multi-?modal model/i,
  /at most 0 images?\b/i,
  /image input modality is not enabled/i,
  /only '?text'? content type is supported/i,
  /unexpected item type in content/i,
  /unknown variant `?(?:image_url|input_image)/i,
  /invalid type: sequence, expected a string/i,
  /content['"]?(?: :)? (?:value )?must be a string/i,
];

/** As data, so that the server fetches nothing. */
function dataUrl({ mediaType, bytes }: Picture): string {
  return `data:${mediaType};base64,${Buffer.from(bytes).toString("base64")}`;
}

/** The parts of a message in either API. */
export const textPart = {
  chat: (text: string): object => ({ type: "text", text }),
  responses: (text: string): object => ({ type: "input_text", text }),
} as const;

export const picturePart = {
  chat: (picture: Picture): object => ({ type: "image_url", image_url: { url: dataUrl(picture) } }),
  responses: (picture: Picture): object => ({ type: "input_image", image_url: dataUrl(picture), detail: "auto" }),
} as const;

/** The events of `run`, which is asked with the pictures, and with `note` instead where the model takes none. */
export async function* withPictures(
  model: string,
  { pictures = [] }: Pick<AskOptions, "pictures">,
  { baseUrl, refusals, log }: Pick<DialectOptions, "baseUrl" | "refusals"> & Partial<Pick<DialectOptions, "log">>,
  run: (sent: { readonly pictures: readonly Picture[]; readonly note: string }) => AsyncIterable<AgentEvent>,
): AsyncGenerator<AgentEvent, void, undefined> {
  if (pictures.length === 0) return yield* run({ pictures, note: "" });
  const refusable: Refusable = {
    key: `${baseUrl}\n${model}`,
    mayRefuse,
    meansAlways: meansAll,
    onRefused: (err) => log?.info({ err, agent: model }, "This model takes no pictures; none are sent to it for a day"),
  };
  yield* orWithout(refusable, refusals, (refused) =>
    refused === undefined
      ? run({ pictures, note: "" })
      : told(run({ pictures: [], note: unseen }), refused === "always" ? "any" : "these"),
  );
}

async function* told(
  events: AsyncIterable<AgentEvent>,
  of: "any" | "these",
): AsyncGenerator<AgentEvent, void, undefined> {
  let isTold = false;
  for await (const event of events) {
    yield event;
    if (isTold || event.type === "waiting") continue;
    isTold = true;
    yield { type: "pictures-refused", of };
  }
}

/** The messages with a note after the question. */
export function withNote(messages: readonly ServiceMessage[], note: string): readonly ServiceMessage[] {
  const last = messages.at(-1);
  if (note === "" || last === undefined) return messages;
  return [...messages.slice(0, -1), { ...last, question: `${last.question}\n\n${note}` }];
}

function mayRefuse(error: ParleyError): boolean {
  return likelyCodes.has(error.code) || saysPictures(error);
}

/** It says so. */
export function saysPictures(error: ParleyError): boolean {
  return refusedPattern.test(wordsOf(error));
}

function meansAll(error: ParleyError): boolean {
  const words = wordsOf(error);
  return takesNonePatterns.some((pattern) => pattern.test(words));
}
