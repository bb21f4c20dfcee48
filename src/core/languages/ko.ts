/** What Parley knows of Korean words. */
import type { LanguageWords } from "./language-words.ts";

export const ko: LanguageWords = {
  name: "Korean",
  questions: {
    anywhere: "언제, 어디, 어떻게, 누구, 얼마, 왜",
    endings: "나요, 까요, 습니까, ㅂ니까",
  },
};
