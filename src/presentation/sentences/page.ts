/** Sentences of the pages for those who run Parley. */

export const adminSentences = {
  notHere: {
    what: "That can't be done from here.",
    hint: "Do it in the chat where it belongs.",
  },
  noGap: {
    what: "This question is no longer in the list, or it isn't yours to read.",
    hint: "Go back to all gaps.",
  },
  noBase: {
    what: "There is no such knowledge base.",
    hint: "It may have been deleted or renamed.",
  },
  notServed: {
    what: "Parley doesn't serve that workspace or server.",
    hint: "Add it to WORKSPACES and restart Parley. Until then, what is set there has no effect.",
  },
  noSuchPlace: {
    what: "Parley isn't connected to that place.",
    hint: "Its platform may be off, or Parley was removed there. Otherwise reload the page and try again.",
  },
  noRight: {
    what: "Your sign-in doesn't allow this page.",
    hint: "Ask the person who runs Parley to let you manage it.",
  },
  noQuestion: {
    what: "There is no question with that reference.",
    hint: "It may be older than RETENTION_DAYS, or its conversation was forgotten.",
  },
  noFilter: {
    what: "This list can't be filtered like that.",
    hint: "Remove the filters and choose them again.",
  },
  noStep: {
    what: "That step can't be shown.",
    hint: "Open the question again.",
  },
  noWork: {
    what: "This task is no longer among those that failed.",
    hint: "It was retried or deleted meanwhile. Reload the page.",
  },
  noInstall: {
    what: "That workspace no longer has the app.",
    hint: "Reload the page.",
  },
  noPerson: {
    what: "A person is written as platform:workspace/id.",
    hint: "For example slack:T1/U123.",
  },
  noPage: {
    what: "This page doesn't exist.",
    hint: "Choose one in the menu.",
  },
} as const;

/** What Parley's own page says to people who sign in, or can't. */
export const signInSentences = {
  signedOut: "You're signed out.",
  signInAgain: "Sign in again. What you typed is saved.",
} as const;
