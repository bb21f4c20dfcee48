/**
 * Decides whether a message is meant for Parley, and whether it wants an answer. Pure and table-tested, because people
 * hate nothing more than a bot that butts into their conversations. docs/listening.md is generated from its table.
 */
import type { Mode } from "../../ports/model/place.ts";
import { asksSomething } from "./question-marks.ts";
import { smallTalkOf } from "./small-talk.ts";

export type Heard =
  /**
   * `isQuiet`: asked of nobody in particular, so only an answer that rests on something is shown.
   * `isOverheard`: asked soon after an answer, perhaps of someone else, so its author hasn't asked Parley.
   */
  | { readonly kind: "question"; readonly isQuiet: boolean; readonly isOverheard?: true }
  /** Text that begins with "/" is never a question. */
  | { readonly kind: "command" }
  /** Gets a reaction, and nothing else. */
  | { readonly kind: "thanks" }
  | { readonly kind: "ignore" };

/** What was said in the Conversation so far. */
export type Talk = {
  /** Whether its author has asked Parley there. */
  readonly hasAsked: boolean;
  /** Parley's last answer there: how long ago, how many messages of people ago, and whether it ended with a question. */
  readonly sinceAnswer?: { readonly ms: number; readonly messages: number; readonly asks: boolean };
};

export type Hearing = Talk & {
  readonly text: string;
  readonly hasFiles: boolean;
  readonly mentionsParley: boolean;
  readonly addressesOthers: boolean;
  /** It names people besides Parley, and says nothing else. */
  readonly isOnlyNames?: true;
  readonly isDirect: boolean;
  /** Of the channel's Binding. */
  readonly mode: Mode;
  /** The message is in a thread where Parley has answered before. */
  readonly isInOwnConversation: boolean;
};

/** How long after an answer a question of someone else in its thread is still meant for Parley. */
export const recentMs = 30 * 60_000;
export const recentMessages = 20;

const question: Heard = { kind: "question", isQuiet: false };
const overheard: Heard = { kind: "question", isQuiet: false, isOverheard: true };
const ignore: Heard = { kind: "ignore" };

function isRecent({ sinceAnswer }: Talk): boolean {
  return sinceAnswer !== undefined && sinceAnswer.ms <= recentMs && sinceAnswer.messages < recentMessages;
}

/** The first message after an answer is about it; later ones are among people. */
function isNext(talk: Talk): boolean {
  return isRecent(talk) && talk.sinceAnswer?.messages === 0;
}

export function hear(message: Hearing): Heard {
  const { text, mode, addressesOthers, hasAsked } = message;
  if (message.isOnlyNames === true && !message.hasFiles) return ignore;
  const isAddressed = message.mentionsParley || message.isDirect;
  const isInItsThread = message.isInOwnConversation && mode !== "mention" && !addressesOthers;
  // Without a mention, text that begins with a slash is another bot's command, or a path.
  if (text.trimStart().startsWith("/")) return isAddressed || isInItsThread ? { kind: "command" } : ignore;

  const smallTalk = message.hasFiles ? undefined : smallTalkOf(text);
  if (smallTalk !== undefined) {
    const isToParley =
      isAddressed || (mode === "every" && !addressesOthers) || (isInItsThread && (hasAsked || isNext(message)));
    if (!isToParley) return ignore;
    // "Should I look further?" "Yes". Later, in a thread where people talk, it is a reply to someone else.
    const isReply = hasAsked && message.sinceAnswer?.asks === true && (isAddressed || isRecent(message));
    if (isReply) return question;
    return smallTalk === "thanks" ? { kind: "thanks" } : ignore;
  }

  if (isAddressed || mode === "every") return question;
  if (addressesOthers) return ignore;
  const asks = asksSomething(text);
  if (isInItsThread && hasAsked) return question;
  if (isInItsThread && asks && isRecent(message)) return overheard;
  return mode === "channel" && asks ? { kind: "question", isQuiet: true } : ignore;
}
