/**
 * A strict local Discord for tests: REST and gateway on one loopback port. It enforces the real limits, sends an event
 * for every change, and records whatever would be wrong in public.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { watchForKeys } from "../../doubles/planted-keys.ts";
import { type Bucket, createBuckets, defaultRules } from "./buckets.ts";
import { createGateway, directReactions, intents } from "./gateway.ts";
import { createInteractions } from "./interactions.ts";
import { channelJson, mentionedBy, messageJson, userJson } from "./json.ts";
import { createHuman } from "./people.ts";
import { readBody } from "./rest/bodies.ts";
import { DiscordRefusal } from "./rest/refusal.ts";
import type { Request } from "./rest/route.ts";
import { majorOf, routeLimits } from "./rest/route-limits.ts";
import { schemaProblem } from "./rest/schema.ts";
import { createRoutes } from "./routes.ts";
import { createServerJson } from "./servers.ts";
import { botId, type Channel, createWorld, type Json, type Message, type Server } from "./world.ts";

export type FakeDiscordOptions = {
  readonly allowsContent?: boolean;
  readonly rules?: Readonly<Record<string, Bucket>>;
  readonly heartbeatMs?: number;
  readonly maxThreads?: number;
  /** How long every request takes. Default: no time. */
  readonly latencyMs?: number;
  readonly shards?: number;
  /** IDENTIFYs that are accepted in 5 s. Default: 1, as for nearly every bot. */
  readonly maxConcurrency?: number;
  readonly identifyIntervalMs?: number;
  /** Where a session says that it is resumed. */
  readonly resumeUrl?: string;
  /** How long after a session began the servers are sent. Default: at once. */
  readonly serversAfterMs?: number;
};

export type Fault = {
  /** Part of "METHOD /path", with or without its ids. */
  readonly route: string;
  /**
   * "lost": done, but the answer never arrives; "hang": neither; a number: that HTTP status; "code:50013": Discord's own;
   * "404 page", "429 page soon": a page of what stands before Discord, with that status and Retry-After.
   */
  readonly kind: string;
  times: number;
  readonly retryAfterS?: number;
};

export const token = "MTE2ODk5.test.discord";
export type Call = {
  readonly route: string;
  readonly path: string;
  readonly body: Json;
  readonly atMs: number;
  answeredAtMs?: number;
  status: number;
};
export type FakeDiscord = Awaited<ReturnType<typeof startFakeDiscord>>;

export async function startFakeDiscord(options: FakeDiscordOptions = {}) {
  let aheadMs = 0;
  const nowMs = () => Date.now() + aheadMs;
  const world = createWorld(nowMs);
  const violations: string[] = [];
  /** Where edits come as fast as windows open: nothing that Discord refuses, but people read old words. */
  const queuedEdits: string[] = [];
  const refuse = (problems: readonly string[]) => void violations.push(...problems);
  const interactions = createInteractions({ world, nowMs, refuse });
  const rules = { ...defaultRules, ...routeLimits, ...options.rules };
  const buckets = createBuckets(nowMs, rules);
  const calls: Call[] = [];
  /** Content of files by their names; of any other file, it is its name. */
  const files = new Map<string, Uint8Array>();
  /** Paths of files that were read, with their queries. */
  const fetched: string[] = [];
  const faults: Fault[] = [];
  /** By scope: people see those of their server beside those of everywhere. */
  const commandsIn = new Map<string, readonly Json[]>();
  const commands = () => [...commandsIn.values()].flat();
  const registrations: string[] = [];
  let acceptedToken = token;
  let port = 0;

  const gateway = createGateway({
    token,
    allowsContent: options.allowsContent ?? true,
    heartbeatMs: options.heartbeatMs ?? 41_250,
    url: () => `ws://127.0.0.1:${port}/gateway`,
    ready: () => ({ user: userJson(world.people.get(botId)), application: { id: botId, flags: 0 } }),
    guilds: () => [...world.servers.values()].filter(({ hasBot }) => hasBot).map(guildJson),
    ...(options.resumeUrl === undefined ? {} : { resumeUrl: options.resumeUrl }),
    serversAfterMs: options.serversAfterMs,
    nowMs,
    maxConcurrency: options.maxConcurrency ?? 1,
    identifyIntervalMs: options.identifyIntervalMs ?? 5_000,
    resetToken: () => {
      acceptedToken = "reset by Discord";
    },
  });

  const guildJson = createServerJson(world);

  const publish = (event: string, message: Message) => {
    const channel = world.channels.get(message.channelId);
    if (channel === undefined || message.seenBy !== undefined) return;
    const isDirect = channel.type === 1;
    const where = isDirect ? {} : { guild_id: channel.serverId };
    const intent = isDirect ? intents.direct : intents.messages;
    if (event === "MESSAGE_DELETE") {
      gateway.dispatch(event, { id: message.id, channel_id: message.channelId, ...where }, intent);
      return;
    }
    const author = world.people.get(message.authorId);
    const member = isDirect
      ? {}
      : { member: { roles: author?.roles ?? [], nick: null, flags: 0, joined_at: new Date(0).toISOString() } };
    const isForBot =
      isDirect || message.authorId === botId || mentionedBy(world, message).some(({ id }) => id === botId);
    gateway.dispatch(event, { ...messageJson(world, message), ...where, ...member }, intent, isForBot);
  };

  const threadOpened = (thread: Channel) =>
    gateway.dispatch("THREAD_CREATE", { ...channelJson(thread), newly_created: true }, intents.guilds);
  const { maxThreads = 1_000, shards = 1 } = options;
  const routes = createRoutes({
    ...{ world, interactions, nowMs, publish, refuse, threadOpened, maxThreads, shards },
    editsQueued: (what) => void queuedEdits.push(what),
    editLimit: rules["PATCH /channels/:c/messages/:m"] ?? { limit: 5, windowMs: 5_000 },
    gatewayUrl: () => `ws://127.0.0.1:${port}/gateway`,
    sessionStartLimit: gateway.sessionStartLimit,
    registered: (scope, given) => {
      commandsIn.set(scope, given);
      registrations.push(scope);
    },
  });
  const patterns = Object.keys(routes).map((key) => {
    const [method = "", path = ""] = key.split(" ");
    const ids = path.replace(/[@]/g, "\\$&").replaceAll("*", "([^/]+)");
    return { key, pattern: new RegExp(`^${method} ${ids}$`) };
  });

  const server = createServer((request, response) => void handle(request, response));
  server.on("upgrade", (request, stream) => {
    // Whoever dialled may reset the connection at any moment, also while it is being refused.
    stream.on("error", () => undefined);
    gateway.accept(request, stream);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  port = (server.address() as AddressInfo).port;

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", "http://127.0.0.1");
    const path = url.pathname.replace(/^\/api\/v10/, "");
    const file = path.startsWith("/files/") ? path.slice("/files/".length) : undefined;
    if (file !== undefined) {
      fetched.push(url.pathname + url.search);
      return void response.end(files.get(file) ?? decodeURIComponent(file));
    }
    const line = `${request.method ?? "GET"} ${path}`;
    const found = patterns.find(({ pattern }) => pattern.test(line));
    const params = found?.pattern.exec(line)?.slice(1) ?? [];
    const read = await readBody(request).catch(() => undefined);
    if (read === undefined) return void response.writeHead(400).end('{"message":"Invalid JSON","code":50109}');
    const { body, files: sent } = read;
    watchForKeys(
      `Discord's ${line}`,
      JSON.stringify({ body, files: sent.map(({ name, data }) => [name, data.toString()]) }),
    );
    const rule = (found?.key ?? line).replace("/channels/*", "/channels/:c").replace("/messages/*", "/messages/:m");
    const call: Call = { route: rule, path, body, atMs: nowMs(), status: 200 };
    calls.push(call);
    if (options.latencyMs !== undefined) await sleep(options.latencyMs);
    const send = (status: number, answer: unknown, headers: Readonly<Record<string, string>> = {}) => {
      call.status = status;
      call.answeredAtMs = nowMs();
      response.writeHead(status, {
        ...headers,
        ...(answer === undefined ? {} : { "content-type": "application/json" }),
      });
      response.end(answer === undefined ? undefined : JSON.stringify(answer));
    };
    const isByToken = /^\/(interactions|webhooks)\//.test(path);
    if (!isByToken && request.headers.authorization !== `Bot ${acceptedToken}`)
      return send(401, { message: "401: Unauthorized", code: 0 });
    const fault = faults.find(({ route, times }) => times > 0 && (rule.includes(route) || line.includes(route)));
    if (fault !== undefined) fault.times -= 1;
    if (fault?.kind === "hang") return;
    const [, pageStatus, retryAfter = ""] = /^(\d+) page ?(.*)$/.exec(fault?.kind ?? "") ?? [];
    if (pageStatus !== undefined) {
      call.status = Number(pageStatus);
      response.writeHead(call.status, {
        "content-type": "text/html",
        ...(retryAfter === "" ? {} : { "retry-after": retryAfter }),
      });
      return void response.end("<html>Something else answers</html>");
    }
    if (fault?.kind === "429") {
      const afterS = fault.retryAfterS ?? 0.2;
      return send(
        429,
        { message: "You are being rate limited.", retry_after: afterS, global: false },
        {
          "retry-after": String(afterS),
          "x-ratelimit-remaining": "0",
          "x-ratelimit-limit": "5",
          "x-ratelimit-reset-after": String(afterS),
          "x-ratelimit-scope": "shared",
        },
      );
    }
    if (fault !== undefined && /^\d+$/.test(fault.kind)) return send(Number(fault.kind), { message: "fault", code: 0 });
    if (fault?.kind.startsWith("code:") === true)
      return send(403, { message: "fault", code: Number(fault.kind.slice(5)) });
    const { headers, refused } = buckets.take(rule, majorOf(rule, params), !isByToken);
    if (refused !== undefined) {
      violations.push(`429: ${rule}`);
      return send(
        429,
        { message: "You are being rate limited.", retry_after: refused.afterS, global: refused.isGlobal },
        { ...headers, "retry-after": String(refused.afterS) },
      );
    }
    const route = found === undefined ? undefined : routes[found.key];
    if (route === undefined) return send(404, { message: "404: Not Found", code: 0 });
    const problem = schemaProblem(request.method ?? "GET", path, body);
    if (problem !== undefined) {
      violations.push(problem);
      return send(400, { message: problem, code: 50_035, errors: {} });
    }
    try {
      const answer = route({ params, query: url.searchParams, body, files: sent } satisfies Request);
      if (fault?.kind === "lost") return void request.socket.destroy();
      send(answer === undefined ? 204 : 200, answer, headers);
    } catch (thrown) {
      if (!(thrown instanceof DiscordRefusal)) throw thrown;
      const { status, message, code, afterS } = thrown;
      const after = afterS === undefined ? { errors: {} } : { retry_after: afterS, global: false };
      send(
        status,
        { message, code, ...after },
        { ...headers, ...(afterS === undefined ? {} : { "retry-after": String(afterS) }) },
      );
    }
  }

  return {
    apiUrl: `http://127.0.0.1:${port}/api`,
    world,
    gateway,
    interactions,
    calls,
    files,
    fetched,
    violations,
    queuedEdits,
    registrations,
    commands,
    callsTo: (route: string) => calls.filter((call) => call.route === route),
    faults,
    fault: (route: string, kind: string, times = 1, retryAfterS?: number) =>
      void faults.push({ route, kind, times, ...(retryAfterS === undefined ? {} : { retryAfterS }) }),
    /** Any other token is answered with 401. */
    acceptToken: (accepted: string) => {
      acceptedToken = accepted;
    },
    advance: (ms: number) => {
      aheadMs += ms;
    },
    /** Somebody invites the bot to a server of their own. */
    invited: (name: string, ownerName: string) => {
      const { server, channel } = world.addServer(name, ownerName);
      gateway.dispatch("GUILD_CREATE", guildJson(server), intents.guilds);
      return { server, channel };
    },
    /** The bot is added to a server that it left, or that was there before it. */
    added: (server: Server) => {
      Object.assign(server, { hasBot: true, joinedAtMs: nowMs() });
      gateway.dispatch("GUILD_CREATE", guildJson(server), intents.guilds);
    },
    removed: (server: Server) => {
      server.hasBot = false;
      gateway.dispatch("GUILD_DELETE", { id: server.id }, intents.guilds);
    },
    /** Discord can't reach a server until what is returned is called. */
    serverOutage: (server: Server) => {
      server.isUnavailable = true;
      gateway.dispatch("GUILD_DELETE", { id: server.id, unavailable: true }, intents.guilds);
      return () => {
        server.isUnavailable = false;
        gateway.dispatch("GUILD_CREATE", guildJson(server), intents.guilds);
      };
    },
    channelAdded: (...given: Parameters<typeof world.addChannel>) =>
      gateway.dispatch("CHANNEL_CREATE", channelJson(world.addChannel(...given)), intents.guilds),
    channelDeleted: (name: string) => {
      const channel = world.channel(name);
      world.channels.delete(channel.id);
      gateway.dispatch("CHANNEL_DELETE", channelJson(channel), intents.guilds);
    },
    /** What was changed in a channel reaches the bot's cache. */
    channelChanged: (name: string) =>
      gateway.dispatch("CHANNEL_UPDATE", channelJson(world.channel(name)), intents.guilds),
    human: (name: string) =>
      createHuman(world.person(name), {
        ...{ world, interactions, publish, threadOpened, commands },
        dispatch: (event, d, kind) => gateway.dispatch(event, d, intentOf(kind, d)),
      }),
    stop: () =>
      new Promise<void>((resolve) => {
        gateway.kill();
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function intentOf(kind: string, d: Json): number {
  if (kind !== "reaction") return 0;
  return d["guild_id"] === undefined ? directReactions : intents.reactions;
}
