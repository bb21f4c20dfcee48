/**
 * A scripted cowork-server for tests, on a free port. It does what was recorded from the real one
 * (test/fixtures/responses/cowork), its faults included: a second question in a running conversation is lost, eight open
 * streams lock it, a restart loses runs, and the question after one replays the lost run. script.ts says which words do
 * what. Where this disagrees with the recordings, this is wrong.
 */
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { isObject, parseJson } from "../../../src/core/tools/parse-json.ts";
import { type Run, startRun } from "./runs.ts";
import { type Json, scriptOf } from "./script.ts";

export type CoworkOptions = {
  /** COWORK_API_KEY; absent: nobody is asked. */
  readonly key?: string;
  /** Between two words. */
  readonly wordMs?: number;
  readonly projects?: readonly string[];
  /** No model is set up. */
  readonly configError?: string;
};

type Call = { readonly method: string; readonly path: string; readonly body: Json };
type Conversation = { readonly project: string; readonly texts: string[] };

export type Cowork = {
  /** What people set as AGENT_SERVICE_URL. */
  readonly root: string;
  /** Where the API begins. */
  readonly api: string;
  readonly calls: readonly Call[];
  /** Texts of each conversation, questions and answers. */
  readonly texts: (conversation: string) => readonly string[] | undefined;
  readonly conversations: () => readonly string[];
  /** Questions that the server never answered: sent into a running conversation, or after a restart. */
  readonly lost: readonly string[];
  readonly running: () => number;
  readonly openStreams: () => number;
  /** Closes all connections; runs continue. */
  readonly dropConnections: () => void;
  /** Ends the process and starts another one on the same database. */
  readonly restart: () => void;
  readonly close: () => Promise<void>;
};

const maxStreams = 8;
const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export async function startCowork(options: CoworkOptions = {}): Promise<Cowork> {
  const { key, wordMs = 0, projects = ["general"] } = options;
  const calls: Call[] = [];
  const lost: string[] = [];
  const conversations = new Map<string, Conversation>();
  /** The newest run of each conversation, with its events. */
  const registry = new Map<string, Run>();
  /** Of runs that a restart ended: the next question of the conversation replays them. */
  const interrupted = new Map<string, readonly Json[]>();
  const sockets = new Set<Socket>();
  let streams = 0;

  function reply(response: ServerResponse, status: number, body: unknown): void {
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(body));
  }

  function stream(response: ServerResponse, read: (write: (event: Json) => void, end: () => void) => () => void): void {
    streams += 1;
    response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
    const write = (event: Json) => {
      response.write(`event: ${String(event["type"])}\ndata: ${JSON.stringify(event)}\n\n`);
    };
    // No `[DONE]`.
    const leave = read(write, () => response.end());
    response.on("close", () => {
      streams -= 1;
      leave();
    });
  }

  function ask(response: ServerResponse, body: Json) {
    const question = questionOf(body["input"]);
    if (question === undefined) return reply(response, 422, { detail: [{ loc: ["body", "input"], msg: "Invalid" }] });
    const given = body["conversation"];
    const id = typeof given === "string" && uuidPattern.test(given) ? given : randomUUID();
    const project = typeof body["project"] === "string" ? body["project"] : "general";
    if (!conversations.has(id) && !projects.includes(project)) {
      return reply(response, 404, { detail: `Project not found: ${project}` });
    }
    const before = registry.get(id);
    if (before?.isRunning() === true) {
      lost.push(question);
      const soFar = before.events.slice();
      return stream(response, (write) => {
        soFar.forEach(write);
        return () => {};
      });
    }
    const replayed = interrupted.get(id);
    if (replayed !== undefined) {
      lost.push(question);
      interrupted.delete(id);
      return stream(response, (write, end) => {
        replayed.forEach(write);
        end();
        return () => {};
      });
    }
    const conversation = conversations.get(id) ?? { project, texts: [] };
    conversations.set(id, conversation);
    const script = scriptOf(question, conversation.texts);
    const onEnd = (text: string) => conversation.texts.push(question, text);
    const run = startRun(script, { conversation: id, wordMs, onEnd });
    registry.set(id, run);
    if (body["stream"] === true) return stream(response, (write, end) => run.follow(0, write, end));
    run.follow(
      0,
      () => {},
      () => reply(response, 200, run.events.at(-1)?.["response"]),
    );
  }

  function route(call: Call, response: ServerResponse, request: IncomingMessage) {
    const { pathname, searchParams } = new URL(call.path, "http://cowork");
    const id = searchParams.get("conversation_id") ?? "";
    const at = `${call.method} ${pathname}`;
    if (at === "GET /api/v1/health/") return reply(response, 200, health(options.configError));
    if (key !== undefined && request.headers.authorization !== `Bearer ${key}`) {
      return reply(response, 401, { detail: "Unauthorized" });
    }
    if (/^\/api\/v1\/(?:responses|projects|health)$/.test(pathname)) {
      response.writeHead(307, { location: `http://${request.headers.host}${pathname}/` });
      return response.end();
    }
    if (at === "GET /api/v1/projects/")
      return reply(
        response,
        200,
        projects.map((name) => ({ name, path: `/${name}` })),
      );
    if (at === "POST /api/v1/responses/") return ask(response, call.body);
    if (at === "POST /api/v1/responses/cancel") {
      const conversation = String(call.body["conversation_id"]);
      const run = registry.get(conversation);
      if (run === undefined) return reply(response, 404, { status: "not_found" });
      return reply(response, 200, { cancelled: run.cancel() ? null : false, conversation_id: conversation });
    }
    const run = registry.get(id);
    if (at === "GET /api/v1/responses/in-flight") {
      const state = { in_flight: run?.isRunning() ?? false, has_buffer: run !== undefined };
      return reply(response, 200, { ...state, latest_seq: run?.events.length ?? 0, turn_id: run ? 0 : null });
    }
    if (at === "GET /api/v1/responses/tail") {
      if (run === undefined) return reply(response, 404, { status: "not_found" });
      const from = Number(searchParams.get("from_seq") ?? 0);
      return stream(response, (write, end) => run.follow(from, write, end));
    }
    const [, known] = /^\/api\/v1\/conversations\/([^/]+)$/.exec(pathname) ?? [];
    if (known !== undefined && (call.method === "GET" || call.method === "DELETE")) {
      if (!conversations.has(known)) return reply(response, 404, { detail: "Conversation not found" });
      if (call.method === "GET") return reply(response, 200, { id: known });
      conversations.delete(known);
      registry.delete(known);
      return reply(response, 200, { ok: true });
    }
    reply(response, 404, { detail: "Not Found" });
  }

  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    try {
      for await (const part of request) parts.push(part as Buffer);
    } catch {
      return;
    }
    const parsed = parseJson(Buffer.concat(parts).toString("utf8"));
    const call = { method: request.method ?? "", path: request.url ?? "", body: isObject(parsed) ? parsed : {} };
    calls.push(call);
    // Each stream holds two of fifteen connections to the database, and waits for the third on the only loop.
    if (streams < maxStreams) route(call, response, request);
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const root = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const dropConnections = () => {
    for (const socket of sockets) socket.destroy();
  };

  return {
    root,
    api: `${root}/api/v1`,
    calls,
    texts: (id) => conversations.get(id)?.texts,
    conversations: () => [...conversations.keys()],
    lost,
    running: () => [...registry.values()].filter((run) => run.isRunning()).length,
    openStreams: () => streams,
    dropConnections,
    restart: () => {
      for (const [id, run] of registry) {
        if (!run.isRunning()) continue;
        interrupted.set(id, run.events.slice());
        const kept = conversations.get(id)?.texts.length ?? 0;
        run.cancel();
        conversations.get(id)?.texts.splice(kept);
      }
      registry.clear();
      dropConnections();
    },
    close: async () => {
      for (const run of registry.values()) run.cancel();
      dropConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** A text, or the last item of a user. Everything else of a list is dropped. */
function questionOf(input: unknown): string | undefined {
  if (typeof input === "string") return input;
  const last = Array.isArray(input) ? input.filter(isObject).findLast(({ role }) => role === "user") : undefined;
  return typeof last?.["content"] === "string" ? last["content"] : undefined;
}

function health(configError: string | undefined): Json {
  return {
    status: "ok",
    anton_available: true,
    mode: "anton",
    server_version: null,
    anton_version: "2.26.8.2.1",
    config_ready: configError === undefined,
    config_error: configError ?? null,
    model: "fake-chat",
  };
}
