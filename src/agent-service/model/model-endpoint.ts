/**
 * A language model behind Chat Completions or the Responses API: lists models, streams replies, embeds, reranks. Where
 * its API begins and which of the two it has is found out by asking.
 */

import { type ErrorCode, ParleyError } from "../../core/errors.ts";
import type { AgentEvent } from "../../core/model/agent-event.ts";
import type { Picture } from "../../core/ports/agent-service.ts";
import type { Clock } from "../../core/ports/clock.ts";
import { isObject } from "../../core/tools/parse-json.ts";
import { createChatDecoder } from "../chat/stream.ts";
import { type DialectOptions, type Limits, limitsOf } from "../dialect.ts";
import type { Decoder } from "../http/decoder.ts";
import { createHttp, type HttpRequest, type ProxySettings } from "../http/request.ts";
import { patiently, streamEvents } from "../http/stream.ts";
import { openAiErrorOf } from "../openai/errors.ts";
import { picturePart, textPart, withPictures } from "../openai/pictures.ts";
import { asksUsage, createUsageAsking } from "../openai/usage.ts";
import { createResponsesDecoder } from "../responses/stream.ts";

export type ModelEndpointOptions = {
  /** With or without `/v1`. */
  readonly baseUrl: string;
  readonly key?: string;
  /** Writes unless another one is asked for; default: the first that the endpoint lists. */
  readonly model?: string;
  readonly limits?: Partial<Limits>;
  readonly clock: Clock;
  readonly proxy?: ProxySettings;
} & Pick<DialectOptions, "refusals"> &
  Partial<Pick<DialectOptions, "log">>;

export type ReplyRequest = {
  /** Used if the endpoint lists it. */
  readonly model?: string;
  readonly instructions: string;
  readonly messages: readonly {
    readonly role: "user" | "assistant";
    readonly text: string;
    readonly pictures?: readonly Picture[];
  }[];
  readonly signal?: AbortSignal;
};

export type ModelEndpoint = ReturnType<typeof createModelEndpoint>;

type Api = "chat" | "responses";
type Place = { readonly path: string; readonly models: readonly string[]; readonly readAtMs: number };

const freshMs = 300_000;
/** Another place, or the other API, may answer better. */
const elsewhereCodes: readonly ErrorCode[] = [
  "agent_not_found",
  "resource_not_found",
  "service_not_understood",
  "service_request_refused",
];

export function createModelEndpoint(options: ModelEndpointOptions) {
  const { key, clock, proxy } = options;
  const limits = limitsOf(options);
  const url = new URL(options.baseUrl);
  const secrets = key === undefined ? [] : [key];
  const { connectMs, requestMs } = limits;
  const baseUrl = url.origin;
  const http = createHttp({ baseUrl, token: key, proxy, connectMs, requestMs, clock, errorOf: openAiErrorOf });
  const askingUsage = createUsageAsking(options);
  let place: Promise<Place> | undefined;
  let api: Api | undefined;
  let rerankPath: string | undefined;

  /** Where the API begins, and the models it lists: none, if it has no list. */
  async function find(signal?: AbortSignal): Promise<Place> {
    const given = url.pathname.replace(/(?<!\/)\/+$/, "");
    const likely = /\/v\d\w{0,10}$/.test(given) ? [given] : [`${given}/v1`, given];
    for (const path of likely) {
      const request = { method: "GET", path: `${path}/models`, subject: "status", limitMs: limits.statusMs } as const;
      try {
        const models = namesIn(await http.json({ ...request, signal }));
        if (models !== undefined) return { path, models, readAtMs: clock.now() };
      } catch (thrown) {
        if (!isElsewhere(thrown)) throw thrown;
      }
    }
    return { path: likely[0] ?? given, models: [], readAtMs: clock.now() };
  }

  async function found(signal?: AbortSignal): Promise<Place> {
    const known = await place?.catch(() => undefined);
    if (known !== undefined && clock.now() - known.readAtMs < freshMs) return known;
    const finding = find(signal);
    place = finding;
    try {
      return await finding;
    } catch (thrown) {
      if (place === finding) place = undefined;
      throw thrown;
    }
  }

  async function modelFor(wanted: string | undefined, signal?: AbortSignal): Promise<string> {
    const { models } = await found(signal);
    const name = wanted !== undefined && models.includes(wanted) ? wanted : (options.model ?? models[0]);
    if (name !== undefined) return name;
    throw new ParleyError("agent_not_found", {
      what: "The model endpoint lists no models.",
      hint: "Set LOCAL_MODEL to the model's name.",
    });
  }

  async function* write(asked: ReplyRequest): AsyncGenerator<AgentEvent, void, undefined> {
    const { signal } = asked;
    const { path } = yield* patiently(() => found(signal), clock, signal);
    const model = await modelFor(asked.model, signal);
    const known = api;
    const order: readonly Api[] = known === undefined ? ["chat", "responses"] : [known];
    /** What the likelier API said: the other one may be missing. */
    let first: unknown;
    for (const one of order) {
      let hasBegun = false;
      try {
        for await (const event of askOne(one, path, model, asked)) {
          yield event;
          if (event.type === "waiting") continue;
          hasBegun = true;
          api = one;
        }
        return;
      } catch (thrown) {
        if (hasBegun || !isElsewhere(thrown)) throw thrown;
        first ??= thrown;
      }
    }
    // Another server, or another list of models, may be behind the URL by now: what is known is found out anew, once.
    place = undefined;
    api = undefined;
    if (known === undefined) throw first;
    yield* write(asked);
  }

  /** One reply, without the pictures if the model takes none. */
  function askOne(api: Api, path: string, model: string, asked: ReplyRequest): AsyncIterable<AgentEvent> {
    const pictures = asked.messages.flatMap((message) => message.pictures ?? []);
    const about = { baseUrl: `${baseUrl}${path}`, refusals: options.refusals, log: options.log };
    return withPictures(model, { pictures }, about, (sent) =>
      sendOne(api, path, model, sent.pictures.length > 0 ? asked : withoutPictures(asked, sent.note)),
    );
  }

  /** One request, whose stream tells its tokens if the endpoint does that. */
  function sendOne(api: Api, path: string, model: string, asked: ReplyRequest): AsyncIterable<AgentEvent> {
    const request = requestFor(api, path, model, asked);
    if (api === "responses") return streamOf(request, createResponsesDecoder({ secrets }));
    return askingUsage(`${baseUrl}${path}\n${model}`, (isAsked) => {
      const json = isAsked ? { ...request.json, ...asksUsage } : request.json;
      return streamOf({ ...request, json }, createChatDecoder({ secrets }));
    });
  }

  async function* streamOf(request: HttpRequest, decoder: Decoder): AsyncGenerator<AgentEvent, void, undefined> {
    yield* streamEvents(http, clock, limits, request, decoder);
    if (!decoder.hasEnded()) throw new ParleyError("stream_cut");
  }

  async function embed(
    model: string,
    texts: readonly string[],
    signal?: AbortSignal,
  ): Promise<readonly Float32Array[]> {
    const { path } = await found(signal);
    const json = { model, input: texts, encoding_format: "float" };
    const request = { method: "POST", path: `${path}/embeddings`, subject: "agent", json, signal } as const;
    return vectorsIn(await http.json(request), texts.length);
  }

  /** Servers have it beside the rest of their API, as Cohere's version 2, or without a version. */
  async function rerank(
    model: string,
    query: string,
    documents: readonly string[],
    signal?: AbortSignal,
  ): Promise<readonly (number | undefined)[]> {
    const { path } = await found(signal);
    const root = path.replace(/\/v\d\w{0,10}$/, "");
    const likely = [...new Set([`${path}/rerank`, `${root}/v1/rerank`, `${root}/v2/rerank`, `${root}/rerank`])];
    let first: unknown;
    for (const place of rerankPath === undefined ? likely : [rerankPath]) {
      const json = { model, query, documents, top_n: documents.length };
      try {
        const request = { method: "POST", path: place, subject: "agent", json, signal } as const;
        const scores = scoresIn(await http.json(request), documents.length);
        rerankPath = place;
        return scores;
      } catch (thrown) {
        rerankPath = undefined;
        if (!isElsewhere(thrown)) throw thrown;
        first ??= thrown;
      }
    }
    throw first;
  }

  return {
    /** The models it lists, the default one, and where. */
    describe: async (signal?: AbortSignal) => {
      const { path, models } = await found(signal);
      return { models, model: await modelFor(undefined, signal), baseUrl: `${url.origin}${path}` };
    },
    write,
    /** One vector for each text, all of one length. */
    embed,
    /** The score of each document, as far as the endpoint gave one. */
    rerank,
    /** The API that answered last. */
    api: (): Api | undefined => api,
    close: http.close,
  };
}

function requestFor(api: Api, path: string, model: string, asked: ReplyRequest) {
  const { instructions, messages, signal } = asked;
  const said = messages.map(({ role, text, pictures = [] }) => ({
    role,
    content: pictures.length === 0 ? text : [textPart[api](text), ...pictures.map(picturePart[api])],
  }));
  const json =
    api === "chat"
      ? { model, messages: [{ role: "system", content: instructions }, ...said], stream: true }
      : { model, instructions, input: said, stream: true, store: false };
  const route = api === "chat" ? "chat/completions" : "responses";
  return { method: "POST", path: `${path}/${route}`, subject: "agent", json, signal } as const;
}

function withoutPictures(asked: ReplyRequest, note: string): ReplyRequest {
  const messages = asked.messages.map(({ pictures, ...message }) =>
    pictures === undefined || note === "" ? message : { ...message, text: `${message.text}\n\n${note}` },
  );
  return { ...asked, messages };
}

function isElsewhere(thrown: unknown): boolean {
  return thrown instanceof ParleyError && elsewhereCodes.includes(thrown.code);
}

function namesIn(body: unknown): readonly string[] | undefined {
  const list = isObject(body) ? body["data"] : undefined;
  if (!Array.isArray(list)) return undefined;
  return list.flatMap((model) => (isObject(model) && typeof model["id"] === "string" ? [model["id"]] : []));
}

function vectorsIn(body: unknown, count: number): readonly Float32Array[] {
  const data: readonly unknown[] = isObject(body) && Array.isArray(body["data"]) ? body["data"] : [];
  const vectors: Float32Array[] = [];
  for (const [at, item] of data.entries()) {
    if (!isObject(item) || !Array.isArray(item["embedding"])) continue;
    const index = typeof item["index"] === "number" ? item["index"] : at;
    vectors[index] = Float32Array.from(item["embedding"], Number);
  }
  const [first] = vectors;
  const isWhole =
    vectors.length === count &&
    Object.keys(vectors).length === count &&
    vectors.every((vector) => vector.length === first?.length && vector.length > 0 && vector.every(Number.isFinite));
  if (isWhole) return vectors;
  throw new ParleyError("service_not_understood", {
    cause: new Error("The embeddings aren't one vector for each text."),
  });
}

function scoresIn(body: unknown, count: number): readonly (number | undefined)[] {
  const results: readonly unknown[] = isObject(body) && Array.isArray(body["results"]) ? body["results"] : [];
  const scores = new Array<number | undefined>(count).fill(undefined);
  for (const result of results) {
    const { index, relevance_score: score } = isObject(result) ? result : {};
    const isWhole = typeof index === "number" && Number.isInteger(index) && index >= 0 && index < count;
    if (!isWhole || typeof score !== "number" || !Number.isFinite(score)) throw notScores();
    scores[index] = score;
  }
  if (count > 0 && results.length === 0) throw notScores();
  return scores;
}

function notScores(): ParleyError {
  return new ParleyError("service_not_understood", {
    cause: new Error("The rerank endpoint's results aren't scores of the documents."),
  });
}
