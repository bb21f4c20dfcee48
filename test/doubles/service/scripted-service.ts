/**
 * An agent service that plays a script: a real HTTP server on 127.0.0.1, so that everything between the client's socket
 * and the bridge is real, while a test decides what is said, when, and how it breaks. It refuses what the real services
 * refuse (404, 400, 401, 415 with their bodies).
 *
 *   const service = await startScriptedService((run) => answers25({ question: run.question, answer: "At two." }));
 *   const service = await startScriptedService([chunk({ output: "half" }), gate("half"), cut()]);
 *   await service.started(1);          // a run has begun
 *   service.release("half");           // open the gate: once for each run that waits or will wait there
 *   service.runs.atOnce, .most, .started, .left;   service.requests;   service.play(otherScript);
 *   await service.refuseConnections(); await service.acceptConnections();   // same port
 *   await service.close();
 *
 * A script is a list of moves, or a function from the run to them (to tell questions or attempts apart), or a refusal
 * made by `refuse(status, title, detail)`, `html(status)`, `answerJson(status, body)`, `plain(text)`. All of these, and the
 * moves, are in scripted-moves.ts; whole answers in the shapes of both generations are in scripted-answers.ts.
 */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { createGates } from "../gates.ts";
import { watchForKeys } from "../planted-keys.ts";
import { until } from "../until.ts";
import { answerJson, type Move, type Refusal, refuse } from "./scripted-moves.ts";

export type Play = readonly Move[] | Refusal;

export type Run = {
  readonly project: string;
  readonly agent: string;
  /** The last message's. */
  readonly question: string;
  readonly messages: readonly { readonly question: string; readonly answer?: string | null }[];
  /** 1 for the first run since it started or began again, in order of arrival. */
  readonly number: number;
  /** Asked at `/completions`, which answers what `plain(text)` or a refusal says, and to moves with a 500 as 26.1 does. */
  readonly isPlain: boolean;
};

export type Script = Play | ((run: Run) => Play);

export type ReceivedRequest = {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
};

export type ScriptedOptions = {
  /** What /api/status calls the version: decides the profile. Default "25.9.1.2". */
  readonly version?: string;
  readonly project?: string;
  /** Agents that exist. Default: support. */
  readonly agents?: readonly string[];
  readonly knowledgeBases?: readonly string[];
  /** When set, everything but /api/status needs `Authorization: Bearer <token>`. */
  readonly token?: string;
  /** Answers for other requests, by "METHOD /path"; they win over everything. */
  readonly routes?: Readonly<Record<string, Refusal>>;
};

export type ScriptedService = {
  readonly url: string;
  readonly runs: { readonly atOnce: number; readonly most: number; readonly started: number; readonly left: number };
  readonly requests: readonly ReceivedRequest[];
  readonly play: (script: Script) => void;
  /** Plays it as if the service had just started: what was counted and received before is forgotten. */
  readonly begin: (script: Script) => void;
  /** Lets `count` runs through the gate, now or when they come to it. */
  readonly release: (name?: string, count?: number) => void;
  /** Resolves when that many runs have begun since the start. */
  readonly started: (count: number) => Promise<void>;
  /** Resolves when no run is going on. */
  readonly idle: () => Promise<void>;
  /** Closes the port and every connection. */
  readonly refuseConnections: () => Promise<void>;
  readonly acceptConnections: () => Promise<void>;
  readonly close: () => Promise<void>;
};

export async function startScriptedService(first: Script, options: ScriptedOptions = {}): Promise<ScriptedService> {
  const project = options.project ?? "mindsdb";
  const agents = options.agents ?? ["support"];
  const requests: ReceivedRequest[] = [];
  const sockets = new Set<Socket>();
  const gates = createGates();
  /** Broken by the script, so nobody left. */
  const cuts = new WeakSet<ServerResponse>();
  const runs = { atOnce: 0, most: 0, started: 0, left: 0 };
  let script = first;
  let server = createServer(answer);
  let port = 0;

  async function listen(): Promise<void> {
    server.on("connection", (socket) => {
      sockets.add(socket);
      socket.on("close", () => sockets.delete(socket));
    });
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
    port = (server.address() as AddressInfo).port;
  }

  async function stop(): Promise<void> {
    const closed = once(server, "close");
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  }

  function answer(request: IncomingMessage, response: ServerResponse): void {
    // A client that leaves makes reads and writes fail here; that is what it means to leave.
    handle(request, response).catch(() => response.destroy());
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "", url: path = "", headers } = request;
    const body = Buffer.concat(await request.toArray()).toString("utf8");
    requests.push({ method, path, headers, body });
    const { authorization, ...told } = headers;
    watchForKeys("a request to the service", JSON.stringify([path, told, body]));
    const routed = options.routes?.[`${method} ${path}`];
    if (routed !== undefined) return send(response, routed);
    if (path === "/api/status") return send(response, answerJson(200, statusBody(options.version ?? "25.9.1.2")));
    if (options.token !== undefined && headers.authorization !== `Bearer ${options.token}`) {
      return send(response, refuse(401, "Unauthorized", "Authorization is required to complete the request"));
    }
    const run = /^\/api\/projects\/([^/]+)\/agents\/([^/]+)\/completions(\/stream)?$/.exec(path);
    if (run !== null && method === "POST") {
      const [, inProject = "", agent = "", stream] = run.map((part) => part && decodeURIComponent(part));
      return begin(request, response, { project: inProject, agent, isPlain: stream === undefined, body });
    }
    return send(response, read(method, path));
  }

  function read(method: string, path: string): Refusal {
    const base = `/api/projects/${encodeURIComponent(project)}`;
    if (method !== "GET") return refuse(404, "Not found", "The scripted service only reads.");
    if (path === "/api/projects/") return answerJson(200, [{ name: project }]);
    if (path === "/api/databases/" || path === "/api/files/") return answerJson(200, []);
    if (path === `${base}/agents`) return answerJson(200, agents.map(agentRecord));
    if (path === `${base}/knowledge_bases`) return answerJson(200, (options.knowledgeBases ?? ["docs"]).map(named));
    const agent = path.startsWith(`${base}/agents/`) && decodeURIComponent(path.slice(`${base}/agents/`.length));
    if (agent && agents.includes(agent)) return answerJson(200, agentRecord(agent));
    if (agent) return unknownAgent(agent);
    return refuse(404, "Not found", "The endpoint you are trying to access does not exist on the server.");
  }

  async function begin(
    request: IncomingMessage,
    response: ServerResponse,
    asked: Pick<Run, "project" | "agent" | "isPlain"> & { readonly body: string },
  ): Promise<void> {
    if (!request.headers["content-type"]?.startsWith("application/json")) {
      return send(response, refuse(415, "Unsupported Media Type", "The Content-Type was not 'application/json'."));
    }
    if (asked.project !== project) {
      const detail = `Project not found: ${asked.project}: unknown`;
      return send(response, answerJson(500, { title: "EntityNotExistsError", detail, message: detail }));
    }
    if (!agents.includes(asked.agent)) return send(response, unknownAgent(asked.agent));
    const messages = messagesOf(asked.body);
    if (messages === undefined) {
      return send(response, refuse(400, "Missing parameter", 'Must provide "messages" parameter in POST body'));
    }
    runs.started += 1;
    runs.atOnce += 1;
    runs.most = Math.max(runs.most, runs.atOnce);
    const { project: inProject, agent, isPlain } = asked;
    const question = messages.at(-1)?.question ?? "";
    const run: Run = { project: inProject, agent, question, messages, number: runs.started, isPlain };
    const leaving = new AbortController();
    response.on("close", () => {
      if (response.writableFinished) return;
      if (!cuts.has(response)) runs.left += 1;
      leaving.abort();
    });
    try {
      const play = typeof script === "function" ? script(run) : script;
      if ("status" in play) return send(response, play);
      if (isPlain) return send(response, refuse(500, "KeyError", "'trace_id'"));
      response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
      response.flushHeaders();
      for (const move of play) await make(move, response, leaving.signal);
      if (!response.destroyed) response.end();
    } finally {
      runs.atOnce -= 1;
    }
  }

  async function make(move: Move, response: ServerResponse, left: AbortSignal): Promise<void> {
    left.throwIfAborted();
    switch (move.kind) {
      case "write":
        return write(response, move.bytes, left);
      case "pause":
        return sleep(move.ms, undefined, { signal: left });
      case "gate":
        return gates.pass(move.name, left);
      case "flood": {
        await write(response, 'data: {"output": "', left);
        const block = Buffer.alloc(64 * 1024, "x");
        for (let sent = 0; sent < move.bytes; sent += block.length) await write(response, block, left);
        return;
      }
      case "cut":
        cuts.add(response);
        response.destroy();
        return;
      case "silence":
        await once(left, "abort");
    }
  }

  await listen();
  return {
    url: `http://127.0.0.1:${port}`,
    runs,
    requests,
    play: (next) => {
      script = next;
    },
    begin: (next) => {
      script = next;
      requests.length = 0;
      Object.assign(runs, { most: 0, started: 0, left: 0 });
    },
    release: gates.release,
    started: (count) => until(`${count} runs`, () => runs.started >= count),
    idle: () => until("the end of all runs", () => runs.atOnce === 0),
    refuseConnections: stop,
    acceptConnections: async () => {
      server = createServer(answer);
      await listen();
    },
    close: async () => {
      if (server.listening) await stop();
    },
  };
}

/** Resolves when the bytes are with the system, so that a cut after them loses none. */
function write(response: ServerResponse, bytes: string | Uint8Array, left: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    // A connection that breaks in this moment never says what became of them.
    const onLeft = () => reject(left.reason);
    left.addEventListener("abort", onLeft, { once: true });
    response.write(bytes, (failed) => {
      left.removeEventListener("abort", onLeft);
      if (failed) reject(failed);
      else resolve();
    });
  });
}

function send(response: ServerResponse, { status, contentType, body }: Refusal): void {
  response.writeHead(status, { "content-type": contentType }).end(body);
}

function messagesOf(body: string): Run["messages"] | undefined {
  const parsed: unknown = JSON.parse(body);
  if (typeof parsed !== "object" || parsed === null || !("messages" in parsed)) return undefined;
  return Array.isArray(parsed.messages) ? (parsed.messages as Run["messages"]) : undefined;
}

function statusBody(version: string): unknown {
  return { mindsdb_version: version, environment: "local", auth: { confirmed: false, http_auth_enabled: false } };
}

function agentRecord(name: string): unknown {
  const at = "2026-01-01 00:00:00.000000";
  return { id: 1, name, project_id: 1, created_at: at, updated_at: at, data: { knowledge_bases: ["mindsdb.docs"] } };
}

function named(name: string): unknown {
  return { id: 1, name, project_id: 1 };
}

function unknownAgent(name: string): Refusal {
  return refuse(404, "Agent not found", `Agent with name ${name} does not exist`);
}
