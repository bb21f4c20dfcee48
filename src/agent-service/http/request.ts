/**
 * HTTP requests to a service, with keep-alive, login, limits of time and translated errors. A login's token is renewed
 * once after a 401. Redirects are never followed, because the token would be sent along to wherever they lead.
 */
import { Agent, type Dispatcher, EnvHttpProxyAgent } from "undici";
import { type ErrorCode, ParleyError } from "../../core/errors.ts";
import type { Clock } from "../../core/ports/clock.ts";
import { orAborted } from "../../core/tools/abortable.ts";
import { traceHeaders } from "../../operations/tracing.ts";
import { redactInternals, redactSecrets } from "./texts.ts";

export type ProxySettings = { readonly httpProxy?: string; readonly httpsProxy?: string; readonly noProxy?: string };

/** A body that is sent as a multipart form. */
export type Multipart = {
  readonly contentType: string;
  readonly lengthBytes: number;
  /** A new iterable for each attempt. */
  readonly body: () => AsyncIterable<Uint8Array>;
};

/**
 * What the request was about: the same status means different things for different calls. "run": a run or a conversation
 * that the service keeps.
 */
export type Subject = "status" | "login" | "project" | "agent" | "run" | "knowledge-base" | "insert" | "file" | "sql";

export type HttpRequest = {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: string;
  readonly subject: Subject;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent as it is, under the type of JSON. */
  readonly text?: string;
  /** API keys in the body; errors must not repeat them. */
  readonly secrets?: readonly string[];
  readonly multipart?: Multipart;
  readonly accept?: string;
  /** Limit of the whole exchange; `requestMs` when absent. */
  readonly limitMs?: number;
  /** Error code when the limit is reached; service_busy when absent. */
  readonly onLimit?: ErrorCode;
  readonly signal?: AbortSignal | undefined;
};

/** A response with any status. */
export type Looked = {
  readonly status: number;
  readonly body: string;
  readonly header: (name: string) => string | undefined;
};

/** A response with any status but 2xx. */
export type Refusal = Looked & {
  readonly subject: Subject;
  /** Must not appear in the error. */
  readonly secrets: readonly string[];
};

/** Sends without a token and returns any status. */
export type Exchange = (request: HttpRequest, deadline: Deadline) => Promise<Looked>;

/** A token that can be renewed. */
export type Login = {
  readonly token: () => string | undefined;
  /** Returns a token other than `used`. Throws not_authorised when the service refuses. Absent: a refused one stays so. */
  readonly renew?: (used: string | undefined) => Promise<string>;
  /** Every secret that must not appear in an error's cause. */
  readonly secrets: () => readonly string[];
};

export type HttpOptions = {
  readonly baseUrl: string;
  readonly connectMs: number;
  readonly requestMs: number;
  readonly clock: Clock;
  readonly proxy?: ProxySettings;
  /** How the dialect says what went wrong. */
  readonly errorOf: (refusal: Refusal) => ParleyError;
  /** A bearer key, which doesn't expire. */
  readonly token?: string;
  /** In the place of `token`, where tokens expire. */
  readonly login?: (exchange: Exchange) => Login;
};

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
  const { clock, token: key } = options;
  const base = baseOf(options.baseUrl);
  const dispatcher = createDispatcher(options);
  const keyAlone: Login = { token: () => key, secrets: () => (key === undefined ? [] : [key]) };
  const login = options.login?.(exchange) ?? keyAlone;
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
      ...traceHeaders(),
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
    if (response.statusCode === 401 && login.renew !== undefined) {
      await response.body.dump({ limit: maxErrorBytes, signal: deadline.signal });
      response = await send(request, await orAborted(login.renew(used), deadline.signal), deadline);
    }
    if (response.statusCode >= 200 && response.statusCode < 300) return response;
    const secrets = [...login.secrets(), ...(request.secrets ?? [])];
    throw options.errorOf({ ...(await readLooked(response, deadline)), subject: request.subject, secrets });
  }

  async function exchange(request: HttpRequest, deadline: Deadline): Promise<Looked> {
    return readLooked(await send(request, undefined, deadline), deadline);
  }

  async function look(request: HttpRequest): Promise<Looked> {
    const deadline = createDeadline(clock, request.signal);
    deadline.limit(request.limitMs ?? options.requestMs, "service_busy");
    try {
      return await readLooked(await send(request, login.token(), deadline), deadline);
    } finally {
      deadline.clear();
    }
  }

  async function json(request: HttpRequest): Promise<unknown> {
    const deadline = createDeadline(clock, request.signal);
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

  /** The body is "" if it is longer than anyone writes about an error, or about what a server is. */
  async function readLooked(response: Dispatcher.ResponseData, deadline: Deadline): Promise<Looked> {
    const body = await readText(response, deadline, maxShortBytes).catch((thrown: unknown) => {
      if (thrown instanceof ParleyError && thrown.code === "answer_too_large") return "";
      throw thrown;
    });
    return { status: response.statusCode, body, header: (name) => header(response, name) };
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
    if (deadline.signal.aborted) return deadline.signal.reason as ParleyError;
    return new ParleyError(whenBroken, { cause: new BrokenConnection(describe(thrown), codeOfError(thrown)) });
  }

  function describe(thrown: unknown): string {
    const message = thrown instanceof Error ? `${codeOfError(thrown)} ${thrown.message}` : String(thrown);
    return redactSecrets(redactInternals(message.trim()), login.secrets());
  }

  let closing: Promise<void> | undefined;
  /** Lets running requests finish, and aborts them after closeMs so that a shutdown always ends. */
  async function close(): Promise<void> {
    const cancel = clock.after(closeMs, () => broken.abort());
    await dispatcher.close().finally(cancel);
  }

  function closeOnce(): Promise<void> {
    closing ??= close();
    return closing;
  }

  return { json, open, look, translate, close: closeOnce };
}

/** One AbortSignal per exchange, for the caller's stop and every time limit; its reason is a ParleyError. */
export type Deadline = {
  readonly signal: AbortSignal;
  /** Aborts with an error of that code after `ms`. Returns a function that cancels the limit. */
  readonly limit: (ms: number, code: ErrorCode) => () => void;
  readonly abort: (code: ErrorCode) => void;
  /** Cancels every limit and stops listening to the caller's signal. */
  readonly clear: () => void;
};

export function createDeadline(clock: Clock, callersSignal?: AbortSignal): Deadline {
  const controller = new AbortController();
  const cancels = new Set<() => void>();
  const abort = (code: ErrorCode) => controller.abort(new ParleyError(code));
  const stop = () => abort("stopped");
  if (callersSignal?.aborted) stop();
  else callersSignal?.addEventListener("abort", stop, { once: true });

  return {
    signal: controller.signal,
    limit: (ms, code) => {
      const cancel = clock.after(ms, () => abort(code));
      const forget = () => {
        cancel();
        cancels.delete(forget);
      };
      cancels.add(forget);
      return forget;
    },
    abort,
    clear: () => {
      callersSignal?.removeEventListener("abort", stop);
      for (const cancel of [...cancels]) cancel();
    },
  };
}

function bodyOf({ json, text, multipart }: HttpRequest): string | null {
  // undici accepts any async iterable of bytes, but its types name only Node's streams.
  if (multipart !== undefined) return multipart.body() as unknown as null;
  return json === undefined ? (text ?? null) : JSON.stringify(json, wellFormed);
}

/** Parsers of other languages refuse a body with half a character (an unpaired surrogate), or fail later. */
function wellFormed(_key: string, value: unknown): unknown {
  return typeof value === "string" ? value.toWellFormed() : value;
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
