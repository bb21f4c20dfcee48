/**
 * The port to saving what was said: the shortcut "Save to knowledge base" and the reaction that does the same.
 */

import type { MessageRef } from "./chat-platform.ts";
import type { CommandContext, CommandResult } from "./commands.ts";
import type { Document, Form } from "./document.ts";

export type SaveAbout = MessageRef & {
  /** Untrusted. */
  readonly authorName: string;
  readonly text: string;
};

export type Saving = {
  /** Whether that reaction saves; `emoji` as adapters give it. */
  readonly isSaveMark: (emoji: string) => boolean;
  /** The form that the shortcut opens, filled in so that it works unchanged; else what stands in the way. Within 2 s. */
  readonly openForm: (
    about: SaveAbout,
    context: CommandContext,
  ) => Promise<
    { readonly kind: "form"; readonly form: Form } | { readonly kind: "document"; readonly document: Document }
  >;
  /** Saves the message with its thread, where the channel's things go. */
  readonly saveMarked: (message: MessageRef, context: CommandContext) => Promise<CommandResult>;
};
