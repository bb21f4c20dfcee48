/**
 * Validates the gateway's frames before discord.js gets them.
 * discord.js reads the envelope unchecked, and a READY without a session or a HELLO without an interval makes it throw,
 * which would end the process.
 */
import { isObject } from "../../../src/core/tools/parse-json.ts";

/** A GUILD_CREATE of a very large server has a few MB; parsing more would block the event loop. */
export const maxFrameBytes = 16 * 1024 * 1024;

export type Frame =
  | { readonly kind: "good"; readonly payload: object | null }
  | { readonly kind: "malformed"; readonly what: string }
  /** The session is over, or did not start. */
  | { readonly kind: "ends"; readonly keepsSession: boolean; readonly what?: string };

const dispatch = 0;
const invalidSession = 9;
const hello = 10;
/** Discord's interval is 41.25 s. Much less would flood the gateway; too much would mean no heartbeat at all. */
const minHeartbeatMs = 100;
const maxHeartbeatMs = 10 * 60_000;

export function checkFrame(payload: unknown): Frame {
  // Frames that aren't JSON are null here.
  if (payload === null) return { kind: "malformed", what: "a frame that is not JSON" };
  if (!isObject(payload) || typeof payload["op"] !== "number")
    return { kind: "malformed", what: "a frame without an opcode" };
  const { op, d, t } = payload;
  if (op === invalidSession) return { kind: "ends", keepsSession: d === true };
  if (op === hello && !isHeartbeat(isObject(d) ? d["heartbeat_interval"] : undefined)) {
    return { kind: "malformed", what: "a greeting without a heartbeat interval" };
  }
  if (op !== dispatch) return { kind: "good", payload };
  if (typeof t !== "string") return { kind: "malformed", what: "a dispatch without a name" };
  if (t === "READY" && !isReady(d)) return { kind: "ends", keepsSession: false, what: "a READY without its session" };
  return { kind: "good", payload };
}

function isHeartbeat(value: unknown): boolean {
  return typeof value === "number" && value >= minHeartbeatMs && value <= maxHeartbeatMs;
}

function isReady(d: unknown): boolean {
  if (!isObject(d) || typeof d["session_id"] !== "string" || !Array.isArray(d["guilds"])) return false;
  const { user } = d;
  return isObject(user) && typeof user["id"] === "string" && d["guilds"].every(isObject);
}
