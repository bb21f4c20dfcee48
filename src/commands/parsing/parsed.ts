/** What comes of parsing: a command with checked options, or the problem with it. */
import type { CommandDefinition, OptionDefinition } from "../../core/commands.ts";
import type { Completion } from "../../core/document.ts";
import type { OptionValues } from "../command.ts";

export type CommandProblem =
  | { readonly kind: "unknown-command"; readonly typed: string; readonly nearest?: string }
  /** Only the group: "/agent". */
  | { readonly kind: "incomplete"; readonly group: string; readonly typed?: string }
  | { readonly kind: "too-long"; readonly definition: CommandDefinition }
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

/** Quoted of what was typed. */
export const maxTypedChars = 80;

/**
 * Of a command's name and options (26 Nov 2026). Discord's commands have 6,000 characters, Slack's messages 40,000, the
 * page's requests 2 MB.
 */
export const maxCommandChars = 10_000;
export const maxCommandWords = 1_000;
/** A list of URLs, each of up to 2,000 characters. */
export const maxListed = 1_000;
export const maxListChars = 120_000;

/** Whether a name exists. Decides whether "… in docs" at the end of free text is an option or part of the text. */
export type IsKnown = (completes: Completion, name: string) => boolean;
