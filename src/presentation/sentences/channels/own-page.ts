/** What Parley's own page says about its conversations and channels. */

export const talkSentences = {
  channelName: {
    empty: "Write a name.",
    taken: "There is a channel with this name already.",
    "too-many": "There are 100 channels already. Remove one first.",
  },
  lastChannel: { what: "This is the only channel.", hint: "Make another one first." },
} as const;
