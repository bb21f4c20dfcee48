/** Explains input that couldn't be parsed: the problem, what was probably meant, and a working example. */
import type { CommandDefinition } from "../../core/commands.ts";
import type { Document, Inline } from "../../core/document.ts";
import { code, infoDocument, listDocument, say } from "../../presentation/drawing.ts";
import { countText, numberText, orList } from "../../presentation/sentences.ts";
import type { Registry } from "../registry.ts";
import { problemSentences } from "../words.ts";
import { type CommandProblem, maxCommandChars, maxCommandWords, maxListChars, maxListed } from "./parsed.ts";

/** What is wrong with what was typed or pressed. */
const says = {
  unknownCommand: (typed: string): Inline => say`There is no command ${code(typed)}.`,
  incomplete: (group: string): Inline => say`Which one? ${code(group)} can:`,
  unknownPart: (typed: string): Inline => say`There is no ${code(typed)}. Choose one of these:`,
  tooLong: (words: number, chars: number): string =>
    `That's too long: a command can have up to ${countText(words, "word")} and ${countText(chars, "character")}.`,
  unknownOption: (typed: string, command: string): Inline => say`${code(command)} has no option ${code(typed)}.`,
  missing: (option: string, command: string): Inline => say`${code(command)} needs ${code(option)}.`,
  badChoice: (typed: string, option: string, choices: readonly string[]): Inline =>
    say`${code(typed)} isn't a valid ${code(option)}. Choose ${orList(choices)}.`,
  badNumber: (typed: string, option: string, from?: number, to?: number): Inline =>
    say`${code(typed)} isn't a valid ${code(option)}. Use a whole number${rangeText(from, to)}.`,
  badValue: (typed: string, option: string): Inline => say`${code(typed)} isn't a valid ${code(option)}.`,
  givenTwice: (option: string): Inline => say`${code(option)} is there twice.`,
  seeHelp: (help: string): Inline => say`See all commands with ${code(help)}.`,
  forExample: (example: string): Inline => say`For example: ${code(example)}`,
  options: (names: readonly string[]): Inline =>
    names.length === 0
      ? say`It has no options.`
      : say`Its options: ${names.flatMap((name, index) => [index === 0 ? "" : ", ", code(name)])}`,
} as const;

export function problemDocument(problem: CommandProblem, registry: Registry): Document {
  const help = registry.typed("parley help");
  const told = (...sentences: readonly Inline[]) => infoDocument(sentences, { tone: "failed" });
  switch (problem.kind) {
    case "unknown-command":
      return told(
        says.unknownCommand(problem.typed),
        problem.nearest === undefined
          ? says.seeHelp(help)
          : problemSentences.didYouMean(registry.typed(problem.nearest)),
      );
    case "incomplete": {
      const title =
        problem.typed === undefined ? says.incomplete(registry.typed(problem.group)) : says.unknownPart(problem.typed);
      const lines = registry
        .shownOfGroup(problem.group)
        .map(({ path, summary }) => commandLine(registry, path, summary));
      return listDocument(title, lines, { tone: "failed" });
    }
    case "too-long":
      return told(
        say`${
          problem.definition.options.some(({ isList }) => isList)
            ? problemSentences.listTooLong(maxListed, maxListChars)
            : says.tooLong(maxCommandWords, maxCommandChars)
        }`,
      );
    case "unknown-option": {
      const { definition, typed, nearest } = problem;
      const sentence = says.unknownOption(typed, registry.typed(definition.path));
      return nearest === undefined
        ? told(sentence, says.options(definition.options.map(({ name }) => name)), example(definition, registry))
        : told(sentence, problemSentences.didYouMean(nearest), example(definition, registry));
    }
    case "missing-option":
      return told(
        says.missing(problem.option.name, registry.typed(problem.definition.path)),
        example(problem.definition, registry),
      );
    case "bad-value": {
      const near = problem.nearest === undefined ? [] : [problemSentences.didYouMean(problem.nearest)];
      return told(badValue(problem), ...near, example(problem.definition, registry));
    }
    case "given-twice":
      return told(says.givenTwice(problem.option.name), example(problem.definition, registry));
    default:
      return problem satisfies never;
  }
}

function badValue({ typed, option }: Extract<CommandProblem, { kind: "bad-value" }>): Inline {
  if (option.type === "choice") return says.badChoice(typed, option.name, option.choices ?? []);
  if (option.type === "integer") {
    return says.badNumber(typed, option.name, option.minimum, option.maximum);
  }
  return says.badValue(typed, option.name);
}

/** "/agent use: Choose the agent …" */
export function commandLine(registry: Registry, path: string, summary: string): Inline {
  return say`${{ text: registry.typed(path), style: "code" }}  ${summary}`;
}

function example(definition: CommandDefinition, registry: Registry): Inline {
  return says.forExample(registry.typed(definition.examples.at(-1) ?? definition.path));
}

function rangeText(from?: number, to?: number): string {
  if (from !== undefined && to !== undefined) return ` from ${numberText(from)} to ${numberText(to)}`;
  if (from !== undefined) return ` of at least ${numberText(from)}`;
  return to === undefined ? "" : ` of at most ${numberText(to)}`;
}
