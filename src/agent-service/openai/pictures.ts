/**
 * Sends the pictures of a question to a model, and asks again without them if it refuses them. Servers don't say which
 * models see pictures, so that is found out by asking, once a day for each model.
 */

import { createHash } from "node:crypto";
import { ParleyError } from "../../core/errors.ts";
import type { AgentEvent } from "../../core/model/agent-event.ts";
import type { AskOptions, Picture, ServiceMessage } from "../../core/ports/agent-service.ts";
import type { DialectOptions } from "../dialect.ts";

const rememberedMs = 24 * 60 * 60_000;

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
export function dataUrl({ mediaType, bytes }: Picture): string {
  return `data:${mediaType};base64,${Buffer.from(bytes).toString("base64")}`;
}

/** The events of `run`, which is asked with the pictures, and with `note` instead where the model takes none. */
export async function* withPictures(
  model: string,
  { pictures = [] }: Pick<AskOptions, "pictures">,
  { baseUrl, pictureRefusals, log }: Pick<DialectOptions, "baseUrl" | "pictureRefusals" | "log">,
  run: (sent: { readonly pictures: readonly Picture[]; readonly note: string }) => AsyncIterable<AgentEvent>,
): AsyncGenerator<AgentEvent, void, undefined> {
  if (pictures.length === 0) return yield* run({ pictures, note: "" });
  const key = createHash("sha256").update(`${baseUrl}\n${model}`).digest("hex");
  const isKnown = (await pictureRefusals?.get(key).catch(() => undefined)) === true;
  const tried = { hasStarted: false };
  const refusal = isKnown ? undefined : yield* tryWith(run({ pictures, note: "" }), tried);
  if (!isKnown && refusal === undefined) return;
  let isTold = false;
  let isNoted = isKnown || refusal === undefined || !meansAll(refusal);
  for await (const event of run({ pictures: [], note: unseen })) {
    // Only now it is certain that the pictures were the fault.
    if (!isNoted && (event.type === "answer" || event.type === "answer-delta")) {
      isNoted = true;
      log.info({ err: refusal, agent: model }, "This model takes no pictures; none are sent to it for a day");
      await pictureRefusals?.set(key, true, rememberedMs).catch(() => undefined);
    }
    // The first try may have begun, too.
    if (event.type !== "started" || !tried.hasStarted) yield event;
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

/** Returns the error if the pictures may be why nothing came. */
async function* tryWith(
  events: AsyncIterable<AgentEvent>,
  tried: { hasStarted: boolean },
): AsyncGenerator<AgentEvent, ParleyError | undefined> {
  let hasBegun = false;
  try {
    for await (const event of events) {
      if (event.type === "failed" && !hasBegun && mayRefuse(event.error)) return event.error;
      tried.hasStarted ||= event.type === "started";
      hasBegun ||= !beforeWords.has(event.type);
      yield event;
    }
    return undefined;
  } catch (thrown) {
    if (hasBegun || !(thrown instanceof ParleyError) || !mayRefuse(thrown)) throw thrown;
    return thrown;
  }
}

/** Events that a refusal inside a stream may follow. */
const beforeWords: ReadonlySet<AgentEvent["type"]> = new Set(["waiting", "started", "traced", "run", "unknown"]);

function mayRefuse(error: ParleyError): boolean {
  return likelyCodes.has(error.code) || refusedPattern.test(wordsOf(error));
}

function meansAll(error: ParleyError): boolean {
  const words = wordsOf(error);
  return error.code !== "question_too_long" && refusedPattern.test(words) && !oneIsBadPattern.test(words);
}

function wordsOf({ cause, said }: ParleyError): string {
  return `${said ?? ""}\n${cause instanceof Error ? cause.message : ""}`;
}
