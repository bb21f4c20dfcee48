/**
 * The gateway: hello, identify, heartbeats, and resume with what was missed. It sends only what the intents allow, and
 * omits message text without Message Content. It counts connections and sessions, refuses an early IDENTIFY, and resets
 * the token of a bot that starts too many sessions.
 */
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { acceptSocket, type ServerSocket } from "../slack/web-sockets.ts";
import { botId, type Json, listOf } from "./world.ts";

export const intents = { guilds: 1 << 0, messages: 1 << 9, reactions: 1 << 10, direct: 1 << 12, content: 1 << 15 };
export const directReactions = 1 << 13;

type Session = {
  readonly id: string;
  readonly intents: number;
  /** Its number and how many there are. */
  readonly shard: readonly [number, number];
  readonly sent: Json[];
  socket: Connection | undefined;
};
type Connection = { readonly socket: ServerSocket; readonly stream: Duplex };

export type GatewayOptions = {
  readonly token: string;
  /** Switched on in the developer portal. */
  readonly allowsContent: boolean;
  readonly heartbeatMs: number;
  readonly ready: () => Json;
  /** Servers that the bot is in. */
  readonly guilds: () => readonly Json[];
  readonly url: () => string;
  /** Where a session says that it is resumed. Default: `url`. */
  readonly resumeUrl?: string;
  /** How long after a session began the servers are sent. Default: at once. */
  readonly serversAfterMs?: number | undefined;
  readonly nowMs: () => number;
  readonly maxConcurrency: number;
  /** In so much time `maxConcurrency` IDENTIFYs are accepted; Discord's is 5 s. */
  readonly identifyIntervalMs: number;
  /** The bot began too many sessions: nobody knows its token any more. */
  readonly resetToken: () => void;
};

/** "503": of a proxy; "reset": the connection breaks; "silent": nobody ever answers. */
export type Refusal = "503" | "reset" | "silent";
const dayMs = 24 * 3_600_000;
const startsPerDay = 1_000;

export function createGateway(options: GatewayOptions) {
  const sessions = new Map<string, Session>();
  const open = new Set<Connection>();
  let isZombie = false;
  let refusals = 0;
  let refusal: Refusal | undefined;
  let count = 0;
  const seen = {
    /** Sent, whatever became of them. */
    identifies: 0,
    accepted: 0,
    resumes: 0,
    heartbeats: 0,
    /** Refused: too soon after another one. */
    tooSoon: 0,
    /** When each socket was asked for. */
    dialsMs: [] as number[],
  };
  const starts = { remaining: startsPerDay, resetsAtMs: options.nowMs() + dayMs };
  /** By the key that a shard's number and `maxConcurrency` make. */
  const lastIdentifyMs = new Map<number, number>();
  /** Sockets that were accepted by the network and will never be answered. */
  const ignored = new Set<Duplex>();

  const sendTo = ({ socket }: Connection, op: number, d: unknown, more: Json = {}) => {
    if (!isZombie) socket.send(JSON.stringify({ op, d, s: null, t: null, ...more }));
  };
  const close = ({ stream, socket }: Connection, code: number) => {
    stream.write(Buffer.from([0x88, 2, code >> 8, code & 0xff]));
    setTimeout(() => socket.kill(), 20).unref();
  };

  const deliver = (session: Session, t: string, d: Json) => {
    const packet = { t, d };
    session.sent.push(packet);
    if (session.socket !== undefined) sendTo(session.socket, 0, d, { s: session.sent.length, t });
  };

  /** Direct messages come to the first shard, a server's events to one of them. */
  const isOfGuild = ({ shard: [id, all] }: Session, guildId: unknown) =>
    Number((BigInt(String(guildId)) >> 22n) % BigInt(all)) === id;
  const guildsOf = (session: Session) => options.guilds().filter((guild) => isOfGuild(session, guild["id"]));
  const concerns = (session: Session, d: Json, t: string) => {
    const guildId = t.startsWith("GUILD_") ? (d["guild_id"] ?? d["id"]) : d["guild_id"];
    return guildId == null ? session.shard[0] === 0 : isOfGuild(session, guildId);
  };

  const identify = (connection: Connection, d: Json) => {
    seen.identifies += 1;
    const wanted = Number(d["intents"]);
    if (d["token"] !== options.token) return close(connection, 4004);
    if ((wanted & intents.content) !== 0 && !options.allowsContent) return close(connection, 4014);
    const shard = (d["shard"] ?? [0, 1]) as readonly [number, number];
    const key = shard[0] % options.maxConcurrency;
    const nowMs = options.nowMs();
    if (nowMs - (lastIdentifyMs.get(key) ?? Number.NEGATIVE_INFINITY) < options.identifyIntervalMs) {
      seen.tooSoon += 1;
      return sendTo(connection, 9, false);
    }
    lastIdentifyMs.set(key, nowMs);
    if (starts.resetsAtMs <= nowMs) Object.assign(starts, { remaining: startsPerDay, resetsAtMs: nowMs + dayMs });
    starts.remaining -= 1;
    if (starts.remaining < 0) {
      options.resetToken();
      sessions.clear();
      for (const one of open) close(one, 4004);
      return;
    }
    count += 1;
    seen.accepted += 1;
    const session: Session = { id: `session-${count}`, intents: wanted, shard, sent: [], socket: connection };
    sessions.set(session.id, session);
    deliver(session, "READY", {
      ...options.ready(),
      v: 10,
      session_id: session.id,
      resume_gateway_url: options.resumeUrl ?? options.url(),
      guilds: guildsOf(session).map((guild) => ({ id: guild["id"], unavailable: true })),
      shard,
    });
    const tellServers = () => {
      for (const guild of guildsOf(session)) deliver(session, "GUILD_CREATE", guild);
    };
    if (options.serversAfterMs === undefined) tellServers();
    else setTimeout(tellServers, options.serversAfterMs).unref();
  };

  const resume = (connection: Connection, d: Json) => {
    seen.resumes += 1;
    const session = sessions.get(String(d["session_id"]));
    if (session === undefined) return sendTo(connection, 9, false);
    session.socket = connection;
    for (const [at, packet] of session.sent.entries()) {
      if (at + 1 > Number(d["seq"])) sendTo(connection, 0, packet["d"], { s: at + 1, t: packet["t"] });
    }
    deliver(session, "RESUMED", {});
  };

  return {
    seen,
    accept: (request: IncomingMessage, stream: Duplex) => {
      seen.dialsMs.push(options.nowMs());
      if (refusals > 0) {
        refusals -= 1;
        stream.destroy();
        return;
      }
      if (refusal === "503") return void stream.end("HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n");
      if (refusal === "reset") return void stream.destroy();
      if (refusal === "silent") {
        ignored.add(stream);
        stream.on("close", () => ignored.delete(stream));
        stream.on("end", () => stream.destroy());
        stream.resume();
        return;
      }
      const socket = acceptSocket(request, stream, {
        message: (text) => {
          if (isZombie) return;
          const { op, d } = JSON.parse(text) as { op: number; d: Json };
          if (op === 1) seen.heartbeats += 1;
          if (op === 1) sendTo(connection, 11, null);
          else if (op === 2) identify(connection, d);
          else if (op === 6) resume(connection, d);
        },
        closed: () => {
          open.delete(connection);
          for (const session of sessions.values()) if (session.socket === connection) session.socket = undefined;
        },
      });
      const connection: Connection = { socket, stream };
      open.add(connection);
      sendTo(connection, 10, { heartbeat_interval: options.heartbeatMs });
    },
    /** To every session that asked for it. `isForBot`: the words are given without Message Content too. */
    dispatch: (t: string, d: Json, intent: number, isForBot = true) => {
      for (const session of sessions.values()) {
        if ((intent !== 0 && (session.intents & intent) === 0) || !concerns(session, d, t)) continue;
        const isOpen = (session.intents & intents.content) !== 0;
        if (isOpen) deliver(session, t, d);
        else deliver(session, t, isForBot ? withoutReplied(d) : { ...d, ...withoutWords });
      }
    },
    isOnline: () => [...sessions.values()].some((session) => session.socket !== undefined),
    sessions: () =>
      [...sessions.values()].map(({ intents: wanted, shard, socket }) => ({
        intents: wanted,
        shard,
        isOpen: socket !== undefined,
      })),
    /** Asks everybody to come back by another socket (op 7). */
    reconnect: () => {
      for (const connection of open) sendTo(connection, 7, null);
    },
    /** The session of one shard is closed with that code. */
    closeShard: (shard: number, code: number) => {
      for (const { shard: own, socket } of sessions.values())
        if (own[0] === shard && socket !== undefined) close(socket, code);
    },
    kill: () => {
      for (const { socket } of open) socket.kill();
      for (const stream of ignored) stream.destroy();
    },
    close: (code: number) => {
      for (const connection of open) close(connection, code);
    },
    /** Sessions are forgotten, so that the next resume is refused. */
    forget: () => sessions.clear(),
    /** Sockets stay open and say nothing any more. */
    zombie: (value: boolean) => {
      isZombie = value;
    },
    refuseNext: (times: number) => {
      refusals = times;
    },
    /** Every dial from now on, until it is called without a kind. */
    refuse: (how?: Refusal) => {
      refusal = how;
    },
    /** What GET /gateway/bot says of sessions. */
    sessionStartLimit: (): Json => ({
      total: startsPerDay,
      remaining: Math.max(0, starts.remaining),
      reset_after: Math.max(0, starts.resetsAtMs - options.nowMs()),
      max_concurrency: options.maxConcurrency,
    }),
    leaveStarts: (remaining: number, resetAfterMs: number) =>
      void Object.assign(starts, { remaining, resetsAtMs: options.nowMs() + resetAfterMs }),
    /** Sockets that are open now, those that nobody answers included. */
    sockets: () => open.size + ignored.size,
    /** Sessions that somebody listens to now. */
    live: () => [...sessions.values()].filter(({ socket }) => socket !== undefined).length,
    /** Every packet of every session. */
    sent: () =>
      [...sessions.values()].flatMap(({ sent }) => sent) as unknown as { readonly t: string; readonly d: Json }[],
    sendBytes: (bytes: Buffer) => {
      for (const { stream } of open) stream.write(Buffer.concat([Buffer.from([0x82, bytes.length]), bytes]));
    },
    /** Text as it is, to everybody; no session knows of it. */
    sendRaw: (text: string) => {
      for (const { socket } of open) socket.send(text);
    },
    /** The last such event once more, as after a resume that overlaps. */
    repeatLast: (t: string, isMeant: (d: Json) => boolean = () => true) => {
      for (const session of sessions.values()) {
        const packet = session.sent.findLast((sent) => sent["t"] === t && isMeant(sent["d"] as Json));
        if (packet !== undefined) deliver(session, t, packet["d"] as Json);
      }
    },
  };
}

const withoutWords = { content: "", attachments: [], embeds: [], components: [], poll: undefined };

/** What a message replies to comes without its words too, unless it is the bot's or names the bot. */
function withoutReplied(d: Json): Json {
  const replied = d["referenced_message"] as Json | null | undefined;
  if (replied == null || d["guild_id"] === undefined || (replied["author"] as Json)["id"] === botId) return d;
  if (listOf(replied["mentions"]).some(({ id }) => id === botId)) return d;
  return { ...d, referenced_message: { ...replied, ...withoutWords } };
}
