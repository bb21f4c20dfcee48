/** The lists of words, one file a language, and the expressions that are built from them. */
import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { LanguageWords } from "../../src/core/languages/language-words.ts";
import { anyOf, languages, listed, meanings, oneOf, wordsOf } from "../../src/core/languages/languages.ts";

const folder = new URL("../../src/core/languages/", import.meta.url);

const lists = Object.entries<LanguageWords>(languages).flatMap(([code, words]) =>
  Object.entries(words).flatMap(([subject, own]) =>
    typeof own === "object" && !Array.isArray(own)
      ? Object.entries(own).map(([list, text]) => [`${code}: ${subject}.${list}`, String(text)] as const)
      : [],
  ),
);

describe("the lists of words", () => {
  it("are read from every file", () => {
    const files = readdirSync(folder).map((name) => name.replace(".ts", ""));

    expect(files.filter((name) => !name.startsWith("language")).sort()).toEqual(Object.keys(languages).sort());
  });

  it("have only words and phrases", () => {
    const wrong = lists.flatMap(([list, text]) => {
      const said = text.includes(":") ? meanings(text).flatMap(([, words]) => words) : listed(text);
      const odd = said.filter((words) => !/^\*?[\p{L}\p{M}\p{N}€$£% '^.-]+\*?$/u.test(words));
      return said.length === 0 || odd.length > 0 ? [`${list}: ${odd.join()}`] : [];
    });

    expect(wrong).toEqual([]);
  });

  it("have each word once", () => {
    const wrong = lists.flatMap(([list, text]) => {
      const said = text.includes(":") ? [] : listed(text);
      const again = said.filter((words, at) => said.indexOf(words) !== at);
      return again.length > 0 ? [`${list}: ${again.join()}`] : [];
    });

    expect(wrong).toEqual([]);
  });
});

describe("a list", () => {
  it("is read in every language that has it", () => {
    expect(wordsOf("remarks", "thanks")).toEqual(expect.arrayContaining(["thanks", "danke", "спасибо", "谢谢"]));
  });

  it("matches a word", () => {
    const words = oneOf(["entwickel*", "*nummer", "head of"]);

    for (const word of ["entwickelt", "telefonnummer", "nummer", "head of"]) expect(word).toMatch(words);
    for (const word of ["weiterentwickelt", "nummern", "head"]) expect(word).not.toMatch(words);
  });

  it("is found in a sentence, but not inside its words", () => {
    const words = new RegExp(anyOf(["dafür", "$"]), "iu");

    for (const text of ["Dafür nicht.", "und $?"]) expect(text).toMatch(words);
    expect("dafürhalten").not.toMatch(words);
  });
});
