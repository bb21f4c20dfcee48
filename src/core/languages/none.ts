/** Words that belong to no language: signs, units and codes. */
import type { LanguageWords } from "./language-words.ts";

export const none: LanguageWords = {
  name: "no language",
  numbers: {
    units: "euro: eur, €; dollar: usd, $; pound: gbp, £; percent: %",
  },
  named: {
    currencies: "chf",
  },
  tables: {
    priceColumns: "*euro*, *eur, *usd*, *gbp*, *chf*, *€*, *$*, *£*",
    sizeColumns: "*m2*",
    weightColumns: "kg, g",
  },
  columns: {
    rowNames: "id, ids, uuid, pos",
  },
};
