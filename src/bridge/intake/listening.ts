/**
 * Decides whether a message is meant for Parley. Pure and table-tested, because people hate nothing more than a bot
 * that butts into their conversations.
 */
import type { Mode } from "../../ports/model/place.ts";

export type Heard =
  | { readonly kind: "question" }
  /** Text that begins with "/" is never a question. */
  | { readonly kind: "command" }
  | { readonly kind: "ignore" };

export type Hearing = {
  readonly text: string;
  readonly mentionsParley: boolean;
  readonly addressesOthers: boolean;
  readonly isDirect: boolean;
  /** Of the channel's Binding. */
  readonly mode: Mode;
  /** The message is in a thread where Parley has answered before. */
  readonly isInOwnConversation: boolean;
};

export function hear(message: Hearing): Heard {
  const isAddressed = message.mentionsParley || message.isDirect;
  const isMeant =
    isAddressed ||
    message.mode === "channel" ||
    message.mode === "every" ||
    (message.mode === "thread" && message.isInOwnConversation && !message.addressesOthers);
  if (!isMeant) return { kind: "ignore" };
  if (!message.text.trimStart().startsWith("/")) return { kind: "question" };
  // Without a mention, text that begins with a slash is another bot's command, or a path.
  return isAddressed || message.isInOwnConversation ? { kind: "command" } : { kind: "ignore" };
}
