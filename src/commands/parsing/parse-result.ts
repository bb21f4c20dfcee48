/**
 * The result of parsing: a command with checked options, or the problem with it; and checks that both parsers share.
 */
import type { CommandDefinition, OptionDefinition, OptionValues } from "../../ports/command-contract.ts";
import type { Completion } from "../../ports/document.ts";
import { present } from "../../ports/tools/present.ts";
import { shorten } from "../../presentation/sentences.ts";

export type CommandProblem =
  | { readonly kind: "unknown-command"; readonly typed: string; readonly nearest?: string }
  /** Only the group: "/agent". */
  | { readonly kind: "incomplete"; readonly group: string; readonly typed?: string }
  | {
      readonly kind: "unknown-option";
      readonly definition: CommandDefinition;
      readonly typed: string;
      readonly nearest?: string;
    }
  | {
      readonly kind: "missing-option";
      readonly definition: CommandDefinition;
      readonly option: OptionDefinition;
      /** The options that were given. */
      readonly given: OptionValues;
    }
  | {
      readonly kind: "bad-value";
      readonly definition: CommandDefinition;
      readonly option: OptionDefinition;
      readonly typed: string;
      readonly nearest?: string;
    }
  | { readonly kind: "given-twice"; readonly definition: CommandDefinition; readonly option: OptionDefinition };

export type Parsed =
  | { readonly kind: "command"; readonly definition: CommandDefinition; readonly options: OptionValues }
  | { readonly kind: "problem"; readonly problem: CommandProblem };

/** Whether a name exists. Decides whether "… in docs" at the end of free text is an option or part of the text. */
export type IsKnown = (completes: Completion, name: string) => boolean;

/** Quoted of what was typed. */
export const maxTypedChars = 80;

export function problem(what: CommandProblem): Parsed {
  return { kind: "problem", problem: what };
}

export function badValue(definition: CommandDefinition, option: OptionDefinition, typed: string): Parsed {
  const near = option.choices?.find((choice) => choice.startsWith(typed.toLowerCase().slice(0, 2)));
  return problem({
    kind: "bad-value",
    definition,
    option,
    typed: shorten(typed, maxTypedChars),
    ...present({ nearest: typed === "" ? undefined : near }),
  });
}

/** The command if no required option is missing. */
export function complete(definition: CommandDefinition, options: OptionValues): Parsed {
  // A question may consist of a file only: the caller knows whether there is one.
  const missing = definition.options.find(
    (option) => option.isRequired && options[option.name] === undefined && option.name !== definition.asks?.question,
  );
  return missing === undefined
    ? { kind: "command", definition, options }
    : problem({ kind: "missing-option", definition, option: missing, given: options });
}

/** Options as they are read, word by word. */
export type ReadOptions = Record<string, string | number | string[]>;

/** Adds a typed value; a list takes several. Returns the problem, or undefined on success. */
export function putOption(
  values: ReadOptions,
  definition: CommandDefinition,
  option: OptionDefinition,
  text: string,
): Parsed | undefined {
  const before = values[option.name];
  if (option.isList) {
    values[option.name] = Array.isArray(before) ? [...before, text] : [text];
    return undefined;
  }
  if (before !== undefined) return problem({ kind: "given-twice", definition, option });
  const value = readValue(option, text);
  if (value === undefined) return badValue(definition, option, text);
  values[option.name] = value;
  return undefined;
}

/** Undefined when the text isn't a valid value of that option. */
export function readValue(option: OptionDefinition, text: string): string | number | undefined {
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
