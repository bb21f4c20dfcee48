/** What Parley knows of Italian words. */
import type { LanguageWords } from "./language-words.ts";

export const it: LanguageWords = {
  name: "Italian",
  questions: {
    firstWords: "che, chi, cosa, dove, come, perche, quanti, quante, puo, posso, ce, sono",
    openers: "ciao, buongiorno",
    manners: "come stai, come va",
    words: "chi, che cosa, cosa, dove, perché, come, quanti, quante, quale, quali",
    openings: "c è, si può, qualcuno sa",
    remarks: "che bello, come sempre",
    beforehand: "ciao, ma",
  },
};
