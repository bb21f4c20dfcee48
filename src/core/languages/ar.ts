/** What Parley knows of Arabic words. */
import type { LanguageWords } from "./language-words.ts";

export const ar: LanguageWords = {
  name: "Arabic",
  questions: {
    words: "هل, متى, أين, كيف, لماذا, ماذا, كم, من, ما",
  },
};
