/** A form that is pressed twice is one form, as long as it says the same: the second press shows how the first ends. */
import { createHash } from "node:crypto";
import type { CommandResult } from "../ports/commands.ts";

/** `what` with `said`: what is done with which words; they may hold a key and are kept as a digest. */
export type Once = (what: string, said: unknown, begin: () => CommandResult) => CommandResult;

export function createOnce(): Once {
  const going = new Map<string, CommandResult>();
  return (what, said, begin) => {
    const key = `${what} ${createHash("sha256").update(JSON.stringify(said)).digest("base64url")}`;
    const earlier = going.get(key);
    if (earlier !== undefined) return earlier;
    const result = begin();
    if (result.kind !== "working") return result;
    going.set(key, result);
    void result.result.finally(() => going.delete(key));
    return result;
  };
}
