/** What Parley knows of Spanish words. */
import type { LanguageWords } from "./language-words.ts";

/** Things that hold knowledge, in answers that say that it isn't in there. */
const holders = "(?:base de conocimientos?|documentos?|documentación|fuentes?|contexto|textos?)";

export const es: LanguageWords = {
  name: "Spanish",
  questions: {
    firstWords: `
      que, quien, quienes, cuando, donde, adonde, cual, cuales, cuanto, cuanta, cuantos, cuantas, como, por, puede,
      puedo, hay, es, son
    `,
    openers: "hola, buenos, dias, y, entonces",
    manners: "que tal, como esta, como estas",
    words: "quién, quiénes, qué, cuándo, dónde, adónde, cómo, cuánto, cuánta, cuántos, cuántas, cuál, cuáles, por qué",
    openings: "hay, puedo, se puede, alguien sabe",
    remarks: "qué bien, qué pena, qué bueno, como siempre",
    beforehand: "hola, y, pero",
  },
  people: {
    openings: "estás, puedes, quieres",
  },
  names: {
    alsoWords: `
      dolores, pilar, luz, sol, mercedes, rosario, consuelo, ángel, jesús, blanca, alba, paz, esperanza, cruz, mar,
      clara, concepción, milagros, soledad, remedios, luna, nieves, salvador, guerra, flores, reyes, campos, ríos,
      vega, león, rey
    `,
    titles: "señor, señora, sr, sra",
    greetings: "hola, querido",
  },
  remarks: {
    thanks: `
      gracias, muchas gracias, mil gracias, muchísimas gracias, te lo agradezco, grax, se agradece, muy útil, me ayudó
    `,
    acknowledgements: `
      vale, de acuerdo, entendido, perfecto, genial, listo, bueno, bien, muy bien, sí, claro, excelente, estupendo,
      está bien, ya veo, dale, okei, buenísimo
    `,
    rhetorical: "de verdad, en serio, quién lo diría, no, verdad, por qué no",
    takenBack: "olvídalo, ya lo encontré, encontrado, resuelto",
    fillers: "y, pues, todos, a todos, por todo",
    welcome: "ayuda, hola, qué puedes hacer, que puedes hacer, qué sabes hacer, que sabes hacer, qué haces",
    leave: "vete, déjanos, déjanos en paz",
    noAnswers: `
      no sé, no lo sé, ni idea, buena pregunta, no estoy seguro, no estoy segura, voy a preguntar, voy a ver,
      preguntaré
    `,
  },
  saving: {
    verbs: `
      añade, añadir, añádelo, añádela, agrega, agregar, agrégalo, guarda, guardar, guárdalo, guárdala, guarde,
      recuerda, recordar, almacena, memoriza, incluye
    `,
    around: `
      por favor, puedes, podrías, esto, este, esta, estos, lo, el, los, archivo, archivos, documento, fichero, adjunto,
      para luego, para más tarde, a la base de conocimiento, en la base de conocimiento, gracias, también
    `,
    beforeBase: "a, en, al, para",
    articles: "la, el, los",
  },
  sayings: [
    "(?<!\\p{L})no (?:lo )?sé(?!\\p{L})",
    "(?<!\\p{L})no (?:he |pude |puedo |logré |pudimos |hemos )?(?:encontr|hall)\\p{L}{1,6}",
    "(?<!\\p{L})no (?:tengo|dispongo|hay|existe) .{0,20}(?:información|datos|respuesta|mención|detalles)",
    `(?<!\\p{L})${holders}(?!\\p{L}).{0,40}(?<!\\p{L})no (?:contien|mencion|incluy|especific|indic|proporcion|dice)`,
  ],
};
