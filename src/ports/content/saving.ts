/** The port to saving messages to a knowledge base, by shortcut or reaction. */
import type { MessageRef } from "../chat-platform.ts";
import type { CommandContext, CommandResult } from "../commands.ts";
import type { Document, Form } from "../document.ts";
import type { Attachment } from "../model/place.ts";

export type SaveAbout = MessageRef & {
  /** Untrusted. */
  readonly authorName: string;
  readonly text: string;
};

export type Saving = {
  /** Whether that reaction saves; `emoji` as adapters pass it. */
  readonly isSaveMark: (emoji: string) => boolean;
  /** The form that the shortcut opens, prefilled; else a document that says why not. Within 2 s. */
  readonly openForm: (
    about: SaveAbout,
    context: CommandContext,
  ) => Promise<
    { readonly kind: "form"; readonly form: Form } | { readonly kind: "document"; readonly document: Document }
  >;
  /**
   * Asks whether to save the files of a message, for everyone there; `base`: as typed. Stored, so that the button works
   * after a restart. Within 2 s.
   */
  readonly offerFiles: (
    files: readonly Attachment[],
    base: string | undefined,
    context: CommandContext,
  ) => Promise<Document>;
  /** Saves the message with its thread to the channel's default knowledge base. */
  readonly saveMarked: (message: MessageRef, context: CommandContext) => Promise<CommandResult>;
};
