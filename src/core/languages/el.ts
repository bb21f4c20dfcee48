/** What Parley knows of Greek words. */
import type { LanguageWords } from "./language-words.ts";

export const el: LanguageWords = {
  name: "Greek",
  questions: {
    words: "ποιος, ποια, ποιο, τι, πότε, πού, γιατί, πώς, πόσο, πόσα",
  },
};
