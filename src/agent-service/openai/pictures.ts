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

/**
 * How models refuse every picture: OpenAI, OpenRouter, Ollama ("does not support image input"), DeepSeek ("unknown variant
 * `image_url`"), vLLM ("is not a multimodal model"), llama.cpp ("provide the mmproj"), servers whose messages are texts.
 */
const refusedPattern =
  /image|picture|vision|multi-?modal|mmproj|(?:must be|expected|valid|not) an? string|invalid (?:content )?(?:part|type)/i;
/** One picture is the fault: the next one may be taken. */
const oneIsBadPattern =
  /(?:could not|couldn't|cannot|failed to|unable to) (?:process|decode|read|load|identify)|(?:invalid|unsupported|corrupt(?:ed)?|malformed|truncated|bad) (?:base64 )?(?:image|picture)|too (?:large|big|small|many)|exceed|dimension|pixels/i;

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
  yield* orWithout(refusable, refusals, (isSent) =>
    isSent ? run({ pictures, note: "" }) : told(run({ pictures: [], note: unseen })),
  );
}

async function* told(events: AsyncIterable<AgentEvent>): AsyncGenerator<AgentEvent, void, undefined> {
  let isTold = false;
  for await (const event of events) {
    yield event;
    if (isTold || event.type === "waiting") continue;
    isTold = true;
    yield { type: "pictures-refused" };
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
  return error.code !== "question_too_long" && saysPictures(error) && !oneIsBadPattern.test(wordsOf(error));
}
