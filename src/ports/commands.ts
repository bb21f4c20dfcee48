/**
 * The port to the commands: what the bridge needs of src/commands to acknowledge, check, run and complete them.
 * The bridge sends what comes back; a command never writes to a platform by itself.
 */

import type { NamesInReach, RoleAnswer } from "./access.ts";
import type { Acknowledgement, CompletionQuery } from "./chat-platform.ts";
import type { Choice, Document, FieldErrors, FormValues } from "./document.ts";
import type { Actor, Attachment, Place, Role } from "./model/place.ts";

export type CommandInput =
  | { readonly kind: "typed"; readonly text: string }
  | { readonly kind: "structured"; readonly path: string; readonly options: Readonly<Record<string, string>> };

/** What can be said of a command without any I/O. */
export type CommandPlan = {
  readonly acknowledgement: Acknowledgement;
  /** The role it needs; the bridge refuses others before it runs. */
  readonly role: Role;
  /** Set for /ask: the bridge journals this question before it acknowledges. */
  readonly question?: { readonly text: string; readonly agent?: string };
};

export type CommandContext = {
  readonly actor: Actor;
  readonly place: Place;
  /** Where a Conversation about it is, or would be. */
  readonly conversation: Place;
  readonly roles: RoleAnswer;
  readonly attachments: readonly Attachment[];
  /** Names that words at the end of a command may stand for. Absent: all. */
  readonly reached?: NamesInReach;
  /** Unique per event: what is made durable (a Job) is claimed with it. */
  readonly eventKey: string;
};

export type CommandResult =
  | { readonly kind: "document"; readonly document: Document; readonly visibility: "private" | "public" }
  /** Shown at once, and replaced by what `result` becomes. Never rejects. */
  | {
      readonly kind: "working";
      readonly document: Document;
      readonly visibility: "private" | "public";
      readonly result: Promise<CommandResult>;
    }
  /** It shows itself (a Job's message), or there is nothing to say. */
  | { readonly kind: "nothing" }
  /** A question to be asked on behalf of the actor ("Ask about it"). */
  | { readonly kind: "question"; readonly text: string; readonly agent?: string };

/** What somebody wanted to do. */
export type Attempt =
  | { readonly kind: "command"; readonly input: CommandInput }
  | { readonly kind: "form"; readonly formId: string }
  | { readonly kind: "action"; readonly action: string; readonly value: string }
  | { readonly kind: "save" };

export type Commands = {
  /** Pure and quick. What cannot be understood is planned as a private answer that says so. */
  readonly plan: (input: CommandInput, reached?: NamesInReach) => CommandPlan;
  readonly run: (input: CommandInput, context: CommandContext) => Promise<CommandResult>;
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
  /** Of a form that asks a question: what the agent is told beside it. Undefined for every other form. Within 1 s. */
  readonly askedWith: (formId: string, formContext: string, context: CommandContext) => Promise<string | undefined>;
  /** The role a form or button of the commands needs. */
  readonly roleOfForm: (formId: string) => Role;
  readonly planAction: (
    action: string,
    value: string,
  ) => { readonly acknowledgement: Acknowledgement; readonly role: Role };
  readonly pressAction: (action: string, value: string, context: CommandContext) => Promise<CommandResult>;
  /** Writes down that the actor has not the role for it. Never rejects. */
  readonly refused: (
    attempt: Attempt,
    role: Exclude<Role, "ask">,
    context: Pick<CommandContext, "actor" | "place">,
  ) => Promise<void>;
  readonly complete: (query: CompletionQuery) => Promise<readonly Choice[]>;
  /**
   * Whom a message means that begins with an agent's name ("sales, how many?"), and what is asked. From memory; `agents`:
   * only these count.
   */
  readonly addressee: (
    text: string,
    agents?: readonly string[],
  ) => { readonly agent: string; readonly text: string } | undefined;
};
