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
    openers: "hola, buenos, dias, y, entonces, pero",
    manners: "que tal, como esta, como estas",
    words: "quién, quiénes, qué, cuándo, dónde, adónde, cómo, cuánto, cuánta, cuántos, cuántas, cuál, cuáles, por qué",
    openings: "hay, puedo, se puede, alguien sabe",
    remarks: "qué bien, qué pena, qué bueno, como siempre",
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
    countries: "US: ee uu",
    ambiguousMonths: "mayo",
    beforeMonths: "en, de",
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
  charts: {
    trend: `
      tendencia*, evolución, evolucion*, crecimiento, por mes, mensual*, por año, anual*, por semana, semanal*,
      por día, diario, por trimestre, a lo largo del tiempo
    `,
    share: "proporción, proporciones, porcentaje*, distribución, desglose, reparto por, composición, cuota de mercado",
    comparison: "compara*, comparación, comparado*, frente a, clasificación",
    chart: "gráfico*, gráfica*, diagrama*, visualiza*",
    stacked: "apilado*, apilada*",
    otherMeanings: `
      diseño gráfico, diseñador gráfico, diseñadora gráfica, diseñadores gráficos, artes gráficas, tarjeta gráfica,
      tarjetas gráficas
    `,
  },
  columns: {
    rowNames: "ano, anos",
    totals: "total general, suma",
  },
  titles: {
    small: "el, los, las, del, para, con, por, y, como, la, un",
  },
  headings: {
    sources: "fuentes",
  },
  sayings: [
    "(?<!\\p{L})no (?:lo )?sé(?!\\p{L})",
    "(?<!\\p{L})no (?:he |pude |puedo |logré |pudimos |hemos )?(?:encontr|hall)\\p{L}{1,6}",
    "(?<!\\p{L})no (?:tengo|dispongo|hay|existe) .{0,20}(?:información|datos|respuesta|mención|detalles)",
    `(?<!\\p{L})${holders}(?!\\p{L}).{0,40}(?<!\\p{L})no (?:contien|mencion|incluy|especific|indic|proporcion|dice)`,
  ],
  grouping: {
    empty: `
      el, la, los, las, lo, le, les, un, una, unos, unas, de, del, al, a, yo, me, mi, mis, mí, nosotros, nos, nuestro, nuestra,
      tú, tu, tus, te, usted, su, sus, se, él, ella, ellos, este, esta, esto, ese, esa, eso, es, son, soy, está, están, estoy,
      estar, ser, era, hay, he, ha, han, haber, tengo, tiene, tenemos, tener, puedo, puede, podemos, pueden, poder, debo, debe,
      quiero, quisiera, necesito, cómo, como, qué, que, cuál, cuáles, dónde, si, y, o, pero, también, muy, ya, por favor,
      hola, buenas, buenos, días, gracias, en, con, por, para, sobre, entre, hasta, desde, aquí, ahí, hago, hacer, hace,
      saber, sabe, decir, explicar, ayudar, pregunta, posible, alguien, ahora, parley
    `,
    weak: "encontrar, encuentro, encuentra, obtener, recibir, usar, utilizar, empresa, nuevo, nueva, por qué, día, permitido, ver",
    negation: "no, nunca, ningún, ninguna",
    without: "sin",
    frames: "no sé, no lo sé, por favor, qué hago, qué debo hacer, no encuentro, hay que",
    same: `
      broken: no funciona, no funcionan, no sirve, no va, roto, rota, estropeado, estropeada
      amount: cuánto, cuántos, cuánta, cuántas
      cost: cuesta, cuestan, precio, precios, costo, coste, cuánto cuesta, cuánto cuestan, cuánto vale
      duration: cuánto tiempo, cuánto dura, duración
      frequency: con qué frecuencia, cada cuánto
      when: cuándo, a qué hora, qué fecha
      deadline: fecha límite, plazo
      who: quién, quiénes
      sick: enfermo, enferma
      pwd: contraseña, contraseñas, clave
      login: iniciar sesión, inicio sesión, entrar
      logout: cerrar sesión, cierro sesión
      homeoffice: teletrabajo, trabajar desde casa
    `,
    actions: `
      reset: restablecer, restablezco, resetear, olvidé, olvidar, recuperar
      change: cambiar, cambio, modificar, actualizar
      cancel: cancelar, cancelo, anular
      place: hacer un pedido, hago un pedido, hacer pedido, realizar
      delete: eliminar, elimino, borrar, borro
      create: crear, creo
      setup: configurar, configuro
      request: solicitar, solicito, pedir
      submit: enviar, envío, presentar
      approve: aprobar, aprueba
      book: reservar, reservo
      print: imprimir, imprimo
      return: devolver, devuelvo
      enable: activar
      disable: desactivar
    `,
    from: "de, desde",
    to: "a, hacia",
  },
};
