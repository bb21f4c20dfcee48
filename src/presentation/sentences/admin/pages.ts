/** Sentences of the pages for those who run Parley. */

export const adminSentences = {
  noRight: {
    what: "Your sign-in doesn't allow this page.",
    hint: "Ask the person who runs Parley to let you manage it.",
  },
  noPage: {
    what: "There is no such page.",
    hint: "Choose one on the left.",
  },
} as const;
