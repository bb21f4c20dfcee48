/** What Parley knows of Italian words. */
import type { LanguageWords } from "./language-words.ts";

/** Things that hold knowledge, in answers that say that it isn't in there. */
const holders = "(?:base di conoscenza|documenti|documento|documentazione|fonti|fonte|contesto|testi|testo)";

export const it: LanguageWords = {
  name: "Italian",
  questions: {
    firstWords: "che, chi, cosa, dove, come, perche, quanti, quante, puo, posso, ce, sono",
    openers: "ciao, buongiorno, ma",
    manners: "come stai, come va",
    words: "chi, che cosa, cosa, dove, perché, come, quanti, quante, quale, quali",
    openings: "c è, si può, qualcuno sa",
    remarks: "che bello, come sempre",
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
    ambiguousMonths: "maggio, marche",
    beforeMonths: "in, di",
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
  charts: {
    trend: `
      tendenza, tendenze, andamento, evoluzione, crescita, al mese, per mese, mensile, mensili, all anno, per anno,
      annuale, annuali, per settimana, settimanale, al giorno, giornalier*, per trimestre, nel tempo
    `,
    share: `
      quota di, quota del, quota dei, quota delle, le quote, proporzione, proporzioni, percentuale, percentuali,
      ripartizione, suddivisione, distribuzione, composizione
    `,
    comparison: "confront*, paragon*, rispetto a, classifica",
    chart: "grafico, grafici, diagramma, diagrammi, visualizza*",
    stacked: "impilat*, in pila",
    otherMeanings: "designer grafico, designer grafici, progetto grafico",
  },
  columns: {
    rowNames: "anno",
    totals: "totale, somma",
  },
  titles: {
    small: "il, lo, gli, di, della, per, la, le, un",
  },
  headings: {
    sources: "fonti",
  },
  sayings: [
    "(?<!\\p{L})non (?:lo )?so(?!\\p{L})",
    "(?<!\\p{L})non (?:ho trovato|trovo|sono riuscit[oa] a trovare|riesco a trovare|è stato possibile trovare)(?!\\p{L})",
    "(?<!\\p{L})non (?:ho|dispongo di|ci sono|c'è) .{0,20}(?:informazion|dati|rispost|menzion|dettagli)",
    `(?<!\\p{L})${holders}(?!\\p{L}).{0,40}(?<!\\p{L})non (?:conten|contien|menzion|includ|specific|riport|indic|forn|dic)`,
  ],
  grouping: {
    empty: `
      il, lo, la, i, gli, le, l, un, uno, una, di, del, dello, della, dell, dei, degli, delle, d, a, al, allo, alla, all, ai,
      agli, alle, da, dal, dalla, in, nel, nella, nell, nei, nelle, su, sul, sulla, con, per, tra, fra, io, mi, me, mio, mia, miei,
      mie, noi, ci, nostro, nostra, tu, ti, tuo, tua, voi, vi, vostro, lui, lei, si, suo, sua, loro, questo, questa, quello, è, sono, sei,
      siamo, essere, era, ho, hai, ha, abbiamo, avete, hanno, avere, posso, può, possiamo, possono, potere, devo, deve,
      dobbiamo, voglio, vorrei, come, che, cosa, quale, quali, dove, se, e, o, ma, anche, molto, già, ciao, salve, buongiorno,
      grazie, prego, favore, qui, lì, faccio, fare, fa, fai, sapere, sa, dire, spiegare, aiutare, domanda, possibile,
      qualcuno, ora, adesso, parley, dov, c
    `,
    weak: "trovare, trovo, trova, ottenere, ricevere, serve, usare, utilizzare, azienda, nuovo, nuova, perché, giorno, giorni, permesso, vedere, viaggio",
    negation: "non, mai, nessun, nessuna, nessuno",
    without: "senza",
    frames: "non so, non lo so, per favore, cosa devo fare, cosa faccio, non trovo, c è, ci sono",
    same: `
      broken: non funziona, non funzionano, non va, rotto, rotta, guasto, guasta
      amount: quanto, quanti, quanta, quante
      cost: costa, costano, prezzo, prezzi, costo, quanto costa
      duration: quanto tempo, quanto dura, durata
      frequency: quanto spesso
      when: quando, a che ora, che data
      deadline: scadenza, termine
      who: chi
      sick: malato, malata
      pwd: password, parola d ordine
      login: accedere, accedo, accesso
      logout: uscire, disconnettersi
      homeoffice: lavoro da casa, lavorare da casa, telelavoro
    `,
    actions: `
      reset: reimpostare, reimposto, resettare, dimenticato, dimenticata
      change: cambiare, cambio, modificare, aggiornare
      cancel: annullare, annullo, cancellare
      place: effettuare un ordine, fare un ordine
      delete: eliminare, elimino
      create: creare, creo
      setup: configurare
      request: richiedere, richiedo, chiedere, chiedo
      submit: inviare, invio
      approve: approvare
      book: prenotare, prenoto
      print: stampare, stampo
      return: restituire
    `,
    from: "da, dal, dalla",
    to: "a, al, alla",
  },
};
