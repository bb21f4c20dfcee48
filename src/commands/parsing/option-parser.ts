/**
 * Parses options of commands without free text: `name value`, `name:value`, or bare words in the defined order.
 */

import type { CommandDefinition, OptionDefinition } from "../../ports/command-contract.ts";
import { present } from "../../ports/tools/present.ts";
import { shorten } from "../../presentation/sentences.ts";
import { nearest } from "./nearest.ts";
import { badValue, complete, maxTypedChars, type Parsed, problem, readValue } from "./parse-result.ts";
import { type Token, tokenize } from "./tokenizer.ts";

export function parseOptions(text: string, definition: CommandDefinition): Parsed {
  const words = tokenize(text);
  const values: Record<string, string | number | boolean | string[]> = {};
  const typable = definition.options.filter((option) => option.type !== "file");
  const named = (name: string | undefined) => typable.find((option) => option.name === name?.toLowerCase());
  const names = typable.map((option) => option.name);
  const source = (word: Token) => text.slice(word.from, word.to);

  /** Returns the problem, or undefined on success. */
  function put(option: OptionDefinition, value: string): Parsed | undefined {
    if (option.isList) {
      const list = values[option.name];
      if (Array.isArray(list)) list.push(value);
      else values[option.name] = [value];
      return undefined;
    }
    if (values[option.name] !== undefined) return problem({ kind: "given-twice", definition, option });
    const read = readValue(option, value);
    if (read === undefined) return badValue(definition, option, value);
    values[option.name] = read;
    return undefined;
  }

  for (let at = 0; at < words.length; at += 1) {
    const word = words[at];
    if (word === undefined) break;
    const colon = named(word.name);
    const spaced = word.isQuoted || word.name !== undefined ? undefined : named(word.value);
    let wrong: Parsed | undefined;
    if (colon !== undefined) {
      // "name: value" with a space is accepted as well.
      const next = words[at + 1];
      const isApart = word.value === "" && next !== undefined;
      if (isApart) at += 1;
      wrong = put(colon, isApart ? wordValue(next, source) : word.value);
    } else if (spaced !== undefined && spaced.type === "flag" && !isFlagValue(words[at + 1])) {
      wrong = put(spaced, "true");
    } else if (spaced !== undefined && words[at + 1] !== undefined) {
      at += 1;
      wrong = put(spaced, wordValue(words[at], source));
    } else {
      wrong = bare(word);
    }
    if (wrong !== undefined) return wrong;
  }
  return complete(definition, values);

  function bare(word: Token): Parsed | undefined {
    const value = word.isQuoted ? word.value : source(word);
    const byChoice = typable.find(
      (option) =>
        option.type === "choice" && values[option.name] === undefined && readValue(option, value) !== undefined,
    );
    const open = typable.filter((option) => values[option.name] === undefined && option.type === "text");
    const next = open.find((option) => option.isRequired && !option.isList) ?? byChoice ?? open[0];
    const list = typable.find((option) => option.isList);
    const slip = slipOf(word, value);
    if (slip !== undefined) return problem({ kind: "unknown-option", definition, typed: value, nearest: slip });
    if (list !== undefined && (next === undefined || !next.isRequired || next === list)) return put(list, value);
    if (next !== undefined && (next.isRequired || next === byChoice || next === typable[0])) return put(next, value);
    const only = typable.find((option) => values[option.name] === undefined && option.type === "choice");
    if (only !== undefined && typable.length === 1) return badValue(definition, only, value);
    const near = nearest(value, names);
    return problem({
      kind: "unknown-option",
      definition,
      typed: shorten(value, maxTypedChars),
      ...present({ nearest: near }),
    });
  }

  /** "lmit 5" and "lmit:5" among URLs are typos, not URLs. */
  function slipOf(word: Token, value: string): string | undefined {
    if (word.isQuoted) return undefined;
    if (word.name !== undefined && !value.includes("://")) return nearest(word.name, names);
    const list = typable.find((option) => option.isList);
    if (list === undefined || !/^[a-z-]{3,}$/i.test(value)) return undefined;
    return nearest(value.replace(/^-+/, ""), names);
  }
}

function wordValue(word: Token | undefined, source: (word: Token) => string): string {
  if (word === undefined) return "";
  return word.isQuoted ? word.value : source(word);
}

function isFlagValue(word: Token | undefined): boolean {
  return word !== undefined && /^(true|false|yes|no|on|off)$/i.test(word.value);
}
