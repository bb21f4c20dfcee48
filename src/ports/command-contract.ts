/** What a command is: its definition, form and handlers, from which every platform derives its own version. */
import type { ServiceOffer } from "./agent-service.ts";
import type { Acknowledgement, CompletionQuery } from "./chat-platform.ts";
import type { AskedByButton, AskedWith, Asker, CommandContext, CommandResult } from "./commands.ts";
import type { Choice, Completion, FieldErrors, Form, FormValues } from "./document.ts";
import type { Role } from "./model/place.ts";

export type OptionDefinition = {
  /** Lower case, at most 32 characters. */
  readonly name: string;
  /** At most 100 characters. */
  readonly summary: string;
  /** "file" is an attachment where the platform has such an option; it is never typed. */
  readonly type: "text" | "integer" | "choice" | "file";
  readonly isRequired: boolean;
  /** Takes all remaining words as they were written. At most one such option per command, and no list beside it. */
  readonly isRest?: boolean;
  /** Free text that its handler limits. Every other value has the limit of a command. */
  readonly hasOwnLimit?: true;
  /** Can be typed without its name although it isn't required. */
  readonly takesBareWord?: true;
  /** Several words, each one value. */
  readonly isList?: boolean;
  /** For a "choice". */
  readonly choices?: readonly string[];
  /** For a "choice": the one that applies when none is given. Forms select it. */
  readonly default?: string;
  readonly completes?: Completion;
  /** For an "integer". */
  readonly minimum?: number;
  readonly maximum?: number;
  /** Role that this option needs, if higher than the command's. */
  readonly needs?: Role;
  /** What the agent service must have for it. Help leaves it out where that is missing. */
  readonly offer?: ServiceOffer;
};

/** Pure data, so that manifests can be generated without running anything. */
export type CommandDefinition = {
  /** Without slash and prefix: "ask", "agent use". */
  readonly path: string;
  /** At most 100 characters. */
  readonly summary: string;
  /** In the order in which bare words fill them; required ones first. */
  readonly options: readonly OptionDefinition[];
  readonly role: Role;
  /** The options that hold the question and the agent (only /ask). Its answer is public, all others are private. */
  readonly asks?: { readonly question: string; readonly agent: string };
  /** It opens the form whose id is its path. */
  readonly opensForm?: boolean;
  /**
   * What the agent service must have for it. Every platform registers the command anyway, because the service may change
   * at any time; where that is missing, help leaves it out, and the command says so.
   */
  readonly offer?: ServiceOffer;
  /** Its summary where the service can't do all of it. */
  readonly reduced?: { readonly without: ServiceOffer; readonly summary: string };
  /** As typed, without slash and prefix; hints show the first one. */
  readonly examples: readonly string[];
  /** Shown too where the service has that. */
  readonly moreExamples?: { readonly offer: ServiceOffer; readonly examples: readonly string[] };
};

/** Parsed and checked against the definition. Options that were not given are missing. */
export type OptionValues = Readonly<Record<string, string | number | readonly string[]>>;

export type CommandHandler = {
  readonly run: (options: OptionValues, context: CommandContext) => Promise<CommandResult>;
  /** Pure and immediate. Undefined when the form can't be filled yet; then, and without forms, `run` answers. */
  readonly form?: (options: OptionValues) => Form | undefined;
  /** For a form that shows what is stored for the place or the person. Within 1 s. */
  readonly formIn?: (options: OptionValues, who: Asker) => Promise<Form | undefined>;
};

export type FormHandler = {
  readonly role: Role;
  /** Errors keep the form open. Takes well under 2 s, however slow the service is. */
  readonly check: (
    values: FormValues,
    formContext: string,
    context: CommandContext,
  ) => Promise<FieldErrors | undefined>;
  readonly submit: (values: FormValues, formContext: string, context: CommandContext) => Promise<CommandResult>;
};

export type ActionHandler = {
  readonly role: Role;
  /** What the agent service must have for it, as of a command. */
  readonly offer?: ServiceOffer;
  /** Instead of `press`, for a button that asks. Within 1 s. */
  readonly asks?: (value: string, context: CommandContext) => Promise<AskedByButton>;
  /** Without I/O. Default: a private answer. */
  readonly acknowledge?: (value: string) => Acknowledgement;
  /** For a form that shows what is stored. Within 1 s; else, and where it's undefined, `press` answers. */
  readonly formIn?: (value: string, who: Asker) => Promise<Form | undefined>;
  readonly press: (value: string, context: CommandContext) => Promise<CommandResult>;
};

/** A group of commands, with the forms and buttons they open. */
export type CommandSet = {
  readonly definitions: readonly CommandDefinition[];
  /** By path; one for each definition, except for the one that asks. */
  readonly handlers: Readonly<Record<string, CommandHandler>>;
  /** By form id. */
  readonly forms?: Readonly<Record<string, FormHandler>>;
  /**
   * By form id, for forms that ask a question: creates the context that the agent gets with the question, within 1 s.
   */
  readonly formContexts?: Readonly<
    Record<string, (formContext: string, context: CommandContext) => Promise<AskedWith>>
  >;
  /** By action id; `confirm` and `open-form` by action id and first word of the value ("confirm agent-delete"). */
  readonly actions?: Readonly<Record<string, ActionHandler>>;
  readonly completions?: Readonly<Partial<Record<Completion, (query: CompletionQuery) => Promise<readonly Choice[]>>>>;
};

/** The text of a form's field; "" for a field that wasn't returned. */
export function fieldText(values: FormValues, name: string): string {
  const value = values[name];
  return typeof value === "string" ? value.trim() : "";
}

export function textOption(options: OptionValues, name: string): string | undefined {
  const value = options[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}
