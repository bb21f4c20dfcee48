/** Connects the built-in service to the language model at LOCAL_MODEL_URL. */
import { join } from "node:path";
import type { Config } from "../../../config/config.ts";
import { type ErrorCode, ParleyError } from "../../../core/errors.ts";
import type { Clock } from "../../../core/ports/clock.ts";
import {
  createModelEndpoint,
  type ModelEndpoint,
  type ModelEndpointOptions,
  whyRunFailed,
} from "../../agent-service.ts";
import type { Embedder, Reranker } from "../embedding/embedder.ts";
import { countEmbeddings, databaseName } from "../storage/database.ts";
import {
  type FailureReason,
  type LanguageModel,
  ModelFailure,
  type ModelPiece,
  type ModelRequest,
} from "./language-model.ts";

/** The client of the service gets what was found before it gives up: the model has half of its time. */
const shareOfTime = 0.5;

/** For the doctor's question: a model on the same machine may have to be loaded first. */
const doctorMs = 60_000;

const refusedTexts: readonly ErrorCode[] = ["service_request_refused", "question_too_long", "run_failed"];

type ConnectedModel = {
  readonly model: LanguageModel;
  readonly embedder?: Embedder;
  readonly reranker?: Reranker;
  readonly close: () => Promise<void>;
};

export function connectModel(
  { localModel, serviceLimits, proxy }: Pick<Config, "localModel" | "serviceLimits" | "proxy">,
  clock: Clock,
  remembering: Pick<ModelEndpointOptions, "refusals" | "log"> = {},
): (ConnectedModel & { readonly endpoint: ModelEndpoint }) | undefined {
  const { url, name, key, embeddingModel, rerankModel } = localModel;
  if (url === undefined) return undefined;
  const silenceMs = serviceLimits.silenceMs * shareOfTime;
  const limitMs = serviceLimits.runMs * shareOfTime;
  const limits = { firstChunkMs: silenceMs, silenceMs, runMs: limitMs };
  const endpoint = createModelEndpoint({ baseUrl: url, key, model: name, limits, clock, proxy, ...remembering });
  const model = {
    name: name ?? new URL(url).host,
    limitMs,
    write: (request: ModelRequest) => write(endpoint, request),
  };
  const embedder =
    embeddingModel === undefined
      ? undefined
      : {
          name: embeddingModel,
          embed: (texts: readonly string[], signal: AbortSignal) => endpoint.embed(embeddingModel, texts, signal),
          isRefused: (thrown: unknown) => thrown instanceof ParleyError && refusedTexts.includes(thrown.code),
        };
  const reranker: Reranker | undefined =
    rerankModel === undefined
      ? undefined
      : {
          name: rerankModel,
          rate: (query, documents, signal) => endpoint.rerank(rerankModel, query, documents, signal),
        };
  return { embedder, reranker, model, endpoint, close: endpoint.close };
}

/** For the doctor. Throws ParleyError. */
export async function askModel(config: Parameters<typeof connectModel>[0], clock: Clock): Promise<string> {
  const connected = connectModel(config, clock);
  if (connected === undefined) return "";
  const { endpoint } = connected;
  try {
    const { model, baseUrl } = await endpoint.describe();
    const asked = { instructions: "Reply with the word OK.", messages: [{ role: "user", text: "OK?" }] } as const;
    let text = "";
    for await (const event of endpoint.write({ ...asked, signal: AbortSignal.timeout(doctorMs) })) {
      if (event.type === "failed") throw event.error;
      if (event.type === "answer" || event.type === "answer-delta") text += event.text;
    }
    if (text.trim() === "") throw new ParleyError("no_answer");
    const api = endpoint.api() === "responses" ? "Responses" : "Chat Completions";
    return `${model} at ${baseUrl} answers (${api})`;
  } catch (thrown) {
    throw inModelWords(thrown, config.localModel.url ?? "", "LOCAL_MODEL");
  } finally {
    await endpoint.close();
  }
}

/** For the doctor. Throws ParleyError. */
export async function askEmbeddingModel(
  config: Parameters<typeof connectModel>[0] & Pick<Config, "dataDir">,
  clock: Clock,
): Promise<string> {
  const connected = connectModel(config, clock);
  if (connected?.embedder === undefined) return "";
  const { name, embed } = connected.embedder;
  try {
    await embed(["OK?"], AbortSignal.timeout(doctorMs));
    const { done, passages } = countEmbeddings(join(config.dataDir, databaseName), name);
    return `${name} answers; ${done} of ${passages} passages have an embedding`;
  } catch (thrown) {
    throw inModelWords(thrown, config.localModel.url ?? "", "LOCAL_EMBEDDING_MODEL");
  } finally {
    await connected.close();
  }
}

/** For the doctor. Throws ParleyError. */
export async function askRerankModel(config: Parameters<typeof connectModel>[0], clock: Clock): Promise<string> {
  const connected = connectModel(config, clock);
  if (connected?.reranker === undefined) return "";
  const { name, rate } = connected.reranker;
  try {
    await rate("OK?", ["OK", "No"], AbortSignal.timeout(doctorMs));
    return `${name} answers`;
  } catch (thrown) {
    throw inModelWords(thrown, config.localModel.url ?? "", "LOCAL_RERANK_MODEL");
  } finally {
    await connected.close();
  }
}

/** The usual sentences of these errors are about AGENT_SERVICE_URL. */
function inModelWords(thrown: unknown, url: string, setting: keyof typeof subjects): ParleyError {
  if (!(thrown instanceof ParleyError)) return new ParleyError("internal", { cause: thrown });
  const { code, cause } = thrown;
  const [what, hint] = doctorWords[code] ?? ["has failed", "Check that it is running, and LOCAL_MODEL_URL."];
  return new ParleyError(code, {
    what: `The ${subjects[setting]} model at ${url} ${what}.`,
    hint: hint.replace(/\bLOCAL_MODEL\b/, setting),
    cause,
  });
}

const subjects = { LOCAL_MODEL: "language", LOCAL_EMBEDDING_MODEL: "embedding", LOCAL_RERANK_MODEL: "rerank" } as const;
const slowWords = ["doesn't answer in time", "Check that it has the memory and time for its model."] as const;
const otherWords = ["doesn't answer like Chat Completions or Responses", "Check LOCAL_MODEL_URL."] as const;
const doctorWords: Partial<Readonly<Record<ErrorCode, readonly [what: string, hint: string]>>> = {
  service_unreachable: ["can't be reached", "Check that it is running, and LOCAL_MODEL_URL."],
  not_authorised: ["refuses the key", "Check LOCAL_MODEL_KEY."],
  agent_not_found: ["doesn't have the model", "Set LOCAL_MODEL to one that it has."],
  model_unavailable: ["can't use its model", "Check its own settings, and LOCAL_MODEL."],
  service_busy: ["is busy", "Try again later."],
  no_answer: ["sent an empty answer", "Try another LOCAL_MODEL."],
  stopped: slowWords,
  stream_silent: slowWords,
  stream_too_long: slowWords,
  service_not_understood: otherWords,
  resource_not_found: otherWords,
  service_request_refused: otherWords,
  answer_unusable: otherWords,
};

async function* write(endpoint: ModelEndpoint, request: ModelRequest): AsyncGenerator<ModelPiece, void, undefined> {
  try {
    for await (const event of endpoint.write(request)) {
      if (event.type === "waiting" || event.type === "usage" || event.type === "pictures-refused") yield event;
      if (event.type === "answer-delta") yield { type: "text", text: event.text };
      if (event.type === "answer") yield { type: "whole" as const, text: event.text, cut: event.cut };
      if (event.type === "failed") throw event.error;
    }
  } catch (thrown) {
    request.signal.throwIfAborted();
    const retryAfterMs = thrown instanceof ParleyError ? thrown.retryAfterMs : undefined;
    throw new ModelFailure(reasonOf(thrown), thrown, retryAfterMs);
  }
}

const reasons: Partial<Readonly<Record<ErrorCode, FailureReason>>> = {
  service_busy: "busy",
  not_authorised: "refused",
  service_request_refused: "refused",
  agent_not_found: "refused",
  question_too_long: "too-long",
  stream_silent: "slow",
  stream_too_long: "slow",
  stream_cut: "cut",
  answer_too_large: "too-large",
  answer_unusable: "unusable",
  service_not_understood: "unusable",
};

function reasonOf(thrown: unknown): FailureReason {
  if (!(thrown instanceof ParleyError)) return "down";
  if (thrown.code === "run_failed") return whyRunFailed(thrown) ?? "down";
  return reasons[thrown.code] ?? "down";
}
