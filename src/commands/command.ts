/** What a command is: its definition, with its forms and buttons. */

import type { Asker, CommandContext, CommandDefinition, CommandResult } from "../core/commands.ts";
import type { Choice, Completion, FieldErrors, Form, FormValues } from "../core/document.ts";
import type { Role } from "../core/model/place.ts";
import type { ServiceOffer } from "../core/ports/agent-service.ts";
import type { Acknowledgement, CompletionQuery } from "../core/ports/chat-platform.ts";
import type { CommandApp } from "./app.ts";
import type { AskedByButton, AskedWith } from "./contract.ts";

/** Parsed and checked against the definition. Options that were not given are missing. */
export type OptionValues = Readonly<Record<string, string | number | readonly string[]>>;

export type Command = CommandDefinition &
  Interactions & {
    readonly run: (app: CommandApp, options: OptionValues, context: CommandContext) => Promise<CommandResult>;
    /** From memory. Undefined when the form can't be filled yet; then, and without forms, `run` answers. */
    readonly form?: (app: CommandApp, options: OptionValues) => Form | undefined;
    /** For a form that shows what is stored for the place or the person. Within 1 s. */
    readonly formIn?: (app: CommandApp, options: OptionValues, who: Asker) => Promise<Form | undefined>;
  };

/** Forms, buttons and the names that they complete. */
export type Interactions = {
  /** By form id. */
  readonly forms?: Readonly<Record<string, FormHandler>>;
  /**
   * By form id, for forms that ask a question: creates the context that the agent gets with the question, within 1 s.
   */
  readonly formContexts?: Readonly<
    Record<string, (app: CommandApp, formContext: string, context: CommandContext) => Promise<AskedWith>>
  >;
  /** By action id; `confirm` and `open-form` by action id and first word of the value ("confirm agent-delete"). */
  readonly actions?: Readonly<Record<string, ActionHandler>>;
  readonly completions?: Readonly<
    Partial<Record<Completion, (app: CommandApp, query: CompletionQuery) => Promise<readonly Choice[]>>>
  >;
};

export type FormHandler = {
  readonly role: Role;
  /** Errors keep the form open. Takes well under 2 s, however slow the service is. */
  readonly check: (
    app: CommandApp,
    values: FormValues,
    formContext: string,
    context: CommandContext,
  ) => Promise<FieldErrors | undefined>;
  readonly submit: (
    app: CommandApp,
    values: FormValues,
    formContext: string,
    context: CommandContext,
  ) => Promise<CommandResult>;
};

export type ActionHandler = {
  readonly role: Role;
  /** What the agent service must have for it, as of a command. */
  readonly offer?: ServiceOffer;
  /** Instead of `press`, for a button that asks. Within 1 s. */
  readonly asks?: (app: CommandApp, value: string, context: CommandContext) => Promise<AskedByButton>;
  /** Without I/O. Default: a private answer. */
  readonly acknowledge?: (app: CommandApp, value: string) => Acknowledgement;
  /** For a form that shows what is stored. Within 1 s; else, and where it's undefined, `press` answers. */
  readonly formIn?: (app: CommandApp, value: string, who: Asker) => Promise<Form | undefined>;
  readonly press: (app: CommandApp, value: string, context: CommandContext) => Promise<CommandResult>;
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
