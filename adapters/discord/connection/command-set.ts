/**
 * Converts Parley's command definitions to Discord's: the first word is the command, the second its subcommand.
 * Pure, so that the manifest and the registered commands are the same.
 */
import {
  ApplicationCommandOptionType,
  ApplicationCommandType,
  ApplicationIntegrationType,
  InteractionContextType,
} from "@discordjs/core";
import type { APIApplicationCommandBasicOption, RESTPutAPIApplicationCommandsJSONBody } from "discord.js";
import type { CommandDefinition, OptionDefinition } from "../../../src/core/commands.ts";
import { truncate } from "../drawing/markup.ts";
import type { CommandData, GivenOption } from "../intake/events.ts";
import * as limits from "../limits.ts";

/** Message context menus, by the name people see. */
export const shortcuts = {
  "Ask about this": "ask-about",
  "Save to knowledge base": "save",
  "Use as answer": "use-as-answer",
} as const;

export type CommandSetOptions = {
  readonly definitions: readonly CommandDefinition[];
  /** Summaries by first word: "agent" -> "Agents: …". */
  readonly groups: Readonly<Record<string, string>>;
  /** COMMAND_PREFIX, for each command's name. */
  readonly prefix?: string;
  /** For one server: contexts and integration types are only allowed on global commands. */
  readonly isForOneServer?: boolean;
};

export function commandSet({
  definitions,
  groups,
  prefix = "",
  isForOneServer = false,
}: CommandSetOptions): RESTPutAPIApplicationCommandsJSONBody {
  const words = [...new Set(definitions.map(({ path }) => wordsOf(path)[0]))];
  const everywhere = isForOneServer
    ? {}
    : {
        integration_types: [ApplicationIntegrationType.GuildInstall],
        // Parley checks roles itself: Discord's permissions cover whole commands only.
        contexts: [InteractionContextType.Guild, InteractionContextType.BotDM],
      };
  const slash = words.map((word) => {
    const own = definitions.filter(({ path }) => wordsOf(path)[0] === word);
    const single = own.find(({ path }) => path === word);
    return {
      type: ApplicationCommandType.ChatInput as const,
      name: prefix + word,
      description: describe(groups[word] ?? single?.summary ?? word),
      options: single === undefined ? own.map(subcommand) : optionsOf(single),
      ...everywhere,
    };
  });
  const menus = Object.keys(shortcuts).map((name) => ({
    type: ApplicationCommandType.Message as const,
    name,
    ...everywhere,
  }));
  return [...slash, ...menus];
}

function subcommand(definition: CommandDefinition) {
  return {
    type: ApplicationCommandOptionType.Subcommand as const,
    name: wordsOf(definition.path)[1] ?? definition.path,
    description: describe(definition.summary),
    options: optionsOf(definition),
  };
}

/** Discord requires the required options first. */
function optionsOf({ options }: CommandDefinition): APIApplicationCommandBasicOption[] {
  return [...options.filter(({ isRequired }) => isRequired), ...options.filter(({ isRequired }) => !isRequired)].map(
    option,
  );
}

function option(definition: OptionDefinition): APIApplicationCommandBasicOption {
  const base = {
    name: definition.name,
    description: describe(definition.summary),
    required: definition.isRequired,
  };
  switch (definition.type) {
    case "integer":
      return {
        ...base,
        type: ApplicationCommandOptionType.Integer,
        min_value: definition.minimum,
        max_value: definition.maximum,
      };
    case "file":
      return { ...base, type: ApplicationCommandOptionType.Attachment };
    case "choice":
      return {
        ...base,
        type: ApplicationCommandOptionType.String,
        choices: (definition.choices ?? []).slice(0, limits.maxChoices).map((name) => ({ name, value: name })),
      };
    case "text":
      return {
        ...base,
        type: ApplicationCommandOptionType.String,
        autocomplete: definition.completes === undefined ? undefined : true,
      };
    default:
      return definition.type satisfies never;
  }
}

function describe(summary: string): string {
  return truncate(summary, limits.maxCommandDescriptionChars);
}

function wordsOf(path: string): readonly [string, string?] {
  const [first = path, second] = path.split(" ");
  return second === undefined ? [first] : [first, second];
}

/** The path ("agent use") and the given options; the focused one is being typed. */
export function givenCommand(data: CommandData): {
  readonly path: string;
  readonly options: readonly GivenOption[];
} {
  const [first] = data.options;
  const isNested = first !== undefined && first.type === ApplicationCommandOptionType.Subcommand;
  return isNested
    ? { path: `${data.name} ${first.name}`, options: first.options ?? [] }
    : { path: data.name, options: data.options };
}
