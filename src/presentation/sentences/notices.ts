/** Small notices. */
export const noticeSentences = {
  notInChannel: {
    what: "I'm not in this channel yet.",
    hint: "Type /invite and choose me, then ask again.",
  },
  notInDirectMessage: {
    what: "I can't read or write here.",
    hint: "Ask me in a direct message, or in a channel that I'm in.",
  },
  formTooLate: { what: "The form couldn't be opened in time.", hint: "Please try again." },
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
  tooLongToShow: "Too long to show here. Leave it empty to keep it unchanged.",
  others: (label: string): string => beforeNoun("Other", label),
  othersHint: "Separated by commas",
  other: (label: string): string => beforeNoun("Another", label),
  otherHint: "Counts instead of the choice above",
  closed: {
    what: "This form was already sent, or has expired.",
    hint: "If nothing came of it, open it again.",
  },
} as const;

/** Why a file could not be read. */
export const fileSentences = {
  unreadable: (why: string): string => `The file couldn't be read: ${why}.`,
  attachAgain: "Attach it again.",
  elsewhere: (platform: string): string => `it isn't stored on ${platform}`,
  answered: (platform: string, status: number): string => `${platform} returned an error (${status})`,
} as const;

/** Sentences for platforms that lack something: what can't be done there, and where it can. */
export const fallbackSentences = {
  noForms: {
    what: "That needs a form, and there are no forms here.",
    hint: "Do it on Parley's own page, or in another chat that Parley is connected to.",
  },
  notPrivate: {
    what: "I can only answer that privately, and there are no private messages here.",
    hint: "Ask on Parley's own page, or in another chat that Parley is connected to.",
  },
} as const;
