/**
 * Opens a form with the known names when a command lacks only a name. Slack has no completion for slash commands, so
 * the form provides it.
 */

import { z } from "zod";
import type { OptionDefinition } from "../core/commands.ts";
import {
  allShown,
  type Choice,
  type Completion,
  type Form,
  type FormField,
  type FormValues,
} from "../core/document.ts";
import type { CommandInput } from "../core/ports/chat-platform.ts";
import { parseJson } from "../core/tools/parse-json.ts";

import type { OptionValues } from "./command.ts";
import type { NameCache } from "./names/name-cache.ts";
import type { CommandProblem } from "./parsing/parsed.ts";

/** The form that asks for the agent or knowledge base that a command was given without. */
const pickSentences = {
  title: { agent: "Choose an agent", "knowledge-base": "Choose a knowledge base" },
  label: (option: string): string => pickLabels[option] ?? option.charAt(0).toUpperCase() + option.slice(1),
  choice: (value: string): string => pickChoices[value] ?? value,
  submit: "Choose",
} as const;

const formMark = "pick ";
/** More than a form shows at once; typing finds the rest. */
const maxChoices = 100;

/** From the form's context. */
const givenOptions = z.record(z.string(), z.string()).catch({});

/** Undefined when something else is missing or wrong. */
export function missingNameForm(problem: CommandProblem, names: NameCache): Form | undefined {
  if (problem.kind !== "missing-option") return undefined;
  const { definition, option, given } = problem;
  const isPickable = ({ name, isRequired, completes }: OptionDefinition) =>
    !isRequired || given[name] !== undefined || completes === "agent" || completes === "knowledge-base";
  const { completes } = option;
  if ((completes !== "agent" && completes !== "knowledge-base") || !definition.options.every(isPickable)) {
    return undefined;
  }
  const fields = definition.options.flatMap((candidate): FormField[] => {
    if (given[candidate.name] !== undefined) return [];
    const field = { name: candidate.name, isRequired: candidate.isRequired };
    const label = pickSentences.label(candidate.completes === "agent" ? "agent" : candidate.name.replaceAll("-", " "));
    if (candidate.completes !== undefined) {
      const { completes: kind } = candidate;
      return [{ ...field, label, type: "select", completes: kind, choices: choicesOf(kind, names) }];
    }
    if (candidate.type !== "choice") return [];
    const choices = (candidate.choices ?? []).map((value) => ({ value, label: pickSentences.choice(value) }));
    const { summary: hint, default: initial } = candidate;
    // With one selected, an empty entry would only raise the question of what it means.
    const isRequired = candidate.isRequired || initial !== undefined;
    return [
      {
        ...field,
        isRequired,
        label,
        hint,
        type: "select",
        choices,
        ...allShown("select", choices),
        initial,
      },
    ];
  });
  return {
    id: `${formMark}${definition.path}`,
    title: pickSentences.title[completes],
    submitLabel: pickSentences.submit,
    fields,
    context: JSON.stringify(strings(given)),
  };
}

/** The form's command, without slash and prefix; undefined for any other form. */
export function pickedPath(formId: string): string | undefined {
  return formId.startsWith(formMark) ? formId.slice(formMark.length) : undefined;
}

/** The complete command, as if it had been given in one piece. */
export function pickedInput(path: string, values: FormValues, formContext: string): CommandInput {
  const chosen = Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      typeof value === "string" && value !== "" ? [[name, value]] : [],
    ),
  );
  return { kind: "structured", path, options: { ...givenOptions.parse(parseJson(formContext)), ...chosen } };
}

function choicesOf(completes: Completion, names: NameCache): readonly Choice[] {
  if (completes === "project") return names.projects().slice(0, maxChoices).map(choiceOf);
  const known = completes === "agent" ? names.agents() : names.knowledgeBases();
  return known.slice(0, maxChoices).map(({ name }) => choiceOf(name));
}

function choiceOf(name: string): Choice {
  return { value: name, label: name };
}

function strings(given: OptionValues): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, String(value)]));
}

const pickLabels: Readonly<Record<string, string>> = { scope: "Where" };

const pickChoices: Readonly<Record<string, string>> = {
  channel: "This channel",
  workspace: "All channels without an agent of their own",
};
