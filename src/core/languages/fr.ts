/** What Parley knows of French words. */
import type { LanguageWords } from "./language-words.ts";

export const fr: LanguageWords = {
  name: "French",
  questions: {
    firstWords: `
      quoi, que, qui, quand, ou, pourquoi, comment, combien, quel, quelle, quels, quelles, est, sont, peut, peux, puis,
      puisje, faut, doit
    `,
    openers: "bonjour, salut, et, alors",
    manners: "ca va, comment ca va, comment vas tu, comment allez vous",
    words: "qui, quand, où, pourquoi, comment, combien, quel, quelle, quels, quelles, lequel, laquelle",
    openings: "est ce, y a, peut on, puis je, a t, faut il",
    remarks: "quelle chance, quel dommage",
    beforehand: "salut, bonjour, et, mais",
  },
};
