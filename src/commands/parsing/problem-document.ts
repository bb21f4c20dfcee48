/** Explains input that couldn't be parsed: the problem, what was probably meant, and a working example. */
import type { CommandDefinition } from "../../ports/commands.ts";
import type { Document, Inline } from "../../ports/document.ts";
import { infoDocument, inline, listDocument } from "../../presentation/drawing.ts";
import { problemSentences } from "../../presentation/sentences.ts";
import type { Registry } from "../registry.ts";
import { type CommandProblem, maxCommandChars, maxCommandWords, maxListChars, maxListed } from "./parsed.ts";

export function problemDocument(problem: CommandProblem, registry: Registry): Document {
  const help = registry.typed("parley help");
  const say = (...sentences: readonly Inline[]) => infoDocument(sentences, { tone: "failed" });
  switch (problem.kind) {
    case "unknown-command":
      return say(
        problemSentences.unknownCommand(problem.typed),
        problem.nearest === undefined
          ? problemSentences.seeHelp(help)
          : problemSentences.didYouMean(registry.typed(problem.nearest)),
      );
    case "incomplete": {
      const title =
        problem.typed === undefined
          ? problemSentences.incomplete(registry.typed(problem.group))
          : problemSentences.unknownPart(problem.typed);
      const lines = registry
        .shownOfGroup(problem.group)
        .map(({ path, summary }) => commandLine(registry, path, summary));
      return listDocument(title, lines, { tone: "failed" });
    }
    case "too-long":
      return say(
        inline(
          problem.definition.options.some(({ isList }) => isList)
            ? problemSentences.listTooLong(maxListed, maxListChars)
            : problemSentences.tooLong(maxCommandWords, maxCommandChars),
        ),
      );
    case "unknown-option": {
      const { definition, typed, nearest } = problem;
      const sentence = problemSentences.unknownOption(typed, registry.typed(definition.path));
      return nearest === undefined
        ? say(
            sentence,
            problemSentences.options(definition.options.map(({ name }) => name)),
            example(definition, registry),
          )
        : say(sentence, problemSentences.didYouMean(nearest), example(definition, registry));
    }
    case "missing-option":
      return say(
        problemSentences.missing(problem.option.name, registry.typed(problem.definition.path)),
        example(problem.definition, registry),
      );
    case "bad-value": {
      const near = problem.nearest === undefined ? [] : [problemSentences.didYouMean(problem.nearest)];
      return say(badValue(problem), ...near, example(problem.definition, registry));
    }
    case "given-twice":
      return say(problemSentences.givenTwice(problem.option.name), example(problem.definition, registry));
    default:
      return problem satisfies never;
  }
}

function badValue({ typed, option }: Extract<CommandProblem, { kind: "bad-value" }>): Inline {
  if (option.type === "choice") return problemSentences.badChoice(typed, option.name, option.choices ?? []);
  if (option.type === "integer") {
    return problemSentences.badNumber(typed, option.name, option.minimum, option.maximum);
  }
  return problemSentences.badValue(typed, option.name);
}

/** "/agent use: Choose the agent …" */
export function commandLine(registry: Registry, path: string, summary: string): Inline {
  return inline({ text: registry.typed(path), style: "code" }, `  ${summary}`);
}

function example(definition: CommandDefinition, registry: Registry): Inline {
  return problemSentences.forExample(registry.typed(definition.examples.at(-1) ?? definition.path));
}
