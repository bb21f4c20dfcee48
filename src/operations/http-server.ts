/** Parley's HTTP server, for the probes, the page and platforms that send events over HTTP. */
import { createServer, IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import type { Clock } from "../core/ports/clock.ts";
import type { Log } from "../core/ports/log.ts";
import { ConfigError } from "../core/tools/config-error.ts";

export type HttpServer = {
  /** Routers are mounted here before `listen`. */
  readonly app: Hono;
  /** For libraries with their own listener (Slack's). Matches the exact path and any method. */
  readonly handleNode: (path: string, listener: RequestListener) => void;
  /** Resolves once connections are accepted. Throws ConfigError if HOST or PORT can't be used. */
  readonly listen: () => Promise<{ readonly url: string; readonly port: number }>;
  /** Accepts no more connections, lets responses finish, and closes the remaining ones after `graceMs`. Idempotent. */
  readonly close: (graceMs: number) => Promise<void>;
};

/** Longer than proxies keep an idle connection (60 s). Otherwise they would use one that is just being closed. */
const keepAliveMs = 65_000;

/** Bytes of a refused request that are still read: more than twice the largest file. Node ends it after 300 s. */
const maxDrainedBytes = 64 * 1024 * 1024;

export function createHttpServer(options: {
  readonly host: string;
  readonly port: number;
  /** Whose path, such as "/parley", a proxy may pass on. */
  readonly publicUrl?: string;
  readonly clock: Clock;
  readonly log: Log;
}): HttpServer {
  const { host, port, publicUrl, clock, log } = options;
  const basePath = publicUrl === undefined ? "" : new URL(publicUrl).pathname.replace(/\/$/, "");
  let isClosing = false;
  const nodeListeners = new Map<string, RequestListener>();
  const app = new Hono();
  app.notFound((context) => context.text("Not found.\n", 404));
  app.onError((thrown, context) => {
    // The client disconnected during its request: not an error, and nobody reads the response.
    if ("code" in thrown && thrown.code === "ECONNRESET" && thrown.message === "aborted")
      return context.body(null, 400);
    log.error({ err: thrown, method: context.req.method, path: context.req.path }, "A request failed");
    return context.text("Something went wrong in Parley.\n", 500);
  });

  const honoListener = getRequestListener(
    async (request, env) => {
      const response = await app.fetch(request, env);
      if (env.incoming instanceof IncomingMessage) await drain(env.incoming);
      return response;
    },
    { hostname: host },
  );
  const server = createServer({ keepAliveTimeout: keepAliveMs }, (request, response) => {
    // Some proxies strip the path of PUBLIC_URL, others pass it on. Either way, routes are without it.
    request.url = withoutBase(request.url ?? "", basePath);
    const [path = ""] = request.url.split("?", 1);
    const nodeListener = nodeListeners.get(path);
    // A connection that was busy when the server closed is idle now, and would stay open until its client closes it.
    response.once("close", () => setImmediate(() => isClosing && server.closeIdleConnections()));
    // No request may end the process: an error thrown here would be uncaught.
    const failed = (thrown: unknown) => {
      log.error({ err: thrown, method: request.method, path }, "A request failed");
      if (!response.headersSent) response.writeHead(500);
      response.end();
    };
    if (path === "") {
      // Relative URLs on the page need the slash at the end of "/parley/".
      response.writeHead(308, { location: `${basePath}/${request.url}` }).end();
      return;
    }
    if (nodeListener === undefined) {
      honoListener(request, response).catch(failed);
      return;
    }
    endAfterRequest(request, response);
    try {
      nodeListener(request, response);
    } catch (thrown) {
      failed(thrown);
    }
  });

  async function listen(): Promise<{ url: string; port: number }> {
    await new Promise<void>((resolve, reject) => {
      server.once("error", (thrown) => reject(addressError(thrown, host, port)));
      server.listen(port, host, resolve);
    });
    // From here on, an error of the server doesn't mean a failed start.
    server.removeAllListeners("error");
    server.on("error", (thrown) => log.error({ err: thrown }, "The HTTP server reported an error"));
    const bound = addressOf(server).port;
    return { url: addressToOpen(host, bound), port: bound };
  }

  let closed: Promise<void> | undefined;
  async function close(graceMs: number): Promise<void> {
    isClosing = true;
    if (!server.listening) return;
    const ended = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeIdleConnections();
    const cancelCut = clock.after(graceMs, () => server.closeAllConnections());
    await ended;
    cancelCut();
  }

  return {
    app,
    handleNode: (path, listener) => nodeListeners.set(path, listener),
    listen,
    close: (graceMs) => {
      closed ??= close(graceMs);
      return closed;
    },
  };
}

/**
 * Reads the rest of a request and drops it, before the request is answered. Nginx asks Parley to close the connection
 * after the answer; if that happens while nginx still sends, it answers 502 instead.
 */
async function drain(incoming: IncomingMessage): Promise<void> {
  if (incoming.complete || incoming.destroyed) return;
  await new Promise<void>((resolve) => {
    // The reader of the beginning would buffer the rest, and pause.
    incoming.removeAllListeners("data");
    let bytes = 0;
    incoming.on("data", ({ length }: Buffer) => {
      bytes += length;
      if (bytes > maxDrainedBytes) resolve();
    });
    for (const ended of ["end", "error", "close"]) incoming.once(ended, () => resolve());
    incoming.resume();
  });
}

/** For libraries that answer a request they refuse to read. */
function endAfterRequest(request: IncomingMessage, response: ServerResponse): void {
  const end = response.end.bind(response) as (...given: readonly unknown[]) => ServerResponse;
  response.end = (...given: readonly unknown[]) => {
    if (request.complete) return end(...given);
    drain(request).then(() => end(...given));
    return response;
  };
}

/** "/docs/x.md?raw" of "/parley/docs/x.md?raw", and "?x" of "/parley?x". */
function withoutBase(url: string, base: string): string {
  const rest = url.slice(base.length);
  return base !== "" && url.startsWith(base) && /^(?:[/?]|$)/.test(rest) ? rest : url;
}

/** URL to open on this machine, without a trailing slash: for 0.0.0.0 and ::, the loopback address. */
export function addressToOpen(host: string, port: number): string {
  const name = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
  return `http://${name.includes(":") ? `[${name}]` : name}:${port}`;
}

/** Checks that HOST and PORT can be listened on now. Throws ConfigError if not. */
export async function checkAddress(host: string, port: number): Promise<void> {
  const probe = createServer();
  await new Promise<void>((resolve, reject) => {
    probe.once("error", (thrown) => reject(addressError(thrown, host, port)));
    probe.listen(port, host, () => probe.close(() => resolve()));
  });
}

function addressError(thrown: Error, host: string, port: number): Error {
  const code = "code" in thrown ? thrown.code : undefined;
  const refuse = (variable: "HOST" | "PORT", why: string, example: string) =>
    new ConfigError([{ variable, why, example: `${variable}=${example}` }], { cause: thrown });
  if (code === "EADDRINUSE")
    return refuse("PORT", `${port} is in use by another program; choose another port`, String(port + 1));
  if (code === "EACCES") return refuse("PORT", `this user isn't allowed to use ${port}`, "3000");
  if (code === "EADDRNOTAVAIL") return refuse("HOST", `${host} isn't an address of this machine`, "127.0.0.1");
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return refuse("HOST", `${host} can't be resolved`, "127.0.0.1");
  return thrown;
}

function addressOf(server: Server): AddressInfo {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  return address;
}
