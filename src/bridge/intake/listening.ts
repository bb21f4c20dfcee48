/**
 * Is a message meant for Parley? Pure, so that the one thing people hate most, a bot that talks into
 * human conversations, is decided in one table-tested place.
 */
import type { Mode } from "../../ports/model/place.ts";

export type Heard =
  | { readonly kind: "question" }
  /** Words that begin with "/" are never a question. */
  | { readonly kind: "command" }
  | { readonly kind: "ignore" };

export type Hearing = {
  readonly text: string;
  readonly mentionsParley: boolean;
  readonly addressesOthers: boolean;
  readonly isDirect: boolean;
  /** Of the channel's Binding. */
  readonly mode: Mode;
  /** The message stands in a thread where Parley has answered before. */
  readonly isInOwnConversation: boolean;
};

export function hear(message: Hearing): Heard {
  const isAddressed = message.mentionsParley || message.isDirect;
  const isMeant =
    isAddressed ||
    message.mode === "channel" ||
    (message.mode === "thread" && message.isInOwnConversation && !message.addressesOthers);
  if (!isMeant) return { kind: "ignore" };
  if (!message.text.trimStart().startsWith("/")) return { kind: "question" };
  // Unaddressed words with a slash are some other bot's command, or a path.
  return isAddressed || message.isInOwnConversation ? { kind: "command" } : { kind: "ignore" };
}
