/** What Parley knows of Japanese words. */
import type { LanguageWords } from "./language-words.ts";

export const ja: LanguageWords = {
  name: "Japanese",
  questions: {
    anywhere: "いつ, どこ, どう, なぜ, いくら, 何時, 何人, 何日, 何が, 何を, 何で",
    endings: "ですか, ますか",
  },
};
