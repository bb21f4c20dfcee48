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
import { createOAuth, type OAuthOptions } from "./oauth.ts";
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
  /** The app is installed by OAuth, in as many workspaces as people like. */
  readonly oauth?: OAuthOptions;
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

export type Call = {
  readonly method: string;
  readonly body: Json;
  error?: string;
  readonly atMs: number;
  readonly team: string;
};

export const botToken = "xoxb-test-bot";
export const appToken = "xapp-test-app";
export const signingSecret = "0123456789abcdef0123456789abcdef";

export type FakeSlack = Awaited<ReturnType<typeof startFakeSlack>>;

export async function startFakeSlack(options: FakeSlackOptions = {}) {
  let aheadMs = 0;
  const nowMs = () => Date.now() + aheadMs;
  const calls: Call[] = [];
  const faults: Fault[] = [];
  const delays = new Map<string, number>();
  /** What would have been wrong in a real workspace. */
  const violations: string[] = [];
  const rates = options.rates ?? (options.isRestricted === true ? restrictedRates : undefined);
  const violate = (what: string) => void violations.push(what);
  const oauth = createOAuth({ ...options.oauth, nowMs });
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

  /** One workspace: its world, its limits, what its people do. */
  function openTeam(id: string) {
    const world = createWorld(nowMs, id);
    world.isUnthreading = options.unthreads === true;
    const repeats = createRepeats({ violate, nowMs, speed: options.speed });
    const police = createRatePolice({ rates, speed: options.speed, nowMs, tooEarly: violate });
    const scopes = (): readonly string[] => {
      const [token] = oauth.alive(id);
      return token === undefined ? granted : (oauth.tokens.get(token)?.scopes ?? []);
    };

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
      const isInstalled = options.oauth === undefined || oauth.alive(id).length > 0 || endings.has(type);
      if (!isInstalled || (needed !== undefined && !scopes().includes(needed))) return Promise.resolve(unheard(event));
      return deliveries.deliver("events_api", {
        type: "event_callback",
        team_id: id,
        context_team_id: id,
        api_app_id: "A0",
        event_id: world.nextId("Ev"),
        is_ext_shared_channel: [...(channel?.members ?? [])].some((member) => world.teamOf(member) !== id),
        // A mention does not say what kind of channel it is in.
        event: type === "message" ? { ...event, channel_type: channel?.type } : event,
        authorizations: [{ team_id: id, user_id: bot.userId, is_bot: true, is_enterprise_install: false }],
      });
    }

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
    /** Both events, in either order; each may come again. */
    const end = (code: "token_revoked" | "account_inactive"): Promise<readonly Delivery[]> => {
      oauth.revoke(id, code);
      const event_ts = world.nextTs();
      const revoked = { type: "tokens_revoked", tokens: { oauth: [], bot: [bot.userId] }, event_ts };
      return Promise.all([revoked, { type: "app_uninstalled", event_ts }].map(send));
    };
    return {
      ...{ id, world, repeats, police, scopes, send, context, inspect, responses, respond, end },
      person: (person: string) => createPerson(person, { world, deliveries, send, base: `${base}/${id}`, repeats }),
    };
  }

  const teams = new Map<string, ReturnType<typeof openTeam>>();
  const teamOf = (id: string) => {
    const known = teams.get(id) ?? openTeam(id);
    teams.set(id, known);
    return known;
  };
  const main = teamOf(team);
  const { world, repeats } = main;

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
    const [, responding] = /^\/(\w+)\/response\//.exec(url.pathname) ?? [];
    if (responding !== undefined) return teamOf(responding).respond(url, raw, response);
    if (url.pathname.startsWith("/files/")) return download(url, request, response);
    if (url.pathname.startsWith("/upload/")) {
      watchForKeys("Slack's upload", raw.toString());
      const content = await uploadedFile(request, raw);
      const { files } = ([...teams.values()].find((one) => one.world.files.has(url.pathname.slice(8))) ?? main).world;
      files.set(url.pathname.slice(8), { name: "", type: "", ...files.get(url.pathname.slice(8)), content });
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
    const by = tokenIn(request, body);
    const at = teamOf(oauth.tokens.get(by)?.team ?? team);
    const call: Call = { method, body, atMs: nowMs(), team: at.id };
    calls.push(call);
    response.once("close", () => {
      if (!response.writableFinished) at.repeats.unanswered(body["ts"]);
    });
    const { status, content, headers } = outcome(method, request, body, at);
    if (content["ok"] !== true) call.error = String(content["error"]);
    if (content["error"] === "lost") {
      response.destroy();
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, delays.get(method) ?? 0));
    response.writeHead(status, {
      "content-type": "application/json",
      "x-oauth-scopes": at.scopes().join(","),
      ...headers,
    });
    response.end(JSON.stringify(content));
  }

  type Team = typeof main;
  type Outcome = { readonly status: number; readonly content: Json; readonly headers?: Record<string, string> };

  function outcome(method: string, request: IncomingMessage, body: Json, at: Team): Outcome {
    const isMeant = ({ channel }: Fault) => channel === undefined || channel === body["channel"];
    const fault = faults.find((candidate) => candidate.method === method && candidate.times > 0 && isMeant(candidate));
    if (fault !== undefined) fault.times -= 1;
    at.repeats.called(method, body);
    const waitS = fault?.kind === "ratelimited" ? (fault.retryAfterS ?? 1) : at.police.waitS(method, body);
    if (waitS > 0) {
      if (fault?.kind === "ratelimited") at.repeats.told(method, body, waitS);
      return { status: 429, content: { ok: false, error: "ratelimited" }, headers: { "retry-after": String(waitS) } };
    }
    if (fault?.kind.startsWith("429 page") === true) {
      const retryAfter = fault.kind.slice("429 page ".length);
      return { status: 429, content: {}, headers: retryAfter === "" ? {} : { "retry-after": retryAfter } };
    }
    if (fault !== undefined && /^\d+$/.test(fault.kind)) return { status: Number(fault.kind), content: { ok: false } };
    try {
      const isLost = fault?.kind === "lost";
      if (fault !== undefined && !isLost) {
        if (method !== "oauth.v2.access") authorize(method, request, body, at);
        throw new SlackRefusal(fault.kind);
      }
      const granting = oauth.run(method, request, body);
      if (granting !== undefined)
        return { status: 200, content: isLost ? { ok: false, error: "lost" } : { ok: true, ...granting } };
      authorize(method, request, body, at);
      if (method === "apps.connections.open") {
        return { status: 200, content: { ok: true, url: `ws://127.0.0.1:${port}/socket` } };
      }
      if (method === "auth.revoke" || method === "apps.uninstall") {
        if (method === "apps.uninstall") oauth.checkClient(request, body);
        void at.end(method === "auth.revoke" ? "token_revoked" : "account_inactive");
        return { status: 200, content: { ok: true, revoked: true } };
      }
      const run = methods[method];
      if (run === undefined) throw new SlackRefusal("unknown_method");
      at.inspect(method, body);
      const result = run(body, at.context);
      return { status: 200, content: fault === undefined ? { ok: true, ...result } : { ok: false, error: "lost" } };
    } catch (thrown) {
      if (!(thrown instanceof SlackRefusal)) throw thrown;
      return { status: 200, content: refusedContent(thrown) };
    }
  }

  function authorize(method: string, request: IncomingMessage, body: Json, at: Team): void {
    const token = tokenIn(request, body);
    const isOfApp = method === "apps.connections.open";
    if (isOfApp ? token !== appToken : options.oauth === undefined && token !== botToken)
      throw new SlackRefusal("invalid_auth");
    if (!isOfApp && options.oauth !== undefined) oauth.check(token);
    if (isOfApp && refusesSockets !== undefined) throw new SlackRefusal(refusesSockets);
    if (isOfApp && deliveries.isCut()) throw new SlackRefusal("internal_error");
    const needed = scopesOf[method];
    if (needed !== undefined && !needed.some((scope) => at.scopes().includes(scope)))
      throw new SlackRefusal("missing_scope");
  }

  function download(url: URL, request: IncomingMessage, response: ServerResponse): void {
    const token = tokenIn(request, {});
    const at = teamOf(oauth.tokens.get(token)?.team ?? team);
    const file = at.world.files.get(url.pathname.slice(7));
    const isKnown = options.oauth === undefined ? token === botToken : oauth.alive(at.id).includes(token);
    const isAllowed = isKnown && at.scopes().includes("files:read");
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
    responses: main.responses,
    deliveries,
    person: main.person,
    oauth,
    /** A workspace by its id; there is always one more. */
    team: teamOf,
    /** Somebody there removes the app. */
    uninstall: (id: string) => teamOf(id).end("account_inactive"),
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

/** Sent though the app is gone. */
const endings: ReadonlySet<string> = new Set(["app_uninstalled", "tokens_revoked"]);

function tokenIn(request: IncomingMessage, body: Json): string {
  return String(request.headers.authorization?.replace("Bearer ", "") ?? body["token"] ?? "");
}

/** What nobody is told of, for want of a scope. */
const unheard = (event: Json): Delivery => ({
  ...{ type: "events_api", payload: { event }, attempts: 0 },
  ...{ isAcknowledged: false, answer: undefined, ackMs: undefined },
});
