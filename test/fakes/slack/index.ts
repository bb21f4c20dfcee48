/**
 * A strict local Slack for tests: Web API, Socket Mode and HTTP on one loopback port. It enforces the real limits,
 * echoes every change, redelivers what isn't acknowledged, and records whatever would be wrong in public.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { watchForKeys } from "../../doubles/planted-keys.ts";
import { readAll, readBody, uploadedFile } from "./bodies.ts";
import { type BlockProfile, refusedBy } from "./check-blocks.ts";
import { createDeliveries, type Delivery } from "./deliveries.ts";
import { historyScopes, listScopes } from "./history.ts";
import type { MethodContext } from "./method.ts";
import { methods } from "./methods.ts";
import { createPerson } from "./people/person.ts";
import { createRatePolice, type Rates, restrictedRates } from "./rates.ts";
import { refusedContent, SlackRefusal } from "./refusal.ts";
import { createResponseUrls } from "./response-urls.ts";
import { allScopes, eventScopes, scopesOf } from "./scopes.ts";
import { createInspection } from "./watch/inspection.ts";
import { createRepeats } from "./watch/repeats.ts";
import { acceptSocket } from "./web-sockets.ts";
import { bot, createWorld, type Json, team } from "./world.ts";

export type FakeSlackOptions = {
  /** "classic" refuses every kind of block of the last years. */
  readonly profile?: BlockProfile;
  /** Kinds of blocks that this workspace refuses, like "data_table"; "task-sources" is the property of a task. */
  readonly refuses?: readonly string[];
  readonly scopes?: readonly string[];
  readonly rates?: Rates;
  /** How much faster than time the limits are counted, for a Parley whose clock is fast. Default: 1. */
  readonly speed?: number;
  readonly ackTimeoutMs?: number;
  /** 1 is Slack's own pace: a minute and five. */
  readonly retryScale?: number;
  /** For an app that is sold outside the Marketplace: history and replies once a minute, 15 messages each. */
  readonly isRestricted?: boolean;
  /** Which end a history begins at when only `oldest` is given; Slack documents neither. */
  readonly historyFrom?: "latest" | "oldest";
  readonly requestUrl?: string;
  /** As people report since 2026: a reply whose thread is gone is posted into the channel. */
  readonly unthreads?: boolean;
};

export { allScopes };

export type Fault = {
  readonly method: string;
  /**
   * "lost": done, but the answer never arrives. "429 page soon": from what stands before Slack, with that Retry-After.
   * Anything else is Slack's error code, or a number of HTTP.
   */
  readonly kind: string;
  times: number;
  readonly retryAfterS?: number;
  /** Only calls about that channel. */
  readonly channel?: string;
};

export type Call = { readonly method: string; readonly body: Json; error?: string; readonly atMs: number };

export const botToken = "xoxb-test-bot";
export const appToken = "xapp-test-app";
export const signingSecret = "0123456789abcdef0123456789abcdef";

export type FakeSlack = Awaited<ReturnType<typeof startFakeSlack>>;

export async function startFakeSlack(options: FakeSlackOptions = {}) {
  let aheadMs = 0;
  const nowMs = () => Date.now() + aheadMs;
  const world = createWorld(nowMs);
  world.isUnthreading = options.unthreads === true;
  const calls: Call[] = [];
  const faults: Fault[] = [];
  const delays = new Map<string, number>();
  /** What would have been wrong in a real workspace. */
  const violations: string[] = [];
  const rates = options.rates ?? (options.isRestricted === true ? restrictedRates : undefined);
  const police = createRatePolice({
    rates,
    speed: options.speed,
    nowMs,
    tooEarly: (what) => void violations.push(what),
  });
  const violate = (what: string) => void violations.push(what);
  const repeats = createRepeats({ violate, nowMs, speed: options.speed });
  let requestUrl = options.requestUrl;
  let refusesSockets: string | undefined;
  let granted = options.scopes ?? allScopes;
  const deliveries = createDeliveries({
    ackTimeoutMs: options.ackTimeoutMs ?? 3_000,
    retryScale: options.retryScale ?? 0.001,
    signingSecret,
    requestUrl: () => requestUrl,
  });
  const server: Server = createServer((request, response) => void route(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const base = `http://127.0.0.1:${port}`;

  const context: MethodContext = {
    world,
    refuses: [...refusedBy[options.profile ?? "modern"], ...(options.refuses ?? [])],
    nowMs,
    base,
    triggerLifeMs: 3_000,
    historyFrom: options.historyFrom ?? "latest",
    maxPageMessages: options.isRestricted === true ? 15 : 999,
    hasScope: (scope) => scopes().includes(scope),
    announce: (event) => void send(event),
    violate,
    repeats,
  };
  const inspect = createInspection(world, violations, [botToken, appToken, signingSecret]);
  const { responses, respond } = createResponseUrls(context, inspect);

  /** As the app gets it, if it has the scope that the subscription needs. */
  function send(event: Json): Promise<Delivery> {
    const channel = world.channels.get(String(event["channel"] ?? (event["item"] as Json | undefined)?.["channel"]));
    const type = String(event["type"]);
    const kind = channel?.type ?? "channel";
    const needed =
      type === "message"
        ? historyScopes[kind]
        : type === "member_joined_channel"
          ? listScopes[kind]
          : eventScopes[type];
    if (needed !== undefined && !scopes().includes(needed)) return Promise.resolve(unheard(event));
    return deliveries.deliver("events_api", {
      type: "event_callback",
      team_id: team,
      context_team_id: team,
      api_app_id: "A0",
      event_id: world.nextId("Ev"),
      is_ext_shared_channel: [...(channel?.members ?? [])].some((member) => world.teamOf(member) !== team),
      // A mention does not say what kind of channel it is in.
      event: type === "message" ? { ...event, channel_type: channel?.type } : event,
      authorizations: [{ team_id: team, user_id: bot.userId, is_bot: true, is_enterprise_install: false }],
    });
  }

  server.on("upgrade", (request, stream) => {
    const socket = acceptSocket(request, stream, {
      message: deliveries.onFrame,
      closed: () => deliveries.removeSocket(socket),
    });
    deliveries.addSocket(socket);
    repeats.connected();
    if (deliveries.sockets.size > 10) violations.push("more than 10 sockets");
    socket.send(JSON.stringify({ type: "hello", num_connections: deliveries.sockets.size }));
  });

  async function route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const raw = await readAll(request);
    // The client was killed while it was sending.
    if (raw === undefined) return;
    const url = new URL(request.url ?? "/", base);
    if (url.pathname.startsWith("/response/")) return respond(url, raw, response);
    if (url.pathname.startsWith("/files/")) return download(url, request, response);
    if (url.pathname.startsWith("/upload/")) {
      watchForKeys("Slack's upload", raw.toString());
      const file = world.files.get(url.pathname.slice(8));
      const content = await uploadedFile(request, raw);
      world.files.set(url.pathname.slice(8), { name: "", type: "", ...file, content });
      response.end("OK");
      return;
    }
    await callMethod(url.pathname.replace("/api/", ""), request, raw, response);
  }

  async function callMethod(
    method: string,
    request: IncomingMessage,
    raw: Buffer,
    response: ServerResponse,
  ): Promise<void> {
    const body = readBody(request, raw);
    // Whatever Slack makes of it: what was sent is out.
    watchForKeys(`Slack's ${method}`, JSON.stringify({ ...body, token: "" }));
    const call: Call = { method, body, atMs: nowMs() };
    calls.push(call);
    response.once("close", () => {
      if (!response.writableFinished) repeats.unanswered(body["ts"]);
    });
    const { status, content, headers } = outcome(method, request, body);
    if (content["ok"] !== true) call.error = String(content["error"]);
    if (content["error"] === "lost") {
      response.destroy();
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, delays.get(method) ?? 0));
    response.writeHead(status, {
      "content-type": "application/json",
      "x-oauth-scopes": scopes().join(","),
      ...headers,
    });
    response.end(JSON.stringify(content));
  }

  type Outcome = { readonly status: number; readonly content: Json; readonly headers?: Record<string, string> };

  function outcome(method: string, request: IncomingMessage, body: Json): Outcome {
    const isMeant = ({ channel }: Fault) => channel === undefined || channel === body["channel"];
    const fault = faults.find((candidate) => candidate.method === method && candidate.times > 0 && isMeant(candidate));
    if (fault !== undefined) fault.times -= 1;
    repeats.called(method, body);
    const waitS = fault?.kind === "ratelimited" ? (fault.retryAfterS ?? 1) : police.waitS(method, body);
    if (waitS > 0) {
      if (fault?.kind === "ratelimited") repeats.told(method, body, waitS);
      return { status: 429, content: { ok: false, error: "ratelimited" }, headers: { "retry-after": String(waitS) } };
    }
    if (fault?.kind.startsWith("429 page") === true) {
      const retryAfter = fault.kind.slice("429 page ".length);
      return { status: 429, content: {}, headers: retryAfter === "" ? {} : { "retry-after": retryAfter } };
    }
    if (fault !== undefined && /^\d+$/.test(fault.kind)) return { status: Number(fault.kind), content: { ok: false } };
    try {
      authorize(method, request, body);
      if (fault !== undefined && fault.kind !== "lost") throw new SlackRefusal(fault.kind);
      if (method === "apps.connections.open") {
        return { status: 200, content: { ok: true, url: `ws://127.0.0.1:${port}/socket` } };
      }
      const run = methods[method];
      if (run === undefined) throw new SlackRefusal("unknown_method");
      inspect(method, body);
      const result = run(body, context);
      return { status: 200, content: fault === undefined ? { ok: true, ...result } : { ok: false, error: "lost" } };
    } catch (thrown) {
      if (!(thrown instanceof SlackRefusal)) throw thrown;
      return { status: 200, content: refusedContent(thrown) };
    }
  }

  const scopes = () => granted;

  function authorize(method: string, request: IncomingMessage, body: Json): void {
    const token = request.headers.authorization?.replace("Bearer ", "") ?? body["token"];
    const expected = method === "apps.connections.open" ? appToken : botToken;
    if (token !== expected) throw new SlackRefusal("invalid_auth");
    if (method === "apps.connections.open" && refusesSockets !== undefined) throw new SlackRefusal(refusesSockets);
    if (method === "apps.connections.open" && deliveries.isCut()) throw new SlackRefusal("internal_error");
    const needed = scopesOf[method];
    if (needed !== undefined && !needed.some((scope) => scopes().includes(scope)))
      throw new SlackRefusal("missing_scope");
  }

  function download(url: URL, request: IncomingMessage, response: ServerResponse): void {
    const file = world.files.get(url.pathname.slice(7));
    const isAllowed = request.headers.authorization === `Bearer ${botToken}` && scopes().includes("files:read");
    if (file === undefined || !isAllowed) {
      response.writeHead(302, { location: `${base}/signin` });
      response.end();
      return;
    }
    response.writeHead(200, { "content-type": file.type });
    response.end(file.content);
  }

  return {
    apiUrl: `${base}/api/`,
    base,
    world,
    calls,
    faults,
    violations,
    responses,
    deliveries,
    person: (id: string) => createPerson(id, { world, deliveries, send, base, repeats }),
    /** The way to the app is cut until what is returned is called; whatever happens meanwhile is never sent again. */
    outage: () => {
      deliveries.cut(true);
      return () => deliveries.cut(false);
    },
    /** The app was installed again. */
    grant: (...more: readonly string[]) => {
      granted = [...granted, ...more];
    },
    callsTo: (method: string) => calls.filter((call) => call.method === method),
    fail: (
      method: string,
      kind: string,
      { times = 1, ...more }: { times?: number; retryAfterS?: number; channel?: string } = {},
    ) => faults.push({ method, kind, times, ...more }),
    /** Every answer of that method takes so long. */
    slow: (method: string, ms: number) => delays.set(method, ms),
    refuseSockets: (code: string | undefined) => {
      refusesSockets = code;
    },
    useRequestUrl: (url: string) => {
      requestUrl = url;
    },
    /** Slack's clock goes ahead: triggers expire, buckets fill. */
    advance: (ms: number) => {
      aheadMs += ms;
    },
    stop: async () => {
      deliveries.stop();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** What nobody is told of, for want of a scope. */
const unheard = (event: Json): Delivery => ({
  ...{ type: "events_api", payload: { event }, attempts: 0 },
  ...{ isAcknowledged: false, answer: undefined, ackMs: undefined },
});
