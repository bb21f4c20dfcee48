/** Parses options of commands without free text: `name value`, `name:value`, or bare words in the defined order. */
import type { CommandDefinition, OptionDefinition } from "../../ports/command-contract.ts";
import { present } from "../../ports/tools/present.ts";
import { shorten } from "../../presentation/sentences.ts";
import { nearest } from "./nearest.ts";
import {
  badValue,
  complete,
  maxTypedChars,
  type Parsed,
  problem,
  putOption,
  type ReadOptions,
  readValue,
} from "./parse-result.ts";
import { type Token, tokenize } from "./tokenizer.ts";

export function parseOptions(text: string, definition: CommandDefinition): Parsed {
  const words = tokenize(text);
  const values: ReadOptions = {};
  const typable = definition.options.filter((option) => option.type !== "file");
  const named = (name: string | undefined) => typable.find((option) => option.name === name?.toLowerCase());
  const names = typable.map((option) => option.name);
  const source = (word: Token) => text.slice(word.from, word.to);
  const valueIn = (word: Token) => (word.isQuoted ? word.value : source(word));
  const put = (option: OptionDefinition, value: string) => putOption(values, definition, option, value);

  for (let at = 0; at < words.length; at += 1) {
    const word = words[at];
    if (word === undefined) break;
    const next = words[at + 1];
    const colon = named(word.name);
    // "name: value" with a space is accepted as well.
    const hasValue = colon !== undefined && word.value !== "";
    const option = colon ?? (word.isQuoted || word.name !== undefined ? undefined : named(word.value));
    let wrong: Parsed | undefined;
    if (hasValue) wrong = put(colon, word.value);
    else if (option !== undefined && next !== undefined) {
      wrong = put(option, valueIn(next));
      at += 1;
    } else wrong = colon === undefined ? bare(word) : put(colon, "");
    if (wrong !== undefined) return wrong;
  }
  return complete(definition, values);

  function bare(word: Token): Parsed | undefined {
    const value = valueIn(word);
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
    const takesIt = next?.isRequired || next?.takesBareWord || next === byChoice || next === typable[0];
    if (next !== undefined && takesIt) return put(next, value);
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
