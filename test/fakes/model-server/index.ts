/**
 * A scripted model server for tests: Chat Completions, the Responses API, embeddings and the list of models, on a free
 * port. script.ts says which words in a question do what.
 *
 * `as: "openai"` (usual) is OpenAI: `event:` lines, sequence numbers, `[DONE]`, responses that are kept,
 * `previous_response_id`, conversations, `background` with cancel and resume, and a strict check of requests.
 * `as: "litellm"` is LiteLLM without a database, as it was recorded: its model `native` passes Responses events on, every
 * other comes through the bridge, which forgets `previous_response_id`, `conversation` and `background` silently. Its
 * errors quote the model; a wrong key is 400, a missing one 500.
 *
 * Where this disagrees with test/fixtures/responses, this is wrong.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { chatBody, chatStream, type Framing } from "./chat.ts";
import { readChat } from "./chat-request.ts";
import { embeddingsBody } from "./embeddings.ts";
import type { Emission, Json } from "./emission.ts";
import {
  droppedByModel,
  errorBody,
  invalid,
  noPictures,
  Refuse,
  refuseByWord,
  refuseKey,
  unknownModel,
} from "./refusals.ts";
import { createResponses } from "./responses.ts";
import { type Run, startRun } from "./runs.ts";
import { type Asked, type Pace, type Script, scriptOf } from "./script.ts";

export type ModelServerOptions = {
  readonly as?: Framing;
  /** The bearer key; usually "model-key". `null`: none is asked for. */
  readonly key?: string | null;
  readonly models?: readonly string[];
  /** The routes it has; the others are 404. */
  readonly routes?: readonly ModelRoute[];
  /** Models that see no pictures refuse a request with some. */
  readonly blind?: readonly string[];
  /** It refuses `stream_options`, with this message. */
  readonly refusesOptions?: string;
  /** Decides before the words do; what it leaves out is as the words say. */
  readonly script?: (asked: Asked) => Partial<Script> | undefined;
} & Partial<Pace>;

export type ModelRoute = "models" | "chat" | "responses" | "embeddings";

/** One request. `state` is "left" when the client closed the connection before the end. */
export type ModelCall = {
  readonly method: string;
  readonly path: string;
  readonly body: Json;
  readonly headers: IncomingMessage["headers"];
  readonly asked: Asked | undefined;
  readonly status: number;
  readonly state: "open" | "done" | "left" | "dropped";
};

export type ModelServer = {
  /** With `/v1`: what people set as LOCAL_MODEL_URL. */
  readonly url: string;
  /** Without: what people set as AGENT_SERVICE_URL. */
  readonly root: string;
  readonly key: string;
  readonly calls: readonly ModelCall[];
  /** Requests from now on get this status and an error; undefined: no longer. */
  readonly failWith: (status: number | undefined, route?: ModelRoute) => void;
  readonly connections: () => number;
  readonly close: () => Promise<void>;
};

type OpenCall = { -readonly [Key in keyof ModelCall]: ModelCall[Key] };

const usualModels = { openai: ["fake-chat", "fake-native"], litellm: ["support", "native"] } as const;
/** Of a line that no test writes: a body that is too large is a mistake. */
const maxBodyBytes = 64 * 1024 * 1024;

export async function startModelServer(options: ModelServerOptions = {}): Promise<ModelServer> {
  const { as = "openai", key = "model-key", routes = ["models", "chat", "responses", "embeddings"] } = options;
  const { models = usualModels[as], msPerToken = 0, slowMs = 250, pauseMs = 1000 } = options;
  const calls: OpenCall[] = [];
  const sockets = new Set<Socket>();
  const failures = new Map<ModelRoute, number>();
  const runs = new Set<Run>();
  const responses = createResponses({ framing: as, script: decide, start });
  let chats = 0;

  function decide(asked: Asked): Script {
    const usual = scriptOf(asked, { msPerToken, slowMs, pauseMs });
    return { ...usual, ...options.script?.(asked) };
  }

  function start(id: string, emissions: Iterable<Emission>): Run {
    const run = startRun(id, emissions);
    runs.add(run);
    return run;
  }

  async function answer(call: OpenCall, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(call.path, "http://model");
    const path = pathname.replace(/\/$/, "");
    if (as === "litellm" && path === "/health/liveliness") return sendJson(call, response, 200, "I'm alive!");
    checkKey(call);
    const route = routeOf(call.method, path);
    if (route === undefined || !routes.includes(route)) {
      throw new Refuse(404, errorBody(`Invalid URL (${call.method} ${path})`, "invalid_request_error"));
    }
    const failure = failures.get(route);
    if (failure !== undefined) throw new Refuse(failure, errorBody("It fails for now.", "server_error"));
    if (route === "models") return sendJson(call, response, 200, modelsBody());
    const { body } = call;
    const isNew = /^\/v1\/(?:chat\/completions|responses|embeddings)$/.test(path) && call.method === "POST";
    if (isNew && !models.includes(String(body["model"]))) throw unknownModel(String(body["model"]), as, path);
    if (route === "embeddings") return sendJson(call, response, 200, embeddingsBody(body));
    if (route === "responses" && !isNew) {
      const kept = responses.other(call.method, path, searchParams, body);
      if ("run" in kept) return follow(call, response, kept.run, kept.from, true);
      return sendJson(call, response, 200, kept.body);
    }
    const begun = route === "chat" ? beginChat(body) : responses.begin(body);
    call.asked = begun.asked;
    if (begun.asked.pictures.length > 0 && options.blind?.includes(begun.asked.model) === true) throw noPictures();
    const { refused, pauseMs: pause } = begun.script;
    if (refused === "drop") {
      if (as === "litellm") throw droppedByModel(begun.asked.model);
      call.state = "dropped";
      response.destroy();
      return;
    }
    if (refused !== undefined) throw refuseByWord(refused, as, begun.asked.model);
    if (pause > 0) await sleep(pause);
    if (body["stream"] !== true) return sendJson(call, response, 200, await begun.whole());
    const { run, isBackground } = begun.stream();
    return follow(call, response, run, 0, isBackground);
  }

  function beginChat(body: Json) {
    if (options.refusesOptions !== undefined && body["stream_options"] !== undefined) {
      throw invalid(options.refusesOptions);
    }
    const asked = readChat(body);
    const script = decide(asked);
    chats += 1;
    const usage = body["stream_options"] as Json | undefined;
    const request = { id: `chatcmpl-${chats}`, model: asked.model, includeUsage: usage?.["include_usage"] === true };
    return {
      ...{ asked, script, whole: async () => chatBody(script, request) },
      stream: () => ({ run: start(request.id, chatStream(script, request, as)), isBackground: false }),
    };
  }

  /** Sends a run's events from `from` on, as they come. Leaving stops the run, unless it is in the background. */
  async function follow(call: OpenCall, response: ServerResponse, run: Run, from: number, isBackground: boolean) {
    call.status = 200;
    const version = as === "litellm" ? { "x-litellm-version": "1.106.2" } : {};
    response.writeHead(200, {
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-cache",
      ...version,
    });
    response.flushHeaders();
    response.on("close", () => {
      if (call.state !== "open") return;
      call.state = "left";
      if (!isBackground) run.stop();
    });
    let at = from;
    while (call.state === "open") {
      await run.beyond(at);
      if (call.state !== "open") return;
      if (at >= run.texts.length) break;
      response.write(run.texts.slice(at).join(""));
      at = run.texts.length;
    }
    finish(call, response);
  }

  function finish(call: OpenCall, response: ServerResponse, text?: string): void {
    if (call.state === "open") call.state = "done";
    response.end(text);
  }

  function sendJson(call: OpenCall, response: ServerResponse, status: number, body: unknown, headers = {}): void {
    call.status = status;
    const isText = typeof body === "string" && status >= 400;
    const version = as === "litellm" && !isText ? { "x-litellm-version": "1.106.2" } : {};
    response.writeHead(status, { "content-type": isText ? "text/plain" : "application/json", ...version, ...headers });
    finish(call, response, isText ? body : JSON.stringify(body));
  }

  function checkKey({ headers }: OpenCall): void {
    if (key === null) return;
    const given = /^Bearer (.+)$/.exec(headers.authorization ?? "")?.[1];
    if (given !== key) throw refuseKey(given, as);
  }

  function modelsBody(): Json {
    const data = models.map((id) => ({ id, object: "model", created: 1_677_610_602, owned_by: "openai" }));
    return { data, object: "list" };
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const bytes = Buffer.concat(parts);
    const call: OpenCall = {
      ...{ method: request.method ?? "", path: request.url ?? "", headers: request.headers, body: {} },
      ...{ asked: undefined, status: 0, state: "open" as const },
    };
    calls.push(call);
    try {
      if (bytes.length > maxBodyBytes) throw new Refuse(413, errorBody("Too large.", "invalid_request_error"));
      const { pathname } = new URL(call.path, "http://model");
      const isKnown = routeOf(call.method, pathname.replace(/\/$/, "")) !== undefined;
      if (bytes.length > 0 && isKnown) call.body = parseBody(bytes, request.headers["content-type"]);
      await answer(call, response);
    } catch (thrown) {
      const { status, body, headers } =
        thrown instanceof Refuse ? thrown.refusal : new Refuse(500, String(thrown)).refusal;
      sendJson(call, response, status, body, headers);
    }
  }

  const server = createServer((request, response) => void handle(request, response).catch(() => response.destroy()));
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const root = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    ...{ url: `${root}/v1`, root, key: key ?? "", calls, connections: () => sockets.size },
    failWith: (status, route) => {
      for (const one of route === undefined ? routes : [route]) {
        if (status === undefined) failures.delete(one);
        else failures.set(one, status);
      }
    },
    close: async () => {
      for (const run of runs) run.stop();
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function routeOf(method: string, path: string): ModelRoute | undefined {
  if (method === "GET" && path === "/v1/models") return "models";
  if (method === "POST" && path === "/v1/chat/completions") return "chat";
  if (method === "POST" && path === "/v1/embeddings") return "embeddings";
  return /^\/v1\/(?:responses|conversations)(?:\/|$)/.test(path) ? "responses" : undefined;
}

function parseBody(bytes: Buffer, contentType: string | undefined): Json {
  if (!/^application\/json\b/.test(contentType ?? "")) throw invalid("The body must be application/json.");
  try {
    return JSON.parse(bytes.toString("utf8")) as Json;
  } catch {
    throw invalid("Could not parse the JSON body of your request.");
  }
}
