/** What other rooms know of commands: their definitions, who gave one, and what comes of it. */
import type { NamesInReach, RoleAnswer } from "./access.ts";
import type { Completion, Document } from "./document.ts";
import type { Actor, Attachment, Place, Role } from "./model/place.ts";
import type { ServiceOffer } from "./ports/agent-service.ts";

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

/** Who gave a command, and where. */
export type Asker = Pick<CommandContext, "actor" | "place">;

export type CommandContext = {
  readonly actor: Actor;
  readonly place: Place;
  /** Where a Conversation about it is, or would be. */
  readonly conversation: Place;
  readonly roles: RoleAnswer;
  readonly attachments: readonly Attachment[];
  /** Names that the last words of a command can refer to. Absent: all. */
  readonly reached?: NamesInReach;
  /** Unique per event; durable results (a Job) are claimed with it. */
  readonly eventKey: string;
};

/**
 * Only the person who gave the command sees it, so that commands don't fill the channel. Where nothing can be private,
 * everyone sees a document that `isForEveryone`, and nobody any other.
 */
export type CommandResult =
  | { readonly kind: "document"; readonly document: Document }
  /** Shown at once, then replaced by `result`. Never rejects. */
  | { readonly kind: "working"; readonly document: Document; readonly result: Promise<CommandResult> }
  /** It shows itself (a Job's message), or there is nothing to say. */
  | { readonly kind: "nothing" };
