/** What Parley knows of Thai words. */
import type { LanguageWords } from "./language-words.ts";

export const th: LanguageWords = {
  name: "Thai",
  questions: {
    anywhere: "อะไร, เมื่อไร, เมื่อไหร่, ที่ไหน, อย่างไร, ทำไม, เท่าไร, เท่าไหร่",
    endings: "ไหม",
  },
};
