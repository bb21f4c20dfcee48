/**
 * Reads the gateway's frames. Pure.
 * A frame that isn't as documented is named, never thrown: it must neither end the process nor the session.
 */
import { GatewayOpcodes } from "@discordjs/core";
import type { GatewayDispatchPayload, GatewayReadyDispatchData } from "discord.js";
import { isObject, parseJson } from "../../../src/core/tools/parse-json.ts";

/** A GUILD_CREATE of a very large server has a few MB; parsing more would block the event loop. */
const maxFrameBytes = 16 * 1024 * 1024;

export type Frame =
  | { readonly kind: "hello"; readonly heartbeatMs: number }
  | { readonly kind: "dispatch"; readonly payload: GatewayDispatchPayload }
  | { readonly kind: "heartbeat" | "acknowledged" | "reconnect" | "unknown" }
  | { readonly kind: "malformed"; readonly what: string }
  /** The session is over, or did not start. `what`: if that is no part of the protocol. */
  | { readonly kind: "invalid-session"; readonly keepsSession: boolean; readonly what?: string };

/** Discord's interval is 41.25 s. Much less would flood the gateway; too much would mean no heartbeat at all. */
const minHeartbeatMs = 100;
const maxHeartbeatMs = 10 * 60_000;

export function readFrame(bytes: Buffer, isBinary: boolean): Frame {
  if (isBinary) return { kind: "malformed", what: "a frame that is not text" };
  if (bytes.length > maxFrameBytes) return { kind: "malformed", what: "a frame of more than 16 MiB" };
  const frame = parseJson(bytes.toString());
  if (frame === undefined) return { kind: "malformed", what: "a frame that is not JSON" };
  if (!isObject(frame)) return { kind: "malformed", what: "a frame without an opcode" };
  const { op, d } = frame;
  switch (op) {
    case GatewayOpcodes.Dispatch:
      return dispatchOf(frame);
    case GatewayOpcodes.Heartbeat:
      return { kind: "heartbeat" };
    case GatewayOpcodes.Reconnect:
      return { kind: "reconnect" };
    case GatewayOpcodes.InvalidSession:
      return { kind: "invalid-session", keepsSession: d === true };
    case GatewayOpcodes.Hello: {
      const heartbeatMs = isObject(d) ? d["heartbeat_interval"] : undefined;
      if (typeof heartbeatMs === "number" && heartbeatMs >= minHeartbeatMs && heartbeatMs <= maxHeartbeatMs)
        return { kind: "hello", heartbeatMs };
      return { kind: "malformed", what: "a greeting without a heartbeat interval" };
    }
    case GatewayOpcodes.HeartbeatAck:
      return { kind: "acknowledged" };
    default:
      return typeof op === "number" ? { kind: "unknown" } : { kind: "malformed", what: "a frame without an opcode" };
  }
}

function dispatchOf(frame: Readonly<Record<string, unknown>>): Frame {
  const { t, d } = frame;
  if (typeof t !== "string") return { kind: "malformed", what: "a dispatch without a name" };
  if (t === "READY" && !isReady(d))
    return { kind: "invalid-session", keepsSession: false, what: "a READY without its session" };
  // Its content is parsed by those who read it.
  return { kind: "dispatch", payload: frame as unknown as GatewayDispatchPayload };
}

function isReady(d: unknown): d is GatewayReadyDispatchData {
  if (!isObject(d) || typeof d["session_id"] !== "string" || !Array.isArray(d["guilds"])) return false;
  const isNamed = (one: unknown) => isObject(one) && typeof one["id"] === "string";
  return isNamed(d["user"]) && d["guilds"].every(isNamed);
}
