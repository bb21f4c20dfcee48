/**
 * Decides whether a message is meant for Parley, and whether it wants an answer. Pure and table-tested, because people
 * hate nothing more than a bot that butts into their conversations. docs/listening.md is generated from its table.
 */
import type { Mode } from "../../core/model/place.ts";
import { asksPeople } from "../overheard/asks-people.ts";
import { beginsLikeQuestion } from "../overheard/question-words.ts";
import type { SpokenTo } from "../overheard/spoken-to.ts";
import { isRhetorical, isTakenBack, pleasantryOf } from "./pleasantries.ts";
import { asksSomething } from "./question-marks.ts";

export type Heard =
  /**
   * `isQuiet`: overheard. Nothing is shown while it works, and only a sure answer is posted. `isUnknown`: no knowledge
   * covers it, so that it is kept without a run.
   */
  | { readonly kind: "question"; readonly isQuiet: boolean; readonly isUnknown?: true }
  /** Text that begins with "/" is never a question. */
  | { readonly kind: "command" }
  /** Gets a reaction, and nothing else. */
  | { readonly kind: "thanks" }
  /** `overheard`: a line to nobody that Parley listens to, and why it keeps quiet. */
  | { readonly kind: "ignore"; readonly overheard?: "named" | "statement" | "unknown" };

/** What was said in the Conversation so far. */
export type Talk = {
  /** Whether its author has asked Parley there. */
  readonly hasAsked: boolean;
  /** Nobody else has written there but Parley. */
  readonly isAlone?: true;
  /** Parley's last answer there: how long ago, how many messages of people ago, and whether it ended with a question. */
  readonly sinceAnswer?: { readonly ms: number; readonly messages: number; readonly asks: boolean };
  /** Titles and URLs of what that answer rested on. */
  readonly lastSources?: readonly string[];
};

export type Hearing = Talk & {
  readonly text: string;
  readonly hasFiles: boolean;
  /** Or replies to a message of Parley's. */
  readonly mentionsParley: boolean;
  readonly addressesOthers: boolean;
  /** The person that its words are for, or about. */
  readonly spokenTo?: SpokenTo | undefined;
  /** It names people besides Parley, and says nothing else. */
  readonly isOnlyNames?: true;
  readonly isDirect: boolean;
  /** Of the channel's Binding. */
  readonly mode: Mode;
  /** The message is in a thread where Parley has answered before. */
  readonly isInOwnConversation: boolean;
};

/** How long after an answer a short reply in its thread is still one to Parley. */
export const recentMs = 30 * 60_000;
export const recentMessages = 20;
/** "the second one", "for two adults". */
const maxReplyWords = 5;

const question: Heard = { kind: "question", isQuiet: false };
const overheard: Heard = { kind: "question", isQuiet: true };
const ignore: Heard = { kind: "ignore" };

function isRecent({ sinceAnswer }: Talk): boolean {
  return sinceAnswer !== undefined && sinceAnswer.ms <= recentMs && sinceAnswer.messages < recentMessages;
}

/** The first message after an answer is about it; later ones are among people. */
function isNext(talk: Talk): boolean {
  return isRecent(talk) && talk.sinceAnswer?.messages === 0;
}

/** "Which one do you mean?" "The second one". */
function isReply(message: Hearing): boolean {
  const isShort = message.text.trim().split(/\s+/).length <= maxReplyWords;
  return isShort && message.hasAsked && message.sinceAnswer?.asks === true && isNext(message);
}

export function hear(message: Hearing): Heard {
  const { text, mode, hasAsked } = message;
  if (message.isOnlyNames === true && !message.hasFiles) return ignore;
  const isAddressed = message.mentionsParley || message.isDirect;
  const addressesOthers = message.addressesOthers || message.spokenTo === "addressed";
  const isInItsThread = message.isInOwnConversation && mode !== "mention" && !addressesOthers;
  // Without a mention, text that begins with a slash is another bot's command, or a path.
  if (text.trimStart().startsWith("/")) return isAddressed || isInItsThread ? { kind: "command" } : ignore;

  const pleasantry = message.hasFiles ? undefined : pleasantryOf(text);
  if (pleasantry !== undefined) {
    const isToParley =
      isAddressed || (mode === "every" && !addressesOthers) || (isInItsThread && (hasAsked || isNext(message)));
    if (!isToParley) return ignore;
    // "Should I look further?" "Yes". Later, in a thread where people talk, it is a reply to someone else.
    const isReplying = hasAsked && message.sinceAnswer?.asks === true && (isAddressed || isRecent(message));
    if (isReplying) return question;
    return pleasantry === "thanks" ? { kind: "thanks" } : ignore;
  }

  if (isAddressed) return question;
  if (isRhetorical(text)) return ignore;
  const isForParley = mode === "every" || (isInItsThread && (message.isAlone === true || isReply(message)));
  const isNamed = message.addressesOthers || message.spokenTo !== undefined;
  if (isForParley && !(isNamed && mode === "every")) return question;
  const isHeard = mode === "channel" || mode === "every" || (mode === "thread" && message.isInOwnConversation);
  if (!isHeard) return ignore;
  if (isNamed) return { kind: "ignore", overheard: "named" };
  if (!asksSomething(text) && !beginsLikeQuestion(text)) return { kind: "ignore", overheard: "statement" };
  if (asksPeople(text)) return { kind: "ignore", overheard: "named" };
  return isTakenBack(text) ? ignore : overheard;
}
