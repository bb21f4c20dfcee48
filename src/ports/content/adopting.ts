/** The port to using a person's message as the answer to a question: by shortcut, by reaction, or offered to its author. */
import type { MessageRef, ThreadMessage } from "../chat-platform.ts";
import type { CommandContext, CommandResult } from "../commands.ts";
import type { Document, Form } from "../document.ts";
import type { Place } from "../model/place.ts";

/** A message, with its thread in `place` if it is in one. */
export type AdoptedMessage = MessageRef &
  Pick<ThreadMessage, "authorName" | "authorId" | "isBot" | "order" | "atMs" | "text">;

export type Adopting = {
  /** Whether that reaction uses a message as an answer; `emoji` as adapters pass it. */
  readonly isAnswerMark: (emoji: string) => boolean;
  /** Whether Parley has answered there, so that a message may answer it better. From the store alone. */
  readonly hasAnswered: (place: Place) => Promise<boolean>;
  /** The form that the shortcut opens, prefilled; else a document that says why not. Within 2 s. */
  readonly openForm: (
    message: AdoptedMessage,
    context: CommandContext,
  ) => Promise<
    { readonly kind: "form"; readonly form: Form } | { readonly kind: "document"; readonly document: Document }
  >;
  /** What the reaction would add, with a button that adds it; nothing if the message can't answer anything. */
  readonly show: (message: MessageRef, context: CommandContext) => Promise<CommandResult>;
  /**
   * What its author reads below a bad answer, once for each question and person. Stored before it is returned.
   * Undefined: nothing is offered. From the store alone.
   */
  readonly offer: (message: AdoptedMessage, turnId: string, context: CommandContext) => Promise<Document | undefined>;
};
