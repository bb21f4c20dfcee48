/**
 * Built-in agent service, so that Parley works without any account: the same HTTP API on a loopback port, over full-text
 * search. Without a model it quotes. Parley uses it only over HTTP, like any other service.
 */
import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createAdaptorServer } from "@hono/node-server";
import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { Clock } from "../ports/clock.ts";
import type { Log } from "../ports/log.ts";
import { makeFolder } from "../ports/tools/make-folder.ts";
import { present } from "../ports/tools/present.ts";
import { type ProjectDocument, updateDocuments } from "./answering/documents.ts";
import { createCombinedSearch } from "./embedding/combined-search.ts";
import type { Embedder } from "./embedding/embedder.ts";
import { startEmbeddings } from "./embedding/embeddings.ts";
import type { LanguageModel } from "./model/language-model.ts";
import type { Find } from "./model/model-run.ts";
import { guard } from "./routes/access.ts";
import { agentRoutes } from "./routes/agent-routes.ts";
import { fileRoutes } from "./routes/file-routes.ts";
import { knowledgeBaseRoutes } from "./routes/knowledge-base-routes.ts";
import { Problem, problemResponse, problems } from "./routes/problem.ts";
import { sqlRoutes } from "./routes/sql-routes.ts";
import { databaseName } from "./storage/database.ts";
import type { ReadPages } from "./storage/insert.ts";
import { openStore, type Store } from "./storage/store.ts";

export type LocalServiceOptions = {
  /** Required of every request if given. */
  readonly token?: string;
  /** Folder of local-service.db; created if needed. */
  readonly dataDir: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Parley's own documents (readProjectDocuments), for the knowledge base `docs` and the agent `guide`. */
  readonly docs?: readonly ProjectDocument[];
  /** Reads web pages for `urls`; without it `urls` are refused. */
  readonly readPages?: ReadPages;
  /** Writes the answers from the passages found; without it they are quoted. */
  readonly model?: LanguageModel;
  /** Finds passages by meaning too; without it by words alone. */
  readonly embedder?: Embedder;
  /** Default "mindsdb", which clients of this API expect. */
  readonly project?: string;
  /** Pause before each chunk of an answer. Default 350. */
  readonly stepDelayMs?: number;
  /** Limit of one request. Default 64 MiB: the rows of a large insert come in one body. */
  readonly maxBodyBytes?: number;
};

export type LocalService = {
  /** Without a trailing slash. */
  readonly url: string;
  /** What admins should know, one sentence each. */
  readonly notices: () => readonly string[];
  /** Ends all runs and closes connections and the database. */
  readonly close: () => Promise<void>;
};

const host = "127.0.0.1";
const defaultMaxBodyBytes = 64 * 1024 * 1024;

/** Listens on any free port. Throws if the database can't be opened. */
export async function startLocalService(options: LocalServiceOptions): Promise<LocalService> {
  const { clock, log } = options;
  const project = options.project ?? "mindsdb";
  await makeFolder(options.dataDir);
  const store = openStore(join(options.dataDir, databaseName), clock.now);
  const closing = new AbortController();
  try {
    if (updateDocuments(store, project, options.docs ?? [])) {
      log.debug({ documents: options.docs?.length }, "The built-in service has updated its documents");
    }
    const { embedder } = options;
    const embeddings =
      embedder === undefined
        ? undefined
        : startEmbeddings({ embedder, store: store.embeddings, clock, log, signal: closing.signal });
    const passages = {
      ...store.passages,
      insert: (...given: Parameters<Store["passages"]["insert"]>) => {
        store.passages.insert(...given);
        embeddings?.added();
      },
    };
    const watched = { ...store, passages };
    const app = createApp(
      options,
      { store: watched, project, find: createCombinedSearch(store, embeddings) },
      closing.signal,
    );
    const server = createAdaptorServer({ fetch: app.fetch }) as Server;
    server.listen(0, host);
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const close = async () => {
      if (!server.listening) return;
      const closed = once(server, "close");
      server.close();
      closing.abort(new Error("The built-in service is closing."));
      server.closeAllConnections();
      await closed;
      await embeddings?.ended;
      store.close();
    };
    const notices = () => [embeddings?.notice()].filter((notice) => notice !== undefined);
    return { url: `http://${host}:${port}`, notices, close };
  } catch (thrown) {
    store.close();
    throw thrown;
  }
}

type Parts = { readonly store: Store; readonly project: string; readonly find: Find };

function createApp(options: LocalServiceOptions, { store, project, find }: Parts, closing: AbortSignal): Hono {
  const { model, clock, log, token } = options;
  // With or without a trailing slash: clients of this API use both.
  const app = new Hono({ strict: false });
  app.onError((thrown, context) => {
    if (thrown instanceof Problem) return problemResponse(thrown, clock.now());
    // A search that yields may find the database closed.
    if (closing.aborted) return problemResponse(new Problem(500, thrown.name, "It is closing."), clock.now());
    // Never logs the body, which may hold a model's API key.
    log.error({ err: thrown, method: context.req.method, path: context.req.path }, "The built-in service failed");
    return problemResponse(new Problem(500, thrown.name, "The built-in service failed."), clock.now());
  });
  app.notFound((context) => {
    const problem = context.req.method === "GET" ? problems.unknownPath() : problems.wrongMethod();
    return problemResponse(problem, clock.now());
  });
  app.use(guard(token));
  app.use(
    bodyLimit({
      maxSize: options.maxBodyBytes ?? defaultMaxBodyBytes,
      onError: () => problemResponse(problems.tooLarge(), clock.now()),
    }),
  );

  app.get("/api/status", (context) =>
    context.json({
      mindsdb_version: "local",
      environment: "local",
      // Tells clients that an agent's model and instructions are used.
      ...(model === undefined ? {} : { model: model.name }),
      auth: {
        confirmed: true,
        http_auth_enabled: token !== undefined,
        provider: token === undefined ? "disabled" : "local",
      },
    }),
  );
  app.get("/api/util/ping", (context) => context.json({ status: "ok" }));
  app.get("/api/util/readiness", (context) => context.json(""));
  app.get("/api/databases", (context) =>
    context.json([{ name: project, type: "project", id: 1, engine: null, visible: true, deletable: false }]),
  );
  app.get("/api/projects", (context) => context.json([{ name: project }]));
  app.get("/api/projects/:project", (context) => {
    const name = context.req.param("project");
    if (name !== project) throw new Problem(404, "Project not exists", `Project name ${name} does not exist`);
    return context.json({ name });
  });
  app.use("/api/projects/:project/*", async (context, next) => {
    if (context.req.param("project") !== project) throw problems.noProject(context.req.param("project"));
    await next();
  });
  const stepDelayMs = options.stepDelayMs ?? 350;
  app.route(
    "/api/projects/:project/agents",
    agentRoutes(present({ store, find, model, clock, log, stepDelayMs, closing })),
  );
  app.route("/api/projects/:project/knowledge_bases", knowledgeBaseRoutes(store, project, options.readPages));
  app.route("/api/files", fileRoutes(store));
  app.route("/api/sql", sqlRoutes(store, project));
  return app;
}
