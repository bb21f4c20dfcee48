/**
 * The MCP server at `/mcp`: streamable HTTP, without state between two requests. A caller is the person of a personal
 * token; where nobody signs in to the page, it is anyone on this machine, as on the page.
 */
import { randomUUID } from "node:crypto";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { z } from "zod";
import { ParleyError } from "../../../src/core/errors.ts";
import type { Log } from "../../../src/core/ports/log.ts";
import type { Coordinator } from "../../../src/core/ports/state.ts";
import { maxCallsOfPerson, maxMcpBytes, maxRequestIdChars } from "../limits.ts";
import { looksLikeToken, type PersonalTokens } from "../people/personal-tokens.ts";
import type { Visitor } from "../people/visitor.ts";
import type { Caller } from "./asking.ts";
import type { createTools } from "./tools.ts";

export const mcpPath = "/mcp";

const topic = "console/local/mcp-cancelled";

/** Requests that a client sends in one session can be told from those of others. */
const sessionHeader = "mcp-session-id";

const says = {
  tooManyCalls: {
    what: `You have ${maxCallsOfPerson} calls at work at once, and that's the most I take.`,
    hint: "Call again when one of them has ended.",
  },
};

export type McpRoutesOptions = {
  readonly tools: ReturnType<typeof createTools>;
  readonly tokens: PersonalTokens;
  readonly coordinator: Pick<Coordinator, "publish" | "subscribe">;
  readonly version: string;
  readonly log: Log;
};

/** `start`, `stopIntake` and `close` as those of the page. */
export function createMcpRoutes(options: McpRoutesOptions) {
  const { tools, tokens, coordinator, log } = options;
  const app = new Hono();
  /** What is at work, by who called and under which id. */
  const running = new Map<string, Set<AbortController>>();
  const callsOf = new Map<string, number>();
  const closing = new AbortController();
  let unsubscribe = () => {};

  async function during<T>(visitor: Visitor, key: string, work: (cancelled: AbortSignal) => Promise<T>): Promise<T> {
    const calls = callsOf.get(visitor.id) ?? 0;
    if (calls >= maxCallsOfPerson) throw new ParleyError("too_many_questions", says.tooManyCalls);
    const ending = new AbortController();
    const alike = running.get(key) ?? new Set();
    callsOf.set(visitor.id, calls + 1);
    running.set(key, alike.add(ending));
    try {
      return await work(ending.signal);
    } finally {
      alike.delete(ending);
      if (alike.size === 0) running.delete(key);
      const left = (callsOf.get(visitor.id) ?? 1) - 1;
      if (left === 0) callsOf.delete(visitor.id);
      else callsOf.set(visitor.id, left);
    }
  }

  /** A client without a session may have two calls under one id: nobody knows which one is meant, so neither ends. */
  function cancel(key: string): void {
    const [found, ...others] = running.get(key) ?? [];
    if (others.length === 0) found?.abort();
  }

  /** Whose call it is, or why it is refused. */
  async function callerOf(context: Context): Promise<Pick<Caller, "visitor" | "stillHolds"> | Response> {
    const local = context.get("visitor");
    if (local !== undefined) return { visitor: local, stillHolds: async () => true };
    const [, token] = /^bearer +(\S+)$/i.exec(context.req.header("authorization") ?? "") ?? [];
    if (token === undefined)
      return unauthorized(context, "Send a personal token of Parley's page as a bearer token.", "");
    const holder = await tokens.find(token).catch((err: unknown) => {
      log.warn({ err }, "A token of an MCP client can't be checked");
      return "unknown" as const;
    });
    if (holder === "unknown") return failed(context, 503, "Parley can't reach its storage. Try again in a moment.");
    if (holder === undefined) return unauthorized(context, "This token isn't valid, or no longer. Make a new one.");
    if (holder.visitor.role === "nobody") return failed(context, 403, "This person can't use Parley.");
    // What can't be checked now is checked again at the next look.
    return { visitor: holder.visitor, stillHolds: () => tokens.stillHolds(token).catch(() => true) };
  }

  app.use(mcpPath, async (context, next) => {
    await next();
    context.header("cache-control", "no-store");
  });
  app.use(
    mcpPath,
    bodyLimit({
      maxSize: maxMcpBytes,
      onError: (context) => failed(context, 413, `A request has at most ${maxMcpBytes} bytes.`),
    }),
  );

  app.all(mcpPath, async (context) => {
    const { search } = new URL(context.req.url);
    if (looksLikeToken(decoded(search)) || /[?&](?:access_)?token=/i.test(search)) {
      return failed(
        context,
        400,
        "Never put a token into a URL: send it in the Authorization header. Revoke this one.",
      );
    }
    const from = await callerOf(context);
    if (from instanceof Response) return from;
    const { method } = context.req;
    const body: unknown = method === "POST" ? await context.req.json().catch(() => undefined) : undefined;
    if (method === "POST" && body === undefined) return failed(context, 400, "Send one message as JSON.");
    const { visitor } = from;
    const session = context.req.header(sessionHeader);
    const keyOf = (id: string | number) => JSON.stringify([visitor.id, session, id]);
    const messages = Array.isArray(body) ? body : [body];
    // Instances that can't be reached notice when the client's connection ends.
    const publish = (id: string | number) =>
      coordinator.publish(topic, keyOf(id)).catch((err: unknown) => log.warn({ err }, "A cancelled call may continue"));
    await Promise.all(messages.slice(0, maxMessages).flatMap((message) => cancelledIn(message).map(publish)));
    const caller: Caller = { ...from, closing: closing.signal, during: (id, work) => during(visitor, keyOf(id), work) };
    const handler = createMcpHandler(({ era }) => tools(caller, options.version, era === "modern"), {
      // Nothing changes that a client could listen for.
      maxSubscriptions: 0,
      onerror: (err) => log.debug({ err }, "A request over MCP was refused"),
    });
    const response = await handler.fetch(context.req.raw, { parsedBody: body });
    // Only names what a client sends from then on.
    if (messages.some(isInitialize)) response.headers.set(sessionHeader, randomUUID());
    return response;
  });

  return {
    app,
    start: (): void => {
      unsubscribe = coordinator.subscribe(topic, cancel);
    },
    /** Tells waiting clients to ask again: they find the answer after the restart. */
    stopIntake: (): void => closing.abort(),
    close: (): void => unsubscribe(),
  };
}

/** The SDK takes as many in one request. */
const maxMessages = 100;

/** Ids of requests are strings or numbers; clients number them or make UUIDs. Others are refused where they are handled. */
const requestId = z.union([z.string().max(maxRequestIdChars), z.number()]);
const cancellation = z.object({
  method: z.literal("notifications/cancelled"),
  params: z.object({ requestId }),
});

function cancelledIn(message: unknown): readonly (string | number)[] {
  const { data } = cancellation.safeParse(message);
  return data === undefined ? [] : [data.params.requestId];
}

const isInitialize = (message: unknown) => z.object({ method: z.literal("initialize") }).safeParse(message).success;

function decoded(search: string): string {
  try {
    return decodeURIComponent(search);
  } catch {
    return search;
  }
}

function failed(context: Context, status: 400 | 403 | 413 | 503, message: string): Response {
  return context.json({ jsonrpc: "2.0", id: null, error: { code: -32_000, message } }, status);
}

/** RFC 6750, 3.1: a request without a token is told no error. */
function unauthorized(context: Context, message: string, error = ', error="invalid_token"'): Response {
  return context.json({ jsonrpc: "2.0", id: null, error: { code: -32_001, message } }, 401, {
    "www-authenticate": `Bearer realm="Parley"${error}`,
  });
}
