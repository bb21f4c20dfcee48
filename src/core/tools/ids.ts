/** Ids of Turns and Jobs, sorted by creation time. 16 characters, safe in a button's value, a nonce and a path. */
import { createHash } from "node:crypto";

const alphabet = "0123456789abcdefghijklmnopqrstuvwxyz";
const timeChars = 9;
const randomChars = 7;

export function newId(nowMs: number): string {
  const bytes = crypto.getRandomValues(new Uint8Array(randomChars));
  const random = [...bytes].map((byte) => alphabet[byte % alphabet.length]).join("");
  return nowMs.toString(alphabet.length).padStart(timeChars, "0") + random;
}

/**
 * The id of a Turn whose question may have waited for storage. Derived from the event, so that every instance, also
 * after a restart, finds the message that told the person to wait.
 */
export function keptId(eventKey: string): string {
  const digest = createHash("sha256").update(eventKey).digest("hex");
  return BigInt(`0x${digest}`)
    .toString(alphabet.length)
    .slice(0, timeChars + randomChars);
}

/**
 * The part of an event's key that says who caused it. Keys outlive the person's erasure, so it holds no id, only a hash
 * of what is different at the next event.
 */
export function byWhom(personId: string, ...event: readonly string[]): string {
  return keptId([personId, ...event].join("/"));
}

/** The short reference shown to people and logged. Four characters are enough within the days a log covers. */
export function refOf(id: string): string {
  return id.slice(-4);
}
