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
