/**
 * What a command is. Each is defined once, here and in definitions.ts, and every platform makes its own out of that:
 * Discord its subcommands, Slack its usage hints, the console its completion, `/parley help` its text.
 */
import type { Acknowledgement, CompletionQuery } from "./chat-platform.ts";
import type { CommandContext, CommandResult } from "./commands.ts";
import type { Choice, Completion, FieldErrors, Form, FormValues } from "./document.ts";
import type { Role } from "./model/place.ts";

export type OptionDefinition = {
  /** Lower case, at most 32 characters. */
  readonly name: string;
  /** At most 100 characters. */
  readonly summary: string;
  /** "file" is an attachment where the platform has such an option; it is never typed. */
  readonly type: "text" | "integer" | "choice" | "flag" | "file";
  readonly isRequired: boolean;
  /** Takes all the words that are left over, as they were written. At most one option of a command, and no list beside it. */
  readonly isRest?: boolean;
  /** Several words, each one value. */
  readonly isList?: boolean;
  /** Of a "choice". */
  readonly choices?: readonly string[];
  readonly completes?: Completion;
  /** Of an "integer". */
  readonly minimum?: number;
  readonly maximum?: number;
  /** Giving this option needs this role, where the command itself needs less. */
  readonly needs?: Role;
};

/** Pure data, so that a manifest can be made of it without anything running. */
export type CommandDefinition = {
  /** Without slash and prefix: "ask", "agent use". */
  readonly path: string;
  /** At most 100 characters. */
  readonly summary: string;
  /** In the order in which bare words fill them; required ones first. */
  readonly options: readonly OptionDefinition[];
  readonly role: Role;
  /** Who sees its answer. */
  readonly visibility: "private" | "public";
  /** The question it asks goes the way of questions (only /ask). */
  readonly asks?: { readonly question: string; readonly agent: string };
  /** It opens the form of that id, which is its path. */
  readonly opensForm?: boolean;
  /** Typed, without slash and prefix; the first one stands in hints. */
  readonly examples: readonly string[];
};

/** Parsed and checked against the definition: what is missing was not given. */
export type OptionValues = Readonly<Record<string, string | number | boolean | readonly string[]>>;

export type CommandHandler = {
  readonly run: (options: OptionValues, context: CommandContext) => Promise<CommandResult>;
  /**
   * Pure and at once, from what is known in memory. Undefined when the form cannot be filled yet; `run` then answers,
   * as it does wherever a form cannot be opened.
   */
  readonly form?: (options: OptionValues) => Form | undefined;
};

export type FormHandler = {
  readonly role: Role;
  /** Errors keep the form open. Well under 2 s, whatever the service does. */
  readonly check: (
    values: FormValues,
    formContext: string,
    context: CommandContext,
  ) => Promise<FieldErrors | undefined>;
  readonly submit: (values: FormValues, formContext: string, context: CommandContext) => Promise<CommandResult>;
};

export type ActionHandler = {
  readonly role: Role;
  /** Without I/O. Default: a private answer. */
  readonly acknowledge?: (value: string) => Acknowledgement;
  readonly press: (value: string, context: CommandContext) => Promise<CommandResult>;
};

/** Commands that belong together, with the forms and buttons they open. */
export type CommandSet = {
  readonly definitions: readonly CommandDefinition[];
  /** By path; one for each definition, except for the one that asks. */
  readonly handlers: Readonly<Record<string, CommandHandler>>;
  /** By form id. */
  readonly forms?: Readonly<Record<string, FormHandler>>;
  /** By id of a form that asks a question: what the agent is told beside it. Within 1 s, "" when nothing is known. */
  readonly formContexts?: Readonly<Record<string, (formContext: string, context: CommandContext) => Promise<string>>>;
  /** By action id; `confirm` and `open-form` by action id and the first word of the value ("confirm agent-delete"). */
  readonly actions?: Readonly<Record<string, ActionHandler>>;
  readonly completions?: Readonly<Partial<Record<Completion, (query: CompletionQuery) => Promise<readonly Choice[]>>>>;
};

export function textOption(options: OptionValues, name: string): string | undefined {
  const value = options[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}
