/**
 * Parses commands with free text (`/ask`, `/kb search`). The text belongs to the person: an option is only recognised
 * as `name:value` at the very start or end, or as `name value` at the end when the value is a known name.
 */
import type { CommandDefinition, OptionDefinition } from "../../ports/command-contract.ts";
import { shorten } from "../../presentation/sentences.ts";
import { editDistance } from "./nearest.ts";
import {
  complete,
  type IsKnown,
  maxTypedChars,
  type Parsed,
  problem,
  putOption,
  type ReadOptions,
} from "./parse-result.ts";
import { type Token, tokenize } from "./tokenizer.ts";

export function parseRest(text: string, definition: CommandDefinition, isKnown: IsKnown): Parsed {
  const rest = definition.options.find((option) => option.isRest);
  const others = definition.options.filter((option) => option !== rest && option.type !== "file");
  const words = tokenize(text);
  const values: ReadOptions = {};
  const put = (option: OptionDefinition, value: string) => putOption(values, definition, option, value);
  let first = 0;
  let end = words.length;

  const byColon = (word: Token | undefined) =>
    word?.name === undefined || word.value === "" ? undefined : others.find((option) => option.name === word.name);

  for (let option = byColon(words[first]); option !== undefined && first < end; option = byColon(words[first])) {
    const wrong = put(option, words[first]?.value ?? "");
    if (wrong !== undefined) return wrong;
    first += 1;
  }
  while (end > first) {
    const last = words[end - 1];
    const before = words[end - 2];
    const colon = byColon(last);
    const spaced = end - 1 > first ? knownBySpace(before, last, others, isKnown) : undefined;
    if (colon !== undefined) {
      const wrong = put(colon, last?.value ?? "");
      if (wrong !== undefined) return wrong;
      end -= 1;
    } else if (spaced !== undefined && last !== undefined) {
      const wrong = put(spaced, last.value);
      if (wrong !== undefined) return wrong;
      end -= 2;
    } else break;
  }
  const slip = slipOf(words[end - 1], others);
  if (slip !== undefined && end > first) {
    const typed = shorten(words[end - 1]?.name ?? "", maxTypedChars);
    return problem({ kind: "unknown-option", definition, typed, nearest: slip });
  }
  const from = words[first]?.from;
  const to = words[end - 1]?.to;
  if (rest !== undefined && first < end && from !== undefined && to !== undefined) {
    values[rest.name] = withoutName(text.slice(from, to), rest);
  }
  return complete(definition, values);
}

function knownBySpace(
  name: Token | undefined,
  value: Token | undefined,
  others: readonly OptionDefinition[],
  isKnown: IsKnown,
): OptionDefinition | undefined {
  if (name === undefined || value === undefined || name.isQuoted || name.name !== undefined) return undefined;
  const option = others.find((candidate) => candidate.name === name.value.toLowerCase());
  if (option?.completes === undefined || value.name !== undefined) return undefined;
  return isKnown(option.completes, value.value) ? option : undefined;
}

/** "agnt:sales" at the end: one typo away from an option. */
function slipOf(word: Token | undefined, others: readonly OptionDefinition[]): string | undefined {
  const name = word?.name;
  if (name === undefined || name.length < 3 || word?.value === "" || word?.value.startsWith("//")) return undefined;
  return others.find((option) => option.name.length > 3 && editDistance(name, option.name) === 1)?.name;
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
