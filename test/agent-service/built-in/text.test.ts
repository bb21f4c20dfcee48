/** The pure parts: sections, questions, uploaded tables. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readQuestion } from "../../../src/agent-service/built-in/answering/question.ts";
import { refusals } from "../../../src/agent-service/built-in/answering/refusals.ts";
import { piecesOf } from "../../../src/agent-service/built-in/answering/sections.ts";
import { readUploadedFile } from "../../../src/agent-service/built-in/storage/uploaded-file.ts";

const lines = fc.array(
  fc.oneof(
    fc.constantFrom("# One", "## Two", "### Three ###", "```", "~~~~", "# no ```", "", "- item", "x".repeat(900)),
    fc.string({ unit: "grapheme" }),
  ),
  { maxLength: 40 },
);

describe("sections", () => {
  it("are slices that lose only white space", () => {
    fc.assert(
      fc.property(lines, fc.constantFrom("\n", "\r\n"), (given, lineEnd) => {
        const text = given.join(lineEnd);
        const joined = piecesOf(text).map(({ start, end }) => text.slice(start, end));
        expect(joined.join("").replace(/\s/g, "")).toBe(text.replace(/\s/g, ""));
        for (const piece of joined) expect(piece.isWellFormed()).toBe(text.isWellFormed());
      }),
    );
  });

  it("follow the headings, not what looks like one in code", () => {
    const text = "intro\n\n# A `b` [c](d)\n\n```\n# code\n```\n\n## Über Größe!\n\nx\n\n## Über Größe!\n\ny\n\n# Z";

    const found = piecesOf(text).map(({ heading, level, parents, anchor }) => [heading, level, parents.join(), anchor]);

    expect(found).toEqual([
      ["", 0, "", ""],
      ["A b c", 1, "", "a-b-c"],
      ["Über Größe!", 2, "A b c", "über-größe"],
      ["Über Größe!", 2, "A b c", "über-größe-1"],
      ["Z", 1, "", "z"],
    ]);
  });

  it("of great length are split between blocks and stay one section", () => {
    const text = `## Long\n\n${"word ".repeat(150)}\n\n`.repeat(1) + `${"word ".repeat(150)}\n\n`.repeat(8);

    const pieces = piecesOf(text);

    expect(pieces.length).toBeGreaterThan(2);
    expect(new Set(pieces.map((piece) => piece.sectionStart))).toEqual(new Set([0]));
    for (const { start, end } of pieces) expect(end - start).toBeLessThanOrEqual(4_000);
  });
});

describe("a question", () => {
  it("weighs its own words more than those of the answered question before", () => {
    const { terms } = readQuestion([
      { question: "How do I connect Slack?", answer: "With a token." },
      { question: "and Discord?", answer: "" },
    ]);

    expect(terms.map(({ word, weight }) => [word, weight])).toEqual([
      ["discord", 1],
      ["connect", 0.4],
      ["slack", 0.4],
    ]);
  });

  it("borrows nothing from a question that was not answered", () => {
    const { terms } = readQuestion([
      { question: "How do I connect Slack?", answer: "With a token." },
      { question: "How do I feed the zebra?", answer: refusals.nothingFound(["docs"], false) },
      { question: "How do I feed the heron?", answer: "" },
      { question: "and Discord?", answer: "" },
    ]);

    expect(terms.map(({ word }) => word)).toEqual(["discord", "connect", "slack"]);
  });

  it("follows follow-ups back to the question that began", () => {
    const { terms } = readQuestion([
      { question: "How do I connect Slack?", answer: "With a token." },
      { question: "and Discord?", answer: "With another token." },
      { question: "and Teams?", answer: "" },
    ]);

    expect(terms.map(({ word }) => word)).toEqual(["teams", "discord", "connect", "slack"]);
  });

  it("may have a word that is also a method of every object", () => {
    const { terms } = readQuestion([{ question: "Where is the constructor?", answer: "" }]);

    expect(terms.map(({ word }) => word)).toEqual(["constructor"]);
  });

  it("is searched without the thread that stands before it", () => {
    const thread = "About the message marked with → in this thread:\n→ Bob (2026-03-01 09:31 UTC): zebra";
    const { terms, context } = readQuestion([{ question: `${thread}\n\nQuestion:\nWhich invoice?`, answer: "" }]);

    expect(terms.map(({ word }) => word)).toEqual(["invoice"]);
    expect(context).toContain("zebra");
  });

  it("of many words is searched as it is", () => {
    const { terms } = readQuestion([
      { question: "How do I connect Slack?", answer: "" },
      { question: "Where does the nightly backup go?", answer: "" },
    ]);

    expect(terms.map((term) => term.word)).toEqual(["nightly", "backup"]);
  });

  it("of a hundred thousand characters yields few words", () => {
    const long = Array.from({ length: 15_000 }, (_, index) => `word${index}`).join(" ");

    expect(readQuestion([{ question: long, answer: "" }]).terms.length).toBeLessThanOrEqual(40);
  });
});

describe("an uploaded table", () => {
  it("becomes one row a line, by the names of its columns", () => {
    const bytes = new TextEncoder().encode("\ufeffid,content\n1,Owls\n\n2,Herons\n");

    expect(readUploadedFile("birds", "Birds.CSV", bytes)).toEqual({
      name: "birds",
      columns: ["id", "content"],
      rows: [
        { id: "1", content: "Owls" },
        { id: "2", content: "Herons" },
      ],
    });
  });
});
