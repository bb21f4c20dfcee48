/** Whether a message wants its file saved, in ten languages, and into which knowledge base. */
import { describe, expect, it } from "vitest";
import { wishToSave } from "../../../src/bridge/contact/file-offer.ts";

const files = ["prices.csv"];

describe("A message with a file", () => {
  it.each([
    "add",
    "Save this!",
    "please remember this file",
    "add prices.csv",
    "Save it for later, please :pray:",
    "Add this to the knowledge base 🙏",
    "could you save this?",
    "Bitte speichern",
    "Füge das bitte hinzu",
    "Merk dir das mal",
    "Enregistre ce fichier, s'il te plaît",
    "ajoute ça à la base de connaissances",
    "Guárdalo, por favor",
    "¿Puedes guardar este archivo?",
    "Salve este arquivo, por favor",
    "Aggiungi questo file, per favore",
    "bewaar dit alsjeblieft",
    "Sla dit bestand op",
    "Сохрани этот файл, пожалуйста",
    "запомни это",
    "これを保存してください",
    "このファイルを追加して",
    "请保存这个文件",
    "把这个加到知识库吧",
  ])("wants it saved: %s", (text) => {
    expect(wishToSave(text, files)).toEqual({});
  });

  it.each([
    ["add this to handbook", "handbook"],
    ["Add prices.csv to the Handbook, please", "handbook"],
    ["save this in team_docs", "team_docs"],
    ["put this file into shop.faq", "shop.faq"],
    ["add this to the team handbook knowledge base", "team handbook"],
    ["can you add this to docs?", "docs"],
    ["Füge das zu handbook hinzu", "handbook"],
    ["bitte in handbook speichern", "handbook"],
    ["ajoute ce fichier à handbook", "handbook"],
    ["guarda esto en handbook", "handbook"],
    ["adicione este arquivo em handbook", "handbook"],
    ["aggiungi questo a handbook", "handbook"],
    ["voeg dit toe aan handbook", "handbook"],
    ["добавь это в handbook", "handbook"],
    ["これをhandbookに追加して", "handbook"],
    ["把这个文件添加到handbook", "handbook"],
  ])("wants it saved in a knowledge base: %s", (text, base) => {
    expect(wishToSave(text, files)).toEqual({ base });
  });

  it.each([
    "",
    "?",
    "prices.csv",
    "What does this file say?",
    "add up the numbers",
    "add this and tell me what it costs",
    "save it, but who wrote it?",
    "summarize this",
    "Which of these should I keep?",
    "how do I add a file to handbook?",
    "remember what I said yesterday",
    "Was steht da drin?",
    "Ajoute les totaux de chaque colonne",
    "что здесь написано?",
    "この資料を要約して",
    "总结这个文件",
    "add this to handbook and also to the list of all things that we have ever bought from them since 2019",
    `add ${"this ".repeat(200)}`,
  ])("stays a question: %s", (text) => {
    expect(wishToSave(text, files)).toBeUndefined();
  });
});
