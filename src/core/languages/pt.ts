/** What Parley knows of Portuguese words. */
import type { LanguageWords } from "./language-words.ts";

/** Things that hold knowledge, in answers that say that it isn't in there. */
const holders = "(?:base de conhecimento|documentos?|documentação|fontes?|contexto|textos?)";

export const pt: LanguageWords = {
  name: "Portuguese",
  questions: {
    firstWords: "quem, quando, onde, qual, quais, quanto, quanta, quantos, quantas, pode, posso, tem, ha",
    openers: "ola, bom, dia, e",
    manners: "tudo bem, como vai",
    words: "quem, quê, quando, onde, aonde, como, quanto, quanta, quantos, quantas, qual, quais, por que",
    openings: "tem, posso, alguém sabe",
    remarks: "como sempre",
    beforehand: "olá, oi, e, mas",
  },
  names: {
    alsoWords: "luz, vitória, glória, pedra, silva, santos, lima, rocha, campos, ramos, dias, cruz, reis, nunes",
    titles: "senhor, senhora",
    greetings: "olá, oi",
  },
  remarks: {
    thanks: `
      obrigado, obrigada, muito obrigado, muito obrigada, obg, brigado, brigada, valeu, vlw, agradeço, grato, grata,
      ajudou muito, ajudou
    `,
    acknowledgements: `
      beleza, blz, certo, entendi, perfeito, ótimo, tá bom, tá, tudo bem, combinado, sim, não, joia, bom saber
    `,
    rhetorical: "sério, mesmo, quem diria, né, por que não",
    takenBack: "deixa, deixa pra lá, achei, resolvido",
    fillers: "mesmo, então, demais, pela ajuda",
    welcome: `
      ajuda, olá, ola, oi, o que você pode fazer, o que você faz, o que você sabe fazer, o que podes fazer,
      o que sabes fazer
    `,
    leave: "vai embora, deixa nos, deixe nos",
    noAnswers: "não sei, não faço ideia, boa pergunta",
  },
  saving: {
    verbs: `
      adicione, adiciona, adicionar, acrescente, salve, salva, salvar, grave, gravar, armazene, lembre, memorize,
      inclua
    `,
    around: `
      pode, você pode, podes, isto, isso, esse, essa, o, os, arquivo, arquivos, ficheiro, anexo, para depois,
      à base de conhecimento, na base de conhecimento, obrigado, obrigada
    `,
    beforeBase: "à, ao, em, no, na, para",
    articles: "o, os",
  },
  sayings: [
    "(?<!\\p{L})não (?:o )?sei(?!\\p{L})",
    "(?<!\\p{L})não (?:encontrei|achei|consegui encontrar|foi possível encontrar|foram encontrad)",
    "(?<!\\p{L})não (?:tenho|há|existe|existem) .{0,20}(?:informaç|dados|resposta|menç|detalhes)",
    `(?<!\\p{L})${holders}(?!\\p{L}).{0,40}(?<!\\p{L})não (?:cont|mencion|inclu|especific|indic|fornec|diz)`,
  ],
};
