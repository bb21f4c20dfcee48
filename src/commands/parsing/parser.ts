/**
 * Parses typed or structured input into a command, or into the problem with it. Pure, never throws, and takes ten times
 * as long for ten times the text. The name alone decides who may give a command, before anything else is read.
 */

import type { CommandDefinition, OptionDefinition } from "../../core/commands.ts";
import type { CommandInput } from "../../core/ports/chat-platform.ts";
import { shorten } from "../../presentation/sentences.ts";
import { editsWithin, nearest } from "../names/nearest.ts";
import type { Registry } from "../registry.ts";
import {
  type CommandProblem,
  type IsKnown,
  maxCommandChars,
  maxCommandWords,
  maxListChars,
  maxListed,
  maxTypedChars,
  type Parsed,
} from "./parsed.ts";
import { lastWord, trimmedEnd, type Word, wordsOf } from "./words.ts";

/** Longer than any word of a command's name, and long enough to quote. */
const maxNameChars = 100;

export type Name = {
  readonly definition: CommandDefinition | undefined;
  readonly group: string;
  readonly sub: string | undefined;
};

export function parseInput(input: CommandInput, registry: Registry, isKnown: IsKnown = () => false): Parsed {
  return input.kind === "typed"
    ? parseCommand(input.text, registry, isKnown)
    : parseStructured(input.path, input.options, registry);
}

/** The command that the first words name; undefined if there is none. As quick for a long text as for a short one. */
export function commandOf(input: CommandInput, registry: Registry): CommandDefinition | undefined {
  return (input.kind === "typed" ? typedName(input.text, registry) : structuredName(input.path, registry)).definition;
}

/** `text` begins with a slash and the prefix. */
export function parseCommand(text: string, registry: Registry, isKnown: IsKnown = () => false): Parsed {
  const { definition, group, sub, hasPrefix, tail } = typedName(text, registry);
  if (definition === undefined) return unknown(group, sub, registry, hasPrefix);
  return definition.options.some((option) => option.isRest)
    ? parseFreeText(text.slice(tail), definition, isKnown)
    : parseOptions(text.slice(tail), definition);
}

/** Input that the platform has already parsed. `path` may or may not have the prefix. */
export function parseStructured(path: string, given: Readonly<Record<string, string>>, registry: Registry): Parsed {
  const { definition, group, sub } = structuredName(path, registry);
  if (definition === undefined) return unknown(group, sub, registry, true);
  const reading = readingOf(definition);
  for (const [name, text] of Object.entries(given)) {
    if (text.trim() === "") continue;
    const option = definition.options.find((candidate) => candidate.name === name.toLowerCase());
    if (option === undefined) {
      return problem({ kind: "unknown-option", definition, typed: shorten(name, maxTypedChars) });
    }
    if (option.isList && text.length > maxListChars) return problem({ kind: "too-long", definition });
    const words = option.isList ? wordsOf(text) : [{ from: 0, to: text.length }];
    for (const { from, to } of words) {
      const wrong = reading.put(option, text.slice(from, to));
      if (wrong !== undefined) return wrong;
    }
  }
  return reading.end();
}

function typedName(text: string, registry: Registry): Name & { readonly hasPrefix: boolean; readonly tail: number } {
  const { prefix } = registry;
  const [start = ""] = /^\s*\/?\s*/.exec(text) ?? [];
  const [first = ""] = /^\S*/.exec(text.slice(start.length, start.length + maxNameChars)) ?? [];
  const afterFirst = start.length + first.length;
  const between = text.slice(afterFirst).search(/\S/);
  const subFrom = afterFirst + Math.max(between, 0);
  const [second = ""] = /^\S*/.exec(text.slice(subFrom, subFrom + maxNameChars)) ?? [];
  const sub = between < 0 ? undefined : second.toLowerCase();
  const hasPrefix = first.toLowerCase().startsWith(prefix.toLowerCase());
  const group = hasPrefix ? first.toLowerCase().slice(prefix.length) : first.toLowerCase();
  const double = hasPrefix && sub !== undefined && between > 0 ? registry.find(`${group} ${sub}`) : undefined;
  const single = hasPrefix && between !== 0 ? registry.find(group) : undefined;
  const tail = double === undefined ? afterFirst : subFrom + second.length;
  return { definition: double ?? single, group, sub, hasPrefix, tail };
}

function structuredName(path: string, registry: Registry): Name {
  const said = path.slice(0, maxNameChars).trim().toLowerCase().replace(/^\//, "").replace(/\s+/g, " ");
  const bare = said.startsWith(registry.prefix) ? said.slice(registry.prefix.length) : said;
  const [group = "", sub] = bare.split(" ");
  return { definition: registry.find(said) ?? registry.find(bare), group, sub };
}

/** Commands without free text: `name value`, `name:value`, or bare words in the defined order. */
function parseOptions(text: string, definition: CommandDefinition): Parsed {
  const typable = definition.options.filter((option) => option.type !== "file");
  const names = typable.map((option) => option.name);
  const list = typable.find((option) => option.isList);
  const [maxChars, maxWords] = list === undefined ? [0, 0] : [maxListChars, maxListed];
  if (text.length > maxCommandChars + maxChars) return problem({ kind: "too-long", definition });
  const words: Word[] = [];
  for (const word of wordsOf(text)) {
    words.push(word);
    if (words.length > maxCommandWords + maxWords) return problem({ kind: "too-long", definition });
  }
  const { values, put, end } = readingOf(definition);
  const named = (name: string | undefined) => typable.find((option) => option.name === name?.toLowerCase());
  const valueIn = (word: Word) => (word.isQuoted ? word.value : text.slice(word.from, word.to));

  for (let at = 0; at < words.length; at += 1) {
    const word = words[at];
    if (word === undefined) break;
    const next = words[at + 1];
    const colon = named(word.name);
    // "name: value" with a space is accepted as well.
    const option = colon ?? (word.isQuoted || word.name !== undefined ? undefined : named(word.value));
    let wrong: Parsed | undefined;
    if (colon !== undefined && word.value !== "") wrong = put(colon, word.value);
    else if (option !== undefined && next !== undefined) {
      wrong = put(option, valueIn(next));
      at += 1;
    } else wrong = colon === undefined ? bare(word) : put(colon, "");
    if (wrong !== undefined) return wrong;
  }
  return end();

  function bare(word: Word): Parsed | undefined {
    const value = valueIn(word);
    const byChoice = typable.find(
      (option) =>
        option.type === "choice" && values[option.name] === undefined && readValue(option, value) !== undefined,
    );
    const open = typable.filter((option) => values[option.name] === undefined && option.type === "text");
    const next = open.find((option) => option.isRequired && !option.isList) ?? byChoice ?? open[0];
    const slip = slipOf(word, value);
    if (slip !== undefined) return unknownOption(definition, value, slip);
    if (list !== undefined && (next === undefined || !next.isRequired || next === list)) return put(list, value);
    const takesIt = next?.isRequired || next?.takesBareWord || next === byChoice || next === typable[0];
    if (next !== undefined && takesIt) return put(next, value);
    const only = typable.find((option) => values[option.name] === undefined && option.type === "choice");
    if (only !== undefined && typable.length === 1) return badValue(definition, only, value);
    return unknownOption(definition, value, nearest(value, names));
  }

  /** "lmit 5" and "lmit:5" among URLs are typos, not URLs. */
  function slipOf(word: Word, value: string): string | undefined {
    if (word.isQuoted) return undefined;
    if (word.name !== undefined && !value.includes("://")) return nearest(word.name, names);
    if (list === undefined || !/^[a-z-]{3,}$/i.test(value)) return undefined;
    return nearest(value.replace(/^-+/, ""), names);
  }
}

/**
 * Commands with free text (`/ask`, `/kb search`). The text belongs to the person and isn't split: an option is only
 * recognised as `name:value` at the very start or end, or as `name value` at the end when the value is a known name.
 */
function parseFreeText(text: string, definition: CommandDefinition, isKnown: IsKnown): Parsed {
  const rest = definition.options.find((option) => option.isRest);
  const others = definition.options.filter((option) => option !== rest && option.type !== "file");
  if (rest?.hasOwnLimit !== true && text.length > maxCommandChars) return problem({ kind: "too-long", definition });
  const { values, put, end } = readingOf(definition);
  let to = trimmedEnd(text, 0, text.length);
  let from = to - text.slice(0, to).trimStart().length;

  const byColon = (word: Word | undefined) =>
    word?.name === undefined || word.value === "" ? undefined : others.find((option) => option.name === word.name);
  const last = (until: number) => lastWord(text, from, until, maxCommandChars);

  const head = text.slice(0, Math.min(to, maxCommandChars));
  for (const word of wordsOf(head)) {
    const option = word.to === head.length && head.length < to ? undefined : byColon(word);
    const wrong = option === undefined ? undefined : put(option, word.value);
    if (wrong !== undefined) return wrong;
    from = option === undefined ? word.from : word.to;
    if (option === undefined) break;
  }
  for (let word = from < to ? last(to) : undefined; word !== undefined; word = from < to ? last(to) : undefined) {
    const before = trimmedEnd(text, from, word.from);
    const name = byColon(word) === undefined && before > from ? last(before) : undefined;
    const option = byColon(word) ?? knownBySpace(name, word, others, isKnown);
    if (option === undefined) {
      const slip = slipOf(word, others);
      if (slip !== undefined) return unknownOption(definition, word.name ?? "", slip);
      break;
    }
    const wrong = put(option, word.value);
    if (wrong !== undefined) return wrong;
    to = name === undefined ? before : trimmedEnd(text, from, name.from);
  }
  if (rest !== undefined && from < to) values[rest.name] = withoutName(text.slice(from, to), rest);
  return end();
}

function knownBySpace(
  name: Word | undefined,
  value: Word,
  others: readonly OptionDefinition[],
  isKnown: IsKnown,
): OptionDefinition | undefined {
  if (name === undefined || name.isQuoted || name.name !== undefined) return undefined;
  const option = others.find((candidate) => candidate.name === name.value.toLowerCase());
  if (option?.completes === undefined || value.name !== undefined) return undefined;
  return isKnown(option.completes, value.value) ? option : undefined;
}

/** "agnt:sales" at the end: one typo away from an option. */
function slipOf({ name, value }: Word, others: readonly OptionDefinition[]): string | undefined {
  if (name === undefined || name.length < 3 || value === "" || value.startsWith("//")) return undefined;
  return others.find((option) => option.name.length > 3 && editsWithin(name, option.name) === 1)?.name;
}

/**
 * Removes a typed option name: "question: how many?" is how Discord displays an option; "name sales" is how options are
 * typed elsewhere.
 */
function withoutName(words: string, { name, isRequired }: OptionDefinition): string {
  const begin = words.slice(0, name.length + 1).toLowerCase();
  const hasName = begin === `${name}:` || (!isRequired && begin === `${name} `);
  return hasName && words.length > begin.length ? words.slice(begin.length).trimStart() : words;
}

/** Collects the values of a command's options. `put` returns the problem with a value, or undefined. */
function readingOf(definition: CommandDefinition) {
  const values: Record<string, string | number | string[]> = {};
  return {
    values,
    put: (option: OptionDefinition, text: string): Parsed | undefined => {
      const before = values[option.name];
      if (option.hasOwnLimit !== true && text.length > maxCommandChars)
        return problem({ kind: "too-long", definition });
      if (option.isList) {
        if (!Array.isArray(before)) values[option.name] = [text];
        else if (before.push(text) > maxListed) return problem({ kind: "too-long", definition });
        return undefined;
      }
      if (before !== undefined) return problem({ kind: "given-twice", definition, option });
      const value = readValue(option, text);
      if (value === undefined) return badValue(definition, option, text);
      values[option.name] = value;
      return undefined;
    },
    /** The command if no required option is missing. */
    end: (): Parsed => {
      // A question may consist of a file only: the caller knows whether there is one.
      const missing = definition.options.find(
        ({ name, isRequired }) => isRequired && values[name] === undefined && name !== definition.asks?.question,
      );
      return missing === undefined
        ? { kind: "command", definition, options: values }
        : problem({ kind: "missing-option", definition, option: missing, given: values });
    },
  };
}

/** Undefined when the text isn't a valid value of that option. */
function readValue(option: OptionDefinition, text: string): string | number | undefined {
  switch (option.type) {
    case "text":
    case "file":
      return text;
    case "choice":
      return option.choices?.find((choice) => choice.toLowerCase() === text.trim().toLowerCase());
    case "integer": {
      if (!/^-?\d{1,9}$/.test(text.trim())) return undefined;
      const value = Number(text);
      const isWithin = value >= (option.minimum ?? value) && value <= (option.maximum ?? value);
      return isWithin ? value : undefined;
    }
    default:
      return option.type satisfies never;
  }
}

function problem(what: CommandProblem): Parsed {
  return { kind: "problem", problem: what };
}

function unknownOption(definition: CommandDefinition, typed: string, near: string | undefined): Parsed {
  const about = { definition, typed: shorten(typed, maxTypedChars), nearest: near };
  return problem({ kind: "unknown-option", ...about });
}

function badValue(definition: CommandDefinition, option: OptionDefinition, typed: string): Parsed {
  const near = option.choices?.find((choice) => choice.startsWith(typed.toLowerCase().slice(0, 2)));
  return problem({
    kind: "bad-value",
    definition,
    option,
    typed: shorten(typed, maxTypedChars),
    nearest: typed === "" ? undefined : near,
  });
}

function unknown(group: string, sub: string | undefined, registry: Registry, hasPrefix: boolean): Parsed {
  const path = sub === undefined ? group : `${group} ${sub}`;
  const typed = shorten(`/${hasPrefix ? registry.prefix : ""}${path}`, maxTypedChars);
  const words = sub === undefined ? [group] : [group, sub];
  const near = registry.nearestTo(words);
  const isGroup = registry.ofGroup(group).length > 0 && hasPrefix;
  if (isGroup && (near === undefined || near === group)) {
    return problem({ kind: "incomplete", group, typed: sub === undefined ? undefined : typed });
  }
  return problem({ kind: "unknown-command", typed, nearest: near });
}
