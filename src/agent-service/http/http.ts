/**
 * HTTP requests to the service, with keep-alive, login and translated errors. The login token is renewed once after a
 * 401. Redirects are never followed, because the token would be sent along to wherever they lead.
 */
import { Agent, type Dispatcher, EnvHttpProxyAgent } from "undici";
import { ParleyError } from "../../core/errors.ts";
import { createDeadline, type Deadline } from "./deadline.ts";
import type { HttpOptions, HttpRequest, Looked } from "./http-request.ts";
import { redactInternals, redactSecrets } from "./redaction.ts";

export type Http = {
  /** The body as JSON (undefined when it is empty). Throws ParleyError. */
  readonly json: (request: HttpRequest) => Promise<unknown>;
  /** An open response with a 2xx status. The caller reads or destroys its body. The deadline covers both. */
  readonly open: (request: HttpRequest, deadline: Deadline) => Promise<Dispatcher.ResponseData>;
  /** A whole response with any status. Throws ParleyError if there is none. */
  readonly look: (request: HttpRequest) => Promise<Looked>;
  /** Turns a connection failure into a ParleyError. If the deadline caused it, returns the deadline's reason. */
  readonly translate: (
    thrown: unknown,
    deadline: Deadline,
    whenBroken: "service_unreachable" | "stream_cut",
  ) => ParleyError;
  readonly close: () => Promise<void>;
};

/** The largest responses that aren't streams are lists of agents with long instructions. */
const maxBodyBytes = 32 * 1024 * 1024;
/** Errors, and what tells which server it is: lists of models are the largest. */
const maxShortBytes = 4 * 1024 * 1024;
/** Bytes of a 401's body that are drained before the login, so that its connection can be reused. */
const maxErrorBytes = 64 * 1024;
/** The service closes idle connections after 5 s. A shorter limit here keeps requests off a closing connection. */
const keepAliveMs = 4000;
const closeMs = 5000;

export function createHttp(options: HttpOptions): Http {
  const base = baseOf(options.baseUrl);
  const dispatcher = createDispatcher(options);
  const login = options.login(exchange);
  /** Aborts all requests in flight. A dispatcher that is closing can no longer destroy its connections. */
  const broken = new AbortController();

  async function send(
    request: HttpRequest,
    token: string | undefined,
    deadline: Deadline,
  ): Promise<Dispatcher.ResponseData> {
    const headers: Record<string, string> = {
      accept: request.accept ?? "application/json",
      "user-agent": "parley",
    };
    if (token !== undefined) headers["authorization"] = `Bearer ${token}`;
    if ((request.json ?? request.text) !== undefined) headers["content-type"] = "application/json";
    if (request.multipart !== undefined) {
      headers["content-type"] = request.multipart.contentType;
      headers["content-length"] = String(request.multipart.lengthBytes);
    }
    try {
      return await dispatcher.request({
        origin: base.origin,
        path: base.path + request.path,
        method: request.method,
        headers,
        signal: AbortSignal.any([deadline.signal, broken.signal]),
        body: bodyOf(request),
      });
    } catch (thrown) {
      throw translate(thrown, deadline, "service_unreachable");
    }
  }

  async function open(request: HttpRequest, deadline: Deadline): Promise<Dispatcher.ResponseData> {
    const used = login.token();
    let response = await send(request, used, deadline);
    if (response.statusCode === 401 && login.canRenew()) {
      await response.body.dump({ limit: maxErrorBytes, signal: deadline.signal });
      response = await send(request, await deadline.race(login.renew(used)), deadline);
    }
    if (response.statusCode >= 200 && response.statusCode < 300) return response;
    const body = await readShort(response, deadline);
    throw options.errorOf({
      status: response.statusCode,
      body,
      header: (name) => header(response, name),
      subject: request.subject,
      secrets: [...login.secrets(), ...(request.secrets ?? [])],
    });
  }

  /** Sends without a token and returns any status. */
  async function exchange(request: HttpRequest, deadline: Deadline): Promise<{ status: number; body: string }> {
    const response = await send(request, undefined, deadline);
    return { status: response.statusCode, body: await readText(response, deadline) };
  }

  async function look(request: HttpRequest): Promise<Looked> {
    const deadline = createDeadline(options.clock, request.signal);
    deadline.limit(request.limitMs ?? options.requestMs, "service_busy");
    try {
      const response = await send(request, login.token(), deadline);
      const body = await readShort(response, deadline);
      return { status: response.statusCode, body, header: (name) => header(response, name) };
    } finally {
      deadline.clear();
    }
  }

  async function json(request: HttpRequest): Promise<unknown> {
    const deadline = createDeadline(options.clock, request.signal);
    deadline.limit(request.limitMs ?? options.requestMs, request.onLimit ?? "service_busy");
    try {
      const response = await openTwiceIfSafe(request, deadline);
      const text = await readText(response, deadline);
      return text.trim() === "" ? undefined : JSON.parse(text);
    } catch (thrown) {
      if (thrown instanceof SyntaxError)
        throw new ParleyError("service_not_understood", { cause: new Error("Not JSON.") });
      throw thrown;
    } finally {
      deadline.clear();
    }
  }

  /** Repeats a GET once, at once, when its kept-alive connection had been closed (the service restarted). */
  async function openTwiceIfSafe(request: HttpRequest, deadline: Deadline): Promise<Dispatcher.ResponseData> {
    try {
      return await open(request, deadline);
    } catch (thrown) {
      if (request.method !== "GET" || !isBrokenConnection(thrown) || deadline.signal.aborted) throw thrown;
      return await open(request, deadline);
    }
  }

  /** "" for one that is longer than anyone writes about an error, or about what a server is. */
  async function readShort(response: Dispatcher.ResponseData, deadline: Deadline): Promise<string> {
    try {
      return await readText(response, deadline, maxShortBytes);
    } catch (thrown) {
      if (thrown instanceof ParleyError && thrown.code === "answer_too_large") return "";
      throw thrown;
    }
  }

  async function readText(
    response: Dispatcher.ResponseData,
    deadline: Deadline,
    maxBytes = maxBodyBytes,
  ): Promise<string> {
    const parts: Buffer[] = [];
    let size = 0;
    try {
      for await (const part of response.body) {
        size += part.length;
        if (size > maxBytes) throw new ParleyError("answer_too_large");
        parts.push(part);
      }
    } catch (thrown) {
      throw translate(thrown, deadline, "service_unreachable");
    }
    return Buffer.concat(parts).toString("utf8");
  }

  function translate(
    thrown: unknown,
    deadline: Deadline,
    whenBroken: "service_unreachable" | "stream_cut",
  ): ParleyError {
    if (thrown instanceof ParleyError) return thrown;
    const reason = deadline.reason();
    if (reason !== undefined) return reason;
    return new ParleyError(whenBroken, { cause: new BrokenConnection(describe(thrown), codeOfError(thrown)) });
  }

  function describe(thrown: unknown): string {
    const message = thrown instanceof Error ? `${codeOfError(thrown)} ${thrown.message}` : String(thrown);
    return redactSecrets(redactInternals(message.trim()), login.secrets());
  }

  let closing: Promise<void> | undefined;
  /** Lets running requests finish, and aborts them after closeMs so that a shutdown always ends. */
  async function close(): Promise<void> {
    const cancel = options.clock.after(closeMs, () => broken.abort());
    await dispatcher.close().finally(cancel);
  }

  function closeOnce(): Promise<void> {
    closing ??= close();
    return closing;
  }

  return { json, open, look, translate, close: closeOnce };
}

function bodyOf({ json, text, multipart }: HttpRequest): string | null {
  // undici accepts any async iterable of bytes, but its types name only Node's streams.
  if (multipart !== undefined) return multipart.body() as unknown as null;
  return json === undefined ? (text ?? null) : JSON.stringify(json);
}

/** Replaces undici's own errors, which may hold the request with its headers. */
class BrokenConnection extends Error {
  readonly code: string;
  constructor(message: string, code: string) {
    super(message);
    this.code = code;
  }
}

const brokenCodes = new Set(["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"]);

function isBrokenConnection(thrown: unknown): boolean {
  const cause = thrown instanceof ParleyError ? thrown.cause : undefined;
  return cause instanceof BrokenConnection && brokenCodes.has(cause.code);
}

function codeOfError(thrown: unknown): string {
  return thrown instanceof Error && "code" in thrown ? String(thrown.code) : "";
}

export function header(response: Dispatcher.ResponseData, name: string): string | undefined {
  const value = response.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

function createDispatcher(options: HttpOptions): Dispatcher {
  const connect = { timeout: options.connectMs };
  // Time limits go through the Clock. undici's own would end a long insert or a silent run.
  const common = { connect, headersTimeout: 0, bodyTimeout: 0, keepAliveTimeout: keepAliveMs };
  if (options.proxy === undefined) return new Agent(common);
  const { httpProxy = "", httpsProxy = "", noProxy = "" } = options.proxy;
  return new EnvHttpProxyAgent({ ...common, httpProxy, httpsProxy, noProxy, proxyTls: connect, requestTls: connect });
}

/** A URL with a path means a service behind a prefix. Credentials in the URL are dropped: they aren't a login. */
function baseOf(baseUrl: string): { readonly origin: string; readonly path: string } {
  const url = new URL(baseUrl);
  return { origin: url.origin, path: url.pathname.replace(/(?<!\/)\/+$/, "") };
}
