/**
 * Parses typed or structured input into a command, or into the problem with it. Pure, and never throws: any input gets
 * a helpful reply.
 */
import type { CommandInput } from "../../ports/chat-platform.ts";
import type { OptionValues } from "../../ports/command-contract.ts";
import { present } from "../../ports/tools/present.ts";
import { shorten } from "../../presentation/sentences.ts";
import type { Registry } from "../registry.ts";
import { parseOptions } from "./option-parser.ts";
import { badValue, complete, type IsKnown, maxTypedChars, type Parsed, problem, readValue } from "./parse-result.ts";
import { parseRest } from "./rest-parser.ts";
import { tokenize } from "./tokenizer.ts";

export function parseInput(input: CommandInput, registry: Registry, isKnown: IsKnown = () => false): Parsed {
  return input.kind === "typed"
    ? parseCommand(input.text, registry, isKnown)
    : parseStructured(input.path, input.options, registry);
}

/** `text` begins with a slash and the prefix. */
export function parseCommand(text: string, registry: Registry, isKnown: IsKnown = () => false): Parsed {
  const said = text.trim().replace(/^\//, "");
  const words = tokenize(said);
  const [first, second] = words;
  const hasPrefix = said.toLowerCase().startsWith(registry.prefix.toLowerCase());
  const head = said.slice(0, first?.to ?? 0).toLowerCase();
  const group = hasPrefix ? head.slice(registry.prefix.length) : head;
  const sub = second === undefined ? undefined : said.slice(second.from, second.to).toLowerCase();
  const single = registry.find(group);
  const double = sub === undefined ? undefined : registry.find(`${group} ${sub}`);
  if (!hasPrefix || (single === undefined && double === undefined)) {
    return unknown(group, sub, registry, hasPrefix);
  }
  const definition = double ?? single;
  if (definition === undefined) return unknown(group, sub, registry, hasPrefix);
  const tail = said.slice((double === undefined ? first : second)?.to ?? 0);
  return definition.options.some((option) => option.isRest)
    ? parseRest(tail, definition, isKnown)
    : parseOptions(tail, definition);
}

/** Input that the platform has already parsed. `path` may or may not have the prefix. */
export function parseStructured(path: string, given: Readonly<Record<string, string>>, registry: Registry): Parsed {
  const plain = path.trim().toLowerCase().replace(/^\//, "").replace(/\s+/g, " ");
  const bare = plain.startsWith(registry.prefix) ? plain.slice(registry.prefix.length) : plain;
  const definition = registry.find(plain) ?? registry.find(bare);
  if (definition === undefined) {
    const [group = "", sub] = bare.split(" ");
    return unknown(group, sub, registry, true);
  }
  const words = Object.entries(given).filter(([, value]) => value.trim() !== "");
  const options: Record<string, OptionValues[string]> = {};
  for (const [name, text] of words) {
    const option = definition.options.find((candidate) => candidate.name === name.toLowerCase());
    if (option === undefined) return problem({ kind: "unknown-option", definition, typed: name });
    const value = option.isList
      ? tokenize(text).map((word) => text.slice(word.from, word.to))
      : readValue(option, text);
    if (value === undefined) return badValue(definition, option, text);
    options[option.name] = value;
  }
  return complete(definition, options);
}

function unknown(group: string, sub: string | undefined, registry: Registry, hasPrefix: boolean): Parsed {
  const path = sub === undefined ? group : `${group} ${sub}`;
  const typed = shorten(`/${hasPrefix ? registry.prefix : ""}${path}`, maxTypedChars);
  const words = sub === undefined ? [group] : [group, sub];
  const nearest = registry.nearestTo(words);
  const isGroup = registry.ofGroup(group).length > 0 && hasPrefix;
  if (isGroup && (nearest === undefined || nearest === group)) {
    return problem({ kind: "incomplete", group, ...present({ typed: sub === undefined ? undefined : typed }) });
  }
  return problem({ kind: "unknown-command", typed, ...present({ nearest }) });
}
