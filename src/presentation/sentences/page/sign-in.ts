/** What Parley's own page says to people who sign in, or can't. */
export const signInSentences = {
  wrongToken: "Wrong token. Ask your Parley admin.",
  tooManyTokens: "Too many wrong tokens. Wait a minute, then try again.",
  longToken: "That token is too long.",
  signedIn: "You're signed in.",
  signedOut: "You're signed out.",
  notSignedOut: "Parley can't reach its storage, so you are still signed in. Try again in a moment.",
  noStorage: "Parley can't reach its storage, so it can't tell who you are. Try again in a moment.",
  noProvider: (provider: string) =>
    `${provider} doesn't answer, so nobody can sign in there. Try again in a moment. People who are signed in stay signed in.`,
  refused: (provider: string) => `${provider} didn't let you sign in. Try again, or ask its admin.`,
  staleAttempt: "This sign-in has expired, or began in another browser. Sign in again.",
  misfit: (provider: string) => `The answer from ${provider} doesn't match this sign-in. Sign in again.`,
  wrongClient: (provider: string) =>
    `${provider} refuses Parley's client ID or secret, so nobody can sign in there now. Tell your Parley admin.`,
  wrongClock: (provider: string) =>
    `Parley's clock differs too much from the clock of ${provider}, so nobody can sign in there now. Tell your Parley admin.`,
  noUser: "The proxy in front of Parley didn't say who you are. Ask your Parley admin.",
  oddUser: "The proxy in front of Parley sent a user name that Parley doesn't accept. Ask your Parley admin.",
  forgedUser: "This request names its user, but it didn't come through a trusted proxy.",
  foreignOrigin:
    "Another site sent this request. If it is Parley's own page behind a proxy, set PUBLIC_URL to its address.",
  foreignHost:
    "Parley isn't known under this name. Open it at its usual address, or ask your Parley admin: the proxy must pass on the Host of PUBLIC_URL.",
  noAccess: "Your sign-in doesn't let you use this Parley.",
  signInAgain: "Sign in again. What you typed is saved.",
} as const;
