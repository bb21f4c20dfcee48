/**
 * Ids of Turns and Jobs: 16 characters, safe in a button's value, a nonce and a path; those of Jobs sort by creation time.
 */
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
 * The id of the Turn that an event becomes: the same on every instance and after a restart. Whoever is handed an event that
 * another one told to wait, while nothing could be stored, finds that message by it; and Discord, which hands every event
 * to every instance, takes the posts of two of them for the same one.
 */
export function turnIdOf(eventKey: string): string {
  const digest = createHash("sha256").update(eventKey).digest("hex");
  return BigInt(`0x${digest}`)
    .toString(alphabet.length)
    .slice(0, timeChars + randomChars);
}

/** The short reference that people see and the log has; four characters are enough within the days a log covers. */
export function refOf(id: string): string {
  return id.slice(-4);
}
