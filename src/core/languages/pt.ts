/** What Parley knows of Portuguese words. */
import type { LanguageWords } from "./language-words.ts";

export const pt: LanguageWords = {
  name: "Portuguese",
  questions: {
    firstWords: "quem, quando, onde, qual, quais, quanto, quanta, quantos, quantas, pode, posso, tem, ha",
    openers: "ola, bom, dia, e",
    manners: "tudo bem, como vai",
    words: "quem, quê, quando, onde, aonde, como, quanto, quanta, quantos, quantas, qual, quais, por que",
    openings: "tem, posso, alguém sabe",
    remarks: "como sempre",
    beforehand: "olá, oi, e, mas",
  },
};
