/** What Parley knows of Italian words. */
import type { LanguageWords } from "./language-words.ts";

/** Things that hold knowledge, in answers that say that it isn't in there. */
const holders = "(?:base di conoscenza|documenti|documento|documentazione|fonti|fonte|contesto|testi|testo)";

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
  people: {
    openings: "hai, sei, puoi, vuoi",
  },
  names: {
    alsoWords: `
      luce, bianca, chiara, gioia, speranza, felice, stella, bella, rossi, bianchi, neri, verdi, conti, costa, fontana,
      vita
    `,
    titles: "signor, signora, signore",
    greetings: "ciao, caro",
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
  sayings: [
    "(?<!\\p{L})non (?:lo )?so(?!\\p{L})",
    "(?<!\\p{L})non (?:ho trovato|trovo|sono riuscit[oa] a trovare|riesco a trovare|è stato possibile trovare)(?!\\p{L})",
    "(?<!\\p{L})non (?:ho|dispongo di|ci sono|c'è) .{0,20}(?:informazion|dati|rispost|menzion|dettagli)",
    `(?<!\\p{L})${holders}(?!\\p{L}).{0,40}(?<!\\p{L})non (?:conten|contien|menzion|includ|specific|riport|indic|forn|dic)`,
  ],
};
