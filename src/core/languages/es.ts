/** What Parley knows of Spanish words. */
import type { LanguageWords } from "./language-words.ts";

export const es: LanguageWords = {
  name: "Spanish",
  questions: {
    firstWords: `
      que, quien, quienes, cuando, donde, adonde, cual, cuales, cuanto, cuanta, cuantos, cuantas, como, por, puede,
      puedo, hay, es, son
    `,
    openers: "hola, buenos, dias, y, entonces",
    manners: "que tal, como esta, como estas",
    words: "quién, quiénes, qué, cuándo, dónde, adónde, cómo, cuánto, cuánta, cuántos, cuántas, cuál, cuáles, por qué",
    openings: "hay, puedo, se puede, alguien sabe",
    remarks: "qué bien, qué pena, qué bueno, como siempre",
    beforehand: "hola, y, pero",
  },
};
