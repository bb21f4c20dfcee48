/**
 * Recognises commands typed without a slash: "status", and every path of two words if everything after it parses as the
 * command's options. "kb list is our new supplier" stays a question.
 */

import type { Role } from "../../core/model/place.ts";
import type { CommandInput } from "../../core/ports/chat-platform.ts";
import type { SpokenCommand } from "../contract.ts";
import type { Parsed } from "../parsing/parsed.ts";
import type { Registry } from "../registry.ts";

/** They change something although everyone may run them. */
const changing: readonly string[] = ["parley forget"];

const short: Readonly<Record<string, string>> = { status: "parley status" };

export function spokenCommand(
  text: string,
  registry: Registry,
  parse: (input: CommandInput) => Parsed,
  roleOf: (parsed: Extract<Parsed, { kind: "command" }>) => Role,
): SpokenCommand | undefined {
  const said = text.trim();
  const words = said.toLowerCase().replace(/(?<![.!])[.!]+$/, "");
  const [first = "", second = ""] = said.toLowerCase().split(/\s+/, 2);
  const path = short[words] ?? `${first} ${second}`;
  const definition = registry.find(path);
  if (definition === undefined || !path.includes(" ")) return undefined;
  const tail = short[words] === undefined ? said.replace(/^\S+\s+\S+/, "") : "";
  const input = { kind: "typed", text: `${registry.typed(path)}${tail}` } as const;
  const parsed = parse(input);
  // A command that lacks its options says which; words that fit none of them are a sentence.
  if (parsed.kind === "problem") return tail.trim() === "" ? { input, isChange: false } : undefined;
  return { input, isChange: roleOf(parsed) !== "ask" || changing.includes(path) };
}
