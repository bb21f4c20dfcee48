/** What the bridge asks of the commands: to plan, check, run and complete them. The bridge shows results. */
import type { NamesInReach } from "../core/access.ts";
import type { Asker, CommandContext, CommandResult } from "../core/commands.ts";
import type { Choice, Document, FieldErrors, FormValues } from "../core/document.ts";
import type { Attachment, Role } from "../core/model/place.ts";
import type { Acknowledgement, CommandInput, CompletionQuery } from "../core/ports/chat-platform.ts";

export type AcknowledgeIn = (who: Asker) => Promise<Acknowledgement>;

/** What is known about a command without any I/O. */
export type CommandPlan = {
  readonly acknowledgement: Acknowledgement;
  /** The role it needs; the bridge refuses everyone else before it runs. */
  readonly role: Role;
  /**
   * Set where `acknowledgement` depends on what is stored for the place or the person; then it is only used if this
   * fails. Called for people who have the role.
   */
  readonly acknowledgeIn?: AcknowledgeIn;
  /** Set for /ask: the bridge journals this question before it acknowledges. */
  readonly question?: { readonly text: string; readonly agent?: string };
};

/** What the name of a command decides, before anything else of it is read. */
export type NamedCommand = {
  /** The least that anyone needs who gives it; an option can need more. */
  readonly role: Role;
  /** /ask, which has the limit of questions instead of that of commands. */
  readonly asks?: true;
};

/** What goes with the question of a form: the context ("" when nothing is known), and who is asked. */
export type AskedWith =
  | {
      readonly kind: "ask";
      readonly context: string;
      /** As typed in an option. Absent: the channel's. */
      readonly agent?: string;
    }
  /** The question isn't asked. */
  | { readonly kind: "refused"; readonly document: Document };

/** A question that a button asks, like one that was typed. */
export type AskedByButton =
  | {
      readonly kind: "ask";
      readonly question: string;
      /** As typed in an option. Absent: the channel's. */
      readonly agent?: string;
      readonly attachments: readonly Attachment[];
    }
  | { readonly kind: "refused"; readonly document: Document };

/** What a person tried to do. */
export type Attempt =
  | { readonly kind: "command"; readonly input: CommandInput }
  | { readonly kind: "form"; readonly formId: string }
  | { readonly kind: "action"; readonly action: string; readonly value: string }
  | { readonly kind: "save" };

/** A command typed without a slash, after a mention or in a direct message. */
export type SpokenCommand = {
  /** As if it had been typed with the slash. */
  readonly input: Extract<CommandInput, { kind: "typed" }>;
  /** It changes something, so it asks first. */
  readonly isChange: boolean;
};

export type Commands = {
  /** Pure, and as quick for a long text as for a short one. */
  readonly named: (input: CommandInput) => NamedCommand;
  /** Pure and quick. An input that cannot be parsed gets a plan whose private answer says so. */
  readonly plan: (input: CommandInput, reached?: NamesInReach) => CommandPlan;
  readonly run: (input: CommandInput, context: CommandContext) => Promise<CommandResult>;
  /** Pure. Undefined: the text is a question. */
  readonly spoken: (text: string, reached?: NamesInReach) => SpokenCommand | undefined;
  /** `errors` keep the form open. Decides without slow I/O (well under 2 s). */
  readonly checkForm: (
    formId: string,
    values: FormValues,
    formContext: string,
    context: CommandContext,
  ) => Promise<FieldErrors | undefined>;
  readonly submitForm: (
    formId: string,
    values: FormValues,
    formContext: string,
    context: CommandContext,
  ) => Promise<CommandResult>;
  /** What goes with the question of such a form; undefined for every other form. Within 1 s. */
  readonly askedWith: (formId: string, formContext: string, context: CommandContext) => Promise<AskedWith | undefined>;
  /** The role that a form of the commands needs. */
  readonly roleOfForm: (formId: string) => Role;
  readonly planAction: (
    action: string,
    value: string,
  ) => Pick<CommandPlan, "acknowledgement" | "acknowledgeIn" | "role">;
  /** The question that a button asks; undefined for every other button. Within 1 s. */
  readonly askedByButton: (
    action: string,
    value: string,
    context: CommandContext,
  ) => Promise<AskedByButton | undefined>;
  readonly pressAction: (action: string, value: string, context: CommandContext) => Promise<CommandResult>;
  /** Records in the audit log that the actor lacks the role. Never rejects. */
  readonly refused: (
    attempt: Attempt,
    role: Exclude<Role, "ask">,
    context: Pick<CommandContext, "actor" | "place">,
  ) => Promise<void>;
  readonly complete: (query: CompletionQuery) => Promise<readonly Choice[]>;
  /** The agent that a message addresses ("sales, how many?"). From memory; only `agents` count if given. */
  readonly addressee: (
    text: string,
    agents?: readonly string[],
  ) => { readonly agent: string; readonly text: string } | undefined;
};
