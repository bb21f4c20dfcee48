/**
 * Runs one socket to Discord's gateway, from dialling to its end: HELLO, then a new session or a resumed one, heartbeats.
 * It ends and reports how; shards.ts decides about the next one. The shard of @discordjs/ws (2.0.4) can't be used:
 * it reconnects twice a second without end, also after it was destroyed, and a frame that isn't as documented rejects a
 * promise that nobody holds, which ends the process. Here no data from the gateway causes an exception.
 */
import http from "node:http";
import https from "node:https";
import { GatewayCloseCodes, GatewayOpcodes } from "@discordjs/core";
import { CloseCodes } from "@discordjs/ws";
import type { GatewayDispatchPayload, GatewayIdentifyData, GatewaySendPayload } from "discord.js";
import { WebSocket } from "ws";
import type { Clock } from "../../../src/core/ports/clock.ts";
import { type Frame, readFrame } from "./gateway-frames.ts";

/** What the next socket needs to continue where this one ended. */
export type Session = { readonly id: string; readonly resumeUrl: string | undefined; readonly sequence: number };

export type SocketEnd = {
  /** The gateway sent HELLO (op 10); false if the connection was refused. */
  readonly wasGreeted: boolean;
  /** How long the session lasted; undefined if there was none. */
  readonly sessionMs: number | undefined;
  /** The gateway's close code. */
  readonly closeCode: number | undefined;
  /** Undefined if nothing can be resumed. */
  readonly session: Session | undefined;
};

export type GatewaySocket = {
  /** Never rejects. */
  readonly ended: Promise<SocketEnd>;
  readonly send: (payload: GatewaySendPayload) => void;
  /** `keepsSession`: the session can be resumed later. */
  readonly end: (reason: string, keepsSession: boolean) => void;
};

/** After these, Discord accepts only a new session. */
const newSessionCodes: readonly number[] = [
  CloseCodes.Normal,
  GatewayCloseCodes.NotAuthenticated,
  GatewayCloseCodes.AlreadyAuthenticated,
  GatewayCloseCodes.InvalidSeq,
  GatewayCloseCodes.RateLimited,
];
/** From dialling to HELLO. */
const maxHelloMs = 10_000;
/** From HELLO to a session, including replayed events. */
const maxSessionMs = 60_000;
/** Time for the peer to answer the closing handshake. */
const maxCloseMs = 1_000;

/** Throws if `url` is no URL of a socket. */
export function openSocket(options: {
  readonly url: string;
  readonly identify: GatewayIdentifyData;
  /** The session to resume. */
  readonly session: Session | undefined;
  readonly onDispatch: (payload: GatewayDispatchPayload) => void;
  readonly onError: (thrown: unknown) => void;
  /** Called for data that could not be used; `kind` lets the caller log each kind once. */
  readonly onMalformed: (kind: string, thrown: unknown) => void;
  readonly clock: Clock;
}): GatewaySocket {
  const { url, identify, onDispatch, onMalformed, clock } = options;
  const { promise: ended, resolve } = Promise.withResolvers<SocketEnd>();
  let session = options.session;
  let wasGreeted = false;
  let isEnding = false;
  let isAcknowledged = true;
  let sessionSinceMs: number | undefined;
  let cancelHeartbeat = () => {};

  // The process's own agents know the proxy; without one, a socket would pass it by.
  const agent = url.startsWith("wss:") ? https.globalAgent : http.globalAgent;
  const socket = new WebSocket(`${url}?v=10&encoding=json`, { agent });
  let cancelLimit = clock.after(maxHelloMs, () => end("No HELLO", true));

  const send = (payload: GatewaySendPayload): void => {
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(payload));
  };

  function end(reason: string, keepsSession: boolean): void {
    if (isEnding) return;
    isEnding = true;
    if (!keepsSession) session = undefined;
    cancelHeartbeat();
    cancelLimit();
    cancelLimit = clock.after(maxCloseMs, () => socket.terminate());
    socket.close(keepsSession ? CloseCodes.Resuming : CloseCodes.Normal, reason);
  }

  function onClose(code: number): void {
    cancelHeartbeat();
    cancelLimit();
    // Before HELLO only the network or a proxy can have closed the connection, so the session still exists.
    if (!isEnding && wasGreeted && newSessionCodes.includes(code)) session = undefined;
    const sessionMs = sessionSinceMs === undefined ? undefined : clock.now() - sessionSinceMs;
    resolve({ wasGreeted, sessionMs, closeCode: isEnding ? undefined : code, session });
    isEnding = true;
  }

  const beat = () => send({ op: GatewayOpcodes.Heartbeat, d: session?.sequence ?? null });

  function beatAfter(pauseMs: number, intervalMs: number): void {
    cancelHeartbeat = clock.after(pauseMs, () => {
      if (!isAcknowledged) {
        end("A heartbeat was not acknowledged", true);
        return;
      }
      isAcknowledged = false;
      beat();
      beatAfter(intervalMs, intervalMs);
    });
  }

  function onHello(heartbeatMs: number): void {
    if (wasGreeted) return;
    wasGreeted = true;
    cancelLimit();
    cancelLimit = clock.after(maxSessionMs, () => end("No session", true));
    // Discord asks for a random first pause, so that not all clients beat at once.
    beatAfter(heartbeatMs * Math.random(), heartbeatMs);
    if (session === undefined) {
      send({ op: GatewayOpcodes.Identify, d: identify });
    } else {
      const { id, sequence } = session;
      send({ op: GatewayOpcodes.Resume, d: { token: identify.token, session_id: id, seq: sequence } });
    }
  }

  function onPacket(payload: GatewayDispatchPayload): void {
    if (payload.t === "READY") {
      const { session_id: id, resume_gateway_url: resumeUrl } = payload.d;
      session = { id, resumeUrl, sequence: 0 };
    }
    if (payload.t === "READY" || payload.t === "RESUMED") {
      cancelLimit();
      sessionSinceMs = clock.now();
    }
    if (session !== undefined && payload.s > session.sequence) session = { ...session, sequence: payload.s };
    try {
      onDispatch(payload);
    } catch (thrown) {
      onMalformed(payload.t, thrown);
    }
  }

  function onFrame(frame: Frame): void {
    switch (frame.kind) {
      case "hello":
        onHello(frame.heartbeatMs);
        break;
      case "dispatch":
        onPacket(frame.payload);
        break;
      case "heartbeat":
        beat();
        break;
      case "acknowledged":
        isAcknowledged = true;
        break;
      case "reconnect":
        end("Discord asked for another connection", true);
        break;
      case "invalid-session":
        if (frame.what !== undefined) onMalformed(frame.what, new Error(frame.what));
        end("Invalid session", frame.keepsSession);
        break;
      case "malformed":
        onMalformed(frame.what, new Error(frame.what));
        break;
      case "unknown":
        break;
      default:
        frame satisfies never;
    }
  }

  socket.on("message", (data, isBinary) => {
    if (!isEnding) onFrame(readFrame(data as Buffer, isBinary));
  });
  // Its end follows.
  socket.on("error", options.onError);
  socket.on("close", onClose);
  return { ended, send, end };
}
