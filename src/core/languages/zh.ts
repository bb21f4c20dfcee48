/** What Parley knows of Chinese words. */
import type { LanguageWords } from "./language-words.ts";

export const zh: LanguageWords = {
  name: "Chinese",
  questions: {
    anywhere: "什么, 什麼, 怎么, 怎麼, 为什么, 為什麼, 多少, 哪里, 哪裡, 哪个, 哪些, 几点, 幾點, 谁, 誰",
    endings: "吗, 嗎, 呢",
  },
};
