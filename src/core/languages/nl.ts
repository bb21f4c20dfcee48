/** What Parley knows of Dutch words. */
import type { LanguageWords } from "./language-words.ts";

export const nl: LanguageWords = {
  name: "Dutch",
  questions: {
    firstWords: "wat, wie, wanneer, waar, waarom, welke, hoe, hoeveel, kan, mag, moet, zijn, heeft, hebben, wordt",
    openers: "hoi, en, dus, dan",
    manners: "hoe gaat het",
    words: "wie, wat, waar, wanneer, waarom, hoe, hoeveel, welk, welke, waarvoor, waarmee",
    openings: "is er, zijn er, kan ik, mag ik, moet ik, weet iemand",
    remarks: "wat leuk, wat een, wat jammer",
    beforehand: "hoi, dag, en, maar",
  },
};
