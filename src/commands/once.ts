/** Deduplicates double presses of a form with the same content: the second press gets the first one's result. */
import { createHash } from "node:crypto";
import type { CommandResult } from "../ports/commands.ts";

/** `what`: the operation; `content`: the submitted values, kept as a digest because they may contain a key. */
export type Once = (what: string, content: unknown, begin: () => CommandResult) => CommandResult;

export function createOnce(): Once {
  const running = new Map<string, CommandResult>();
  return (what, content, begin) => {
    const key = `${what} ${createHash("sha256").update(JSON.stringify(content)).digest("base64url")}`;
    const earlier = running.get(key);
    if (earlier !== undefined) return earlier;
    const result = begin();
    if (result.kind !== "working") return result;
    running.set(key, result);
    void result.result.finally(() => running.delete(key));
    return result;
  };
}
