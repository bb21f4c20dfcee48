/** Every case of the table, and the page that is made of it. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { renderListening } from "../../../docs/generators/listening.ts";
import { type Heard, type Hearing, hear } from "../../../src/bridge/intake/messages.ts";
import { spokenTo, wordsOfName } from "../../../src/bridge/overheard/spoken-to.ts";
import { listeningTable, type Reaction } from "./listening-table.ts";

const overheard: Hearing = {
  text: "",
  hasFiles: false,
  mentionsParley: false,
  addressesOthers: false,
  isDirect: false,
  mode: "thread",
  isInOwnConversation: false,
  hasAsked: false,
};

function reactionTo(heard: Heard): Reaction {
  if (heard.kind === "question") return heard.isQuiet ? "answers if it is sure" : "answers";
  return ({ command: "runs the command", thanks: "reacts with 🙌", ignore: "silent" } as const)[heard.kind];
}

describe.each(listeningTable)("$title", ({ cases }) => {
  it.each(cases)("$says ($about): $does", ({ hearing, people = [], does }) => {
    const names = new Set(people.flatMap(wordsOfName));
    const spoken = spokenTo(hearing.text ?? "", (word) => names.has(word));
    expect(reactionTo(hear({ ...overheard, spokenTo: spoken, ...hearing }))).toBe(does);
  });
});

describe("docs/listening.md", () => {
  it("shows the table", () => {
    expect(readFileSync("docs/listening.md", "utf8")).toBe(renderListening());
  });
});
