/** What Parley knows of Russian words. */
import type { LanguageWords } from "./language-words.ts";

export const ru: LanguageWords = {
  name: "Russian",
  questions: {
    firstWords: `
      что, кто, когда, где, куда, откуда, почему, зачем, как, какой, какая, какое, какие, сколько, чей, можно, есть, ли
    `,
    openers: "привет, а, и",
    manners: "как дела",
    words: "кто, что, где, куда, откуда, когда, почему, зачем, как, какой, какая, какие, какое, сколько, чей",
    openings: "можно ли, есть ли, нужно ли",
    remarks: "как всегда, как здорово",
    beforehand: "привет, и, а, но",
  },
};
