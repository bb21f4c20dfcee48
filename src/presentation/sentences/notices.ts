/** Sentences that only chat platforms need: missing permissions, forms, files and private replies. */
import type { Inline } from "../../ports/document.ts";
import { bold, say } from "../drawing/inline.ts";
import { numberText } from "./quantities.ts";
import { shorten } from "./step-words.ts";

/** Small notices. */
export const noticeSentences = {
  empty: "Nothing.",
  notInChannel: {
    what: "I'm not in this channel yet.",
    hint: "Type /invite and choose me, then ask again.",
  },
  notInDirectMessage: {
    what: "I can't read or write here.",
    hint: "Ask me in a direct message, or in a channel that I'm in.",
  },
  /** `rights`: what Parley lacks there, as the platform calls it. */
  notPermitted: (rights: string) => ({
    what: "I don't have permission to post in the channel where you asked.",
    hint: `Ask an admin to give me ${rights} there, then ask again.`,
  }),
  noDirectMessages: "That person doesn't accept direct messages from Parley.",
  inviteFirst: "Invite it to the channel first, with /invite.",
  /** The author of an agent's answer, where a message can have a name of its own. */
  byline: (agent: string): string => `${shorten(agent, 60)} (Parley)`,
  formTooLate: { what: "The form couldn't be opened in time.", hint: "Please try again." },
} as const;

/** A private reply that only one person can open, with a button. */
export const privateSentences = {
  forOne: "Only ",
  alone: " can open this reply.",
  show: "Open",
  notYours: { what: "That reply is for someone else.", hint: "Run the command yourself to get one." },
  gone: { what: "That reply has expired.", hint: "Run the command again to get a new one." },
} as const;

/** A reply that Discord delivered without its text. */
export const unreadableReply = {
  what: "I can't read this reply: Discord only shows me messages that mention me.",
  hint: "Reply with the mention turned on (@ ON), or start your message with my name.",
} as const;

/** "Other knowledge bases", "Advanced: Another provider". "API keys" keep their capitals. */
function beforeNoun(word: string, label: string): string {
  const prefix = label.slice(0, label.lastIndexOf(": ") + 1);
  const noun = label.slice(prefix.length).trim();
  const lower = /^\p{Lu}\p{Ll}/u.test(noun) ? noun.charAt(0).toLowerCase() + noun.slice(1) : noun;
  return `${prefix} ${word} ${lower}`.trim();
}

/** Forms as dialogs. */
export const dialogSentences = {
  cancel: "Cancel",
  tooLongToShow: "Too long to show here. Leave it empty to keep it unchanged.",
  others: (label: string): string => beforeNoun("Other", label),
  othersHint: "Separated by commas",
  other: (label: string): string => beforeNoun("Another", label),
  otherHint: "Counts instead of the choice above",
  separated: "Separated by commas",
  /** For an entry that is no known name. */
  useTyped: (typed: string): string => `Use “${typed}”`,
  range: (from: number, to: number): string => `${numberText(from)} to ${numberText(to)}`,
  wrong: "Some fields need another look.",
  correct: "Edit and retry",
  fieldError: (label: string, error: string): Inline => say`${bold(label)}: ${error}`,
  stepDone: (title: string, step: number, steps: number): Inline => say`${bold(title)} · step ${step} of ${steps} done`,
  next: (labels: readonly string[]): string => `Next: ${labels.join(", ")}. Nothing is saved until the last step.`,
  continueTitle: (title: string): string => `${title}: continue`,
  continue: "Continue",
  closed: {
    what: "This form was already sent, or has expired.",
    hint: "If nothing came of it, open it again.",
  },
} as const;

/** Why a file could not be read. */
export const fileSentences = {
  unreadable: (why: string): string => `The file couldn't be read: ${why}.`,
  attachAgain: "Attach it again.",
  tellAdmin: "Tell your Parley admin.",
  elsewhere: (platform: string): string => `it isn't stored on ${platform}`,
  expired: "its link has expired",
  answered: (platform: string, status: number): string => `${platform} returned an error (${status})`,
  tooLarge: (platform: string): string => `it's larger than ${platform} said`,
  noScope: (scope: string): string => `the app lacks the scope ${scope}`,
  removed: "it was removed",
} as const;

/** Why a file can't be attached on the page. */
export const uploadSentences = {
  empty: (name: string): string => `“${name}” is empty.`,
  emptyHint: "Attach a file with something in it.",
  tooLarge: (name: string, megabytes: number): string => `“${name}” is larger than ${megabytes} MB.`,
  tooLargeHint: "Attach a smaller file, or only the part that matters.",
  tooManyOfPerson: (count: number): string => `${numberText(count)} of your files are already stored here.`,
  tooMuchOfPerson: (megabytes: number): string => `Your files here may take up ${numberText(megabytes)} MB together.`,
  fullHint: "Delete questions whose files you no longer need. Files that you didn't send are removed within a day.",
  full: (megabytes: number): string =>
    `There is no room for more files: all of them together may take up ${numberText(megabytes)} MB.`,
  fullForGuests: (megabytes: number): string =>
    `There is no room for more files from guests: with theirs, all files may take up ${numberText(megabytes)} MB.`,
  fullForAllHint: "Delete questions whose files you no longer need, or tell your Parley admin.",
  tooManyAtOnce: (count: number): string => `${numberText(count)} files are already being uploaded from here.`,
  soonHint: "Wait until one of them is uploaded.",
  brokenOff: (name: string): string => `The upload of “${name}” broke off.`,
  largerThanAnnounced: (name: string): string => `“${name}” changed while it was uploaded.`,
  gone: "An attached file is no longer stored here.",
  goneHint: "Attach it again, then send.",
} as const;
