/**
 * Ids of Turns and Jobs: 16 characters, sorted by creation time, safe in a button's value, a nonce and a path.
 */
const alphabet = "0123456789abcdefghijklmnopqrstuvwxyz";
const timeChars = 9;
const randomChars = 7;

export function newId(nowMs: number): string {
  const bytes = crypto.getRandomValues(new Uint8Array(randomChars));
  const random = [...bytes].map((byte) => alphabet[byte % alphabet.length]).join("");
  return nowMs.toString(alphabet.length).padStart(timeChars, "0") + random;
}

/** The short reference that people see and the log has; four characters are enough within the days a log covers. */
export function refOf(id: string): string {
  return id.slice(-4);
}
