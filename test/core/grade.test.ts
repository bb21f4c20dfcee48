import { describe, expect, it } from "vitest";
import { gradeOf } from "../../src/core/model/grade.ts";
import type { Grade, TurnView } from "../../src/core/model/turn.ts";
import { saysUnknown } from "../../src/core/text/says-unknown.ts";
import { silenceToken } from "../../src/core/text/silence-token.ts";

const answered: TurnView = {
  ...{ turnId: "t1", ref: "t1", state: "answered", agent: "support", question: "When does it close?" },
  ...{ steps: [], answer: "At ten.", tables: [], sources: [], isPartial: false, isResumed: false },
};
const sources = [{ title: "Handbook", relevance: 0.9 }];
const rows = { columns: ["orders"], rows: [["7"]] };

describe("An answer is graded", () => {
  it.each<readonly [string, Grade, Partial<TurnView>, boolean | undefined]>([
    ["with a source", "sure", { sources }, true],
    ["with rows", "sure", { tables: [rows] }, true],
    ["that is a table", "sure", { answer: "", answerTable: rows }, true],
    ["that is an empty table", "nothing", { answer: "", answerTable: { columns: ["orders"], rows: [] } }, true],
    ["without any source, from an agent that has knowledge", "unsure", {}, true],
    ["without any source, from an agent that has none", "sure", {}, false],
    ["without any source, from an agent of which nothing is known", "sure", {}, undefined],
    ["that says that it doesn't know", "nothing", { answer: "I don't know." }, false],
    ["that says so although passages were found", "nothing", { answer: "I couldn't find that.", sources }, true],
    ["that broke off", "unsure", { sources, isPartial: true }, true],
    ["that its model cut", "unsure", { sources, answerCut: "length" }, true],
    ["whose service is sure of it", "sure", { ownGrade: "sure" }, true],
    ["whose service isn't sure of it", "unsure", { ownGrade: "unsure", sources }, true],
    ["whose service found nothing", "nothing", { ownGrade: "nothing", sources }, true],
    ["whose service is sure, but that broke off", "unsure", { ownGrade: "sure", isPartial: true }, true],
    ["that is the token of silence", "nothing", { answer: silenceToken, sources }, true],
    ["with the token of silence in a sentence", "nothing", { answer: `Well, ${silenceToken}. Bye`, sources }, true],
    ["with the token as Markdown", "nothing", { answer: "**no\\_answer\\_here**", sources }, true],
  ])("%s: %s", (_, grade, view, hasKnowledge) => {
    expect(gradeOf({ ...answered, ...view }, { hasKnowledge })).toBe(grade);
  });

  it("that is about something else than an overheard line: unsure, unless its service knows better", () => {
    const view = { ...answered, sources };
    expect(gradeOf(view, { hasKnowledge: true, isElsewhere: true })).toBe("unsure");
    expect(gradeOf({ ...view, ownGrade: "sure" }, { hasKnowledge: true, isElsewhere: true })).toBe("sure");
  });
});

describe("An answer says that it doesn't know", () => {
  it.each([
    "I don't know.",
    "I’m sorry, but I couldn’t find any information about pets in the knowledge base.",
    "Sorry! I don't have any information about the founders.",
    "Unfortunately, the documents do not mention a swimming pool.",
    "**I found nothing about that in handbook.**",
    "I found no relevant passages for this question.",
    "There is no information about parking in the provided context.",
    "No relevant information was found in the knowledge base.",
    "The provided context doesn't contain the answer.",
    "The number of rooms is not mentioned in the documents.",
    "I am unable to answer this question with the documents that I have.",
    "I cannot answer this question based on the available sources [see below].",
    "Das weiß ich leider nicht.",
    "Dazu habe ich in den Dokumenten nichts gefunden.",
    "Leider konnte ich keine Informationen zu Haustieren finden.",
    "Die Unterlagen enthalten keine Angaben zur Größe.",
    "Dazu liegen mir keine Informationen vor.",
    "Je ne sais pas.",
    "Je n'ai trouvé aucune information à ce sujet.",
    "La base de connaissances ne contient pas de réponse.",
    "No lo sé.",
    "No encontré información sobre eso.",
    "Los documentos no mencionan el precio.",
    "Não sei.",
    "Não encontrei informações sobre isso.",
    "Non lo so.",
    "Non ho trovato informazioni su questo argomento.",
    "Dat weet ik helaas niet.",
    "Ik heb daar niets over gevonden.",
    "Я не знаю.",
    "В документах нет информации об этом.",
    "わかりません。",
    "その情報は見つかりませんでした。",
    "我不知道。",
    "文档中没有找到相关信息。",
  ])("%s", (answer) => {
    expect(saysUnknown(answer)).toBe(true);
  });

  it.each([
    "The bar opens at six. I don't know about Sundays.",
    "If you don't know your password, press **Forgot password** [1].",
    "There is no charge for documents under ten pages.",
    "There is no data limit.",
    "Guests pay nothing for parking.",
    "The document must not include prices [1].",
    "The handbook doesn't cover trains [1], but the rules for buses apply.",
    "No, dogs are not allowed.",
    "> I don't know\n\nis what the form shows when the field is empty.",
    'Run `find / -name "no results found"` first.',
    "I know that the pool closes at nine.",
    "Nein, Hunde sind nicht erlaubt.",
    "Es gibt keine Gebühr für Dokumente.",
    "Wenn Sie das Passwort nicht wissen, drücken Sie auf „Vergessen“.",
    "No hay tarifa por documentos.",
    "Нет, собаки не допускаются.",
    "",
  ])("not here: %s", (answer) => {
    expect(saysUnknown(answer)).toBe(false);
  });
});
