/** What Parley knows of Italian words. */
import type { LanguageWords } from "./language-words.ts";

export const it: LanguageWords = {
  name: "Italian",
  questions: {
    firstWords: "che, chi, cosa, dove, come, perche, quanti, quante, puo, posso, ce, sono",
    openers: "ciao, buongiorno",
    manners: "come stai, come va",
    words: "chi, che cosa, cosa, dove, perché, come, quanti, quante, quale, quali",
    openings: "c è, si può, qualcuno sa",
    remarks: "che bello, come sempre",
    beforehand: "ciao, ma",
  },
  remarks: {
    thanks: "grazie, grazie mille, grazie tante, mille grazie, tante grazie, ti ringrazio, molto utile",
    acknowledgements: `
      va bene, d accordo, daccordo, capito, perfetto, ottimo, bene, benissimo, chiaro, sì, certo, ho capito, ricevuto,
      fantastico
    `,
    rhetorical: "davvero, sul serio, chi l avrebbe detto, vero, perché no",
    takenBack: "lascia stare, trovato, risolto",
    fillers: "e, allora, tutti, a tutti, molto",
    welcome: "aiuto, ciao, salve, cosa puoi fare, cosa sai fare, che cosa puoi fare, che cosa sai fare",
    leave: "vai via, lasciaci, lasciaci in pace",
    noAnswers: "non lo so, non so, nessuna idea, buona domanda",
  },
  saving: {
    verbs: `
      aggiungi, aggiungere, aggiungilo, aggiungila, salvare, salvalo, salvala, memorizza, memorizzare, ricorda,
      ricordare, archivia
    `,
    around: `
      per favore, puoi, potresti, questo, questa, questi, il, i, allegato, per dopo, alla base di conoscenza,
      nella base di conoscenza, grazie, anche
    `,
    beforeBase: "a, al, alla, nel, nella",
    articles: "la, il, lo",
  },
};
