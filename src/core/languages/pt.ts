/** What Parley knows of Portuguese words. */
import type { LanguageWords } from "./language-words.ts";

/** Things that hold knowledge, in answers that say that it isn't in there. */
const holders = "(?:base de conhecimento|documentos?|documentação|fontes?|contexto|textos?)";

export const pt: LanguageWords = {
  name: "Portuguese",
  questions: {
    firstWords: "quem, quando, onde, qual, quais, quanto, quanta, quantos, quantas, pode, posso, tem, ha",
    openers: "ola, oi, bom, dia, e, mas",
    manners: "tudo bem, como vai",
    words: "quem, quê, quando, onde, aonde, como, quanto, quanta, quantos, quantas, qual, quais, por que",
    openings: "tem, posso, alguém sabe",
    remarks: "como sempre",
  },
  names: {
    alsoWords: "luz, vitória, glória, pedra, silva, santos, lima, rocha, campos, ramos, dias, cruz, reis, nunes",
    titles: "senhor, senhora",
    greetings: "olá, oi",
    countries: "US: eua",
    beforeMonths: "em, de",
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
  charts: {
    trend: `
      tendência*, evolução, evoluiu, crescimento, por mês, mensal, mensais, por ano, anual, anuais, por semana,
      semanal, por dia, diário*, por trimestre, ao longo do tempo
    `,
    share: `
      proporção, proporções, percentual, percentagem*, porcentagem*, participação, distribuição, composição, fatia*
    `,
    comparison: "compara*, compare*, versus, classificação, ranking",
    chart: "gráfico*, diagrama*, visualiza*",
    stacked: "empilhado*, empilhada*",
    otherMeanings: "design gráfico, designer gráfico, designers gráficos",
  },
  columns: {
    rowNames: "ano, anos",
    totals: "total geral, soma",
  },
  titles: {
    small: "os, da, dos, em, com, para, por, como",
  },
  headings: {
    sources: "fontes",
  },
  sayings: [
    "(?<!\\p{L})não (?:o )?sei(?!\\p{L})",
    "(?<!\\p{L})não (?:encontrei|achei|consegui encontrar|foi possível encontrar|foram encontrad)",
    "(?<!\\p{L})não (?:tenho|há|existe|existem) .{0,20}(?:informaç|dados|resposta|menç|detalhes)",
    `(?<!\\p{L})${holders}(?!\\p{L}).{0,40}(?<!\\p{L})não (?:cont|mencion|inclu|especific|indic|fornec|diz)`,
  ],
  grouping: {
    empty: `
      o, a, os, as, um, uma, uns, umas, de, do, da, dos, das, no, na, nos, nas, ao, à, aos, às, eu, me, mim, meu, minha, meus,
      minhas, nós, nosso, nossa, tu, teu, você, vocês, seu, sua, seus, suas, se, ele, ela, eles, este, esta, isto, esse, essa,
      isso, é, são, sou, está, estão, estou, estar, ser, era, há, tem, tenho, temos, ter, posso, pode, podemos, podem, poder,
      devo, deve, quero, queria, gostaria, preciso, como, que, qual, quais, onde, e, ou, mas, também, muito, já, por favor, olá, oi,
      bom, dia, obrigado, obrigada, em, com, por, para, pra, sobre, entre, até, desde, aqui, faço, fazer, faz, saber, sabe,
      dizer, explicar, ajudar, pergunta, possível, alguém, agora, parley
    `,
    weak: "encontrar, encontro, encontra, obter, receber, usar, utilizar, empresa, novo, nova, por que, permitido, ver, andamento",
    negation: "não, nunca, nenhum, nenhuma",
    without: "sem",
    frames: "não sei, por favor, o que faço, o que devo fazer, não encontro, como faço para, como faço",
    same: `
      broken: não funciona, não funcionam, quebrado, quebrada, estragado
      amount: quanto, quantos, quanta, quantas
      cost: custa, custam, preço, preços, custo, quanto custa
      duration: quanto tempo, duração
      frequency: com que frequência
      when: quando, a que horas, que data
      deadline: prazo, data limite
      who: quem
      sick: doente
      pwd: senha, senhas, palavra passe
      login: entrar, fazer login, iniciar sessão
      logout: sair, terminar sessão
      homeoffice: teletrabalho, trabalhar de casa
      invoice: nota fiscal, fatura
    `,
    actions: `
      reset: redefinir, redefino, resetar, esqueci, esquecer, recuperar
      change: mudar, alterar, atualizar, trocar
      cancel: cancelar, cancelo
      place: fazer um pedido, fazer pedido
      delete: excluir, apagar, eliminar
      create: criar, crio
      setup: configurar
      request: solicitar, solicito, pedir
      submit: enviar, envio
      approve: aprovar
      book: reservar
      print: imprimir
      return: devolver
    `,
    from: "de, desde",
    to: "para, a",
  },
};
