/** What Parley knows of Hindi words. */
import type { LanguageWords } from "./language-words.ts";

export const hi: LanguageWords = {
  name: "Hindi",
  questions: {
    words: "क्या, कब, कहाँ, कैसे, क्यों, कौन, कितना, कितने",
  },
};
