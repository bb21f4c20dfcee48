/**
 * An agent service that accepts content: a real HTTP server on 127.0.0.1 with knowledge bases and nothing to ask. Like
 * the real ones, it answers an insert when all of it is stored, and continues when the client has left. It stores
 * content by row id or URL, so that a test sees duplicates.
 *
 *   const service = await startFeedingService({ insert: ({ number }) => (number === 2 ? gate.wait() : undefined) });
 *   service.inserts                      // in the order in which they came
 *   service.most("docs")                 // inserts into it at the same time, at most
 *   service.rows("docs")                 // what stands in it
 */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { answerJson, type Refusal, refuse } from "./scripted-moves.ts";

export type FedInsert = {
  /** 1 for the first one. */
  readonly number: number;
  readonly knowledgeBase: string;
  /** Addresses, or the addresses of its rows; of a query its words. */
  readonly what: readonly string[];
  readonly startedAtMs: number;
  endedAtMs?: number;
  /** The client went away before it was answered. */
  wasLeft: boolean;
};

export type FedRow = { readonly id: string; readonly content: string };

export type FeedingOptions = {
  /** What /api/status calls the version. Default "25.9.1.2". */
  readonly version?: string;
  readonly knowledgeBases?: readonly string[];
  readonly agents?: readonly string[];
  /** Awaited by each insert; a refusal is its answer. */
  readonly insert?: (insert: FedInsert) => Promise<Refusal | undefined> | Refusal | undefined;
  /** Refuses a second insert into the same knowledge base, as 26.x does. */
  readonly refusesSecond?: boolean;
};

const project = "mindsdb";
const base = `/api/projects/${project}`;

export type FeedingService = Awaited<ReturnType<typeof startFeedingService>>;

export async function startFeedingService(options: FeedingOptions = {}) {
  const inserts: FedInsert[] = [];
  const statements: string[] = [];
  const stored = new Map<string, FedRow[]>();
  const running = new Map<string, number>();
  const most = new Map<string, number>();
  const server = createServer((request, response) => {
    // A client that leaves makes writes fail here; that is what it means to leave.
    answer(request, response).catch(() => response.destroy());
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "", url: path = "" } = request;
    const body = Buffer.concat(await request.toArray()).toString("utf8");
    const into = new RegExp(`^${base}/knowledge_bases/([^/]+)$`).exec(path)?.[1];
    if (method === "PUT" && into !== undefined) return send(response, await insert(into, body, response));
    if (method === "POST" && path === "/api/sql/query") return send(response, run(body));
    send(response, read(method, path, into));
  }

  async function insert(knowledgeBase: string, body: string, response: ServerResponse): Promise<Refusal> {
    const { knowledge_base: what } = JSON.parse(body) as {
      knowledge_base: { rows?: readonly Record<string, string>[]; urls?: readonly string[]; query?: string };
    };
    const rows = (what.rows ?? []).map(({ id = "", content = "", url = id }) => ({ id, content, url }));
    const told: FedInsert = {
      number: inserts.length + 1,
      knowledgeBase,
      what: what.urls ?? (what.query === undefined ? rows.map(({ url }) => url) : [what.query]),
      startedAtMs: Date.now(),
      wasLeft: false,
    };
    inserts.push(told);
    response.on("close", () => {
      told.wasLeft ||= !response.writableFinished;
    });
    const atOnce = (running.get(knowledgeBase) ?? 0) + 1;
    if (options.refusesSecond === true && atOnce > 1) {
      return refuse(
        400,
        "Preprocessing Error",
        `Error during preprocessing: Index is already used: /kb/${knowledgeBase}`,
      );
    }
    running.set(knowledgeBase, atOnce);
    most.set(knowledgeBase, Math.max(most.get(knowledgeBase) ?? 0, atOnce));
    try {
      const refusal = await options.insert?.(told);
      if (refusal !== undefined) return refusal;
      const pages = (what.urls ?? []).map((url) => ({ id: url, content: `The page at ${url}` }));
      for (const row of [...rows, ...pages]) keep(knowledgeBase, row);
      return answerJson(200, "");
    } finally {
      told.endedAtMs = Date.now();
      running.set(knowledgeBase, (running.get(knowledgeBase) ?? 1) - 1);
    }
  }

  /** As in 25.x, where the same id with other words stands beside the first; the same words are never there twice. */
  function keep(knowledgeBase: string, { id, content }: FedRow): void {
    const rows = stored.get(knowledgeBase) ?? [];
    stored.set(knowledgeBase, rows);
    if (!rows.some((row) => row.id === id && row.content === content)) rows.push({ id, content });
  }

  function run(body: string): Refusal {
    const { query } = JSON.parse(body) as { query: string };
    statements.push(query);
    const [, from = "", ids = ""] = /^DELETE FROM \S+?\.`?(\w+)`? WHERE (.*)$/.exec(query) ?? [];
    const gone = new Set(Array.from(ids.matchAll(/'([^']*)'/g), ([, id]) => id));
    stored.set(
      from,
      (stored.get(from) ?? []).filter(({ id }) => !gone.has(id)),
    );
    return answerJson(200, { type: "ok" });
  }

  function read(method: string, path: string, knowledgeBase: string | undefined): Refusal {
    const { version = "25.9.1.2", knowledgeBases = ["docs"], agents = ["support"] } = options;
    const named = (name: string) => ({ name, project_id: 1, created_at: "2026-01-01 00:00:00.000000" });
    if (method !== "GET") return refuse(404, "Not found", "This service is only fed.");
    if (path === "/api/status") return answerJson(200, { mindsdb_version: version, environment: "local", auth: {} });
    if (path === "/api/projects/") return answerJson(200, [{ name: project }]);
    if (path === "/api/databases/" || path === "/api/files/") return answerJson(200, []);
    if (path === `${base}/knowledge_bases`) return answerJson(200, knowledgeBases.map(named));
    if (path === `${base}/agents`) return answerJson(200, agents.map(named));
    if (knowledgeBase !== undefined && knowledgeBases.includes(knowledgeBase)) {
      return answerJson(200, named(knowledgeBase));
    }
    return refuse(404, "Not found", `${path} is not there`);
  }

  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    inserts: inserts as readonly FedInsert[],
    /** SQL, as it came. */
    statements: statements as readonly string[],
    most: (knowledgeBase: string): number => most.get(knowledgeBase) ?? 0,
    atOnce: (knowledgeBase: string): number => running.get(knowledgeBase) ?? 0,
    rows: (knowledgeBase: string): readonly FedRow[] => stored.get(knowledgeBase) ?? [],
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

function send(response: ServerResponse, { status, contentType, body }: Refusal): void {
  response.writeHead(status, { "content-type": contentType }).end(body);
}
