/**
 * Deduplicates double presses of a form with the same content: the second press gets the first one's result.
 */
import { createHash } from "node:crypto";
import type { CommandResult } from "../ports/commands.ts";

/** `what`: the operation; `said`: its content, kept as a digest because it may contain a key. */
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
