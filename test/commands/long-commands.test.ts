/** How long a command may be, and what is read of a long one. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { allCommands } from "../../src/commands/all-commands.ts";
import { parseCommand, parseStructured } from "../../src/commands/parsing/parser.ts";
import { problemDocument } from "../../src/commands/parsing/problem-document.ts";
import { createRegistry } from "../../src/commands/registry.ts";
import { documentText } from "../../src/presentation/markdown/plain-text.ts";
import { bob } from "../doubles/people.ts";
import { openRoom, type Room } from "./room.ts";

const registry = createRegistry(allCommands);
const tooLong = "That's too long: a command can have up to 1,000 words and 10,000 characters.";
const listTooLong = "That's too long: a list can have up to 1,000 entries and 120,000 characters.";
const urls = (count: number, chars: number) =>
  Array.from({ length: count }, (_, at) => `https://a.example/${String(at).padEnd(chars - 18, "x")}`).join(" ");

let room: Room;
beforeEach(async () => {
  room = await openRoom();
});
afterEach(() => room.close());

function said(text: string): string {
  const parsed = parseCommand(text, registry);
  return parsed.kind === "problem" ? documentText(problemDocument(parsed.problem, registry)) : "It is understood.";
}
const optionsOf = (text: string) => {
  const parsed = parseCommand(text, registry, (_kind, name) => name === "docs");
  return parsed.kind === "command" ? parsed.options : parsed.problem.kind;
};

describe("a command that is too long", () => {
  it.each([
    ["of many characters", `/agent use ${"x".repeat(10_001)}`, tooLong],
    ["of many words", `/agent use ${"x ".repeat(1_001)}`, tooLong],
    ["of quotes that are never closed", `/agent use ${'"a '.repeat(4_000)}`, tooLong],
    ["with many URLs", `/kb ingest ${urls(1_001, 30)}`, listTooLong],
    ["with long URLs", `/kb ingest ${urls(100, 1_500)}`, listTooLong],
    ["of dashes", `/kb ingest ${"- ".repeat(15_000)}`, listTooLong],
    ["with much to search", `/kb search ${"x".repeat(10_001)}`, tooLong],
    ["with a long query", `/kb query SELECT ${"x".repeat(10_001)}`, tooLong],
    ["with a long value", `/kb ingest a.example into:${"x".repeat(10_001)}`, listTooLong],
    ["with a title of many words", `/kb remove docs ${"a ".repeat(1_001)}`, listTooLong],
  ])("gets one sentence: %s", (_what, text, sentence) => {
    expect(said(text)).toBe(sentence);
  });

  it("gets the same where the platform has parsed it", () => {
    const kindOf = (path: string, options: Record<string, string>) => {
      const parsed = parseStructured(path, options, registry);
      return parsed.kind === "problem" ? parsed.problem.kind : parsed.kind;
    };
    expect(kindOf("kb ingest", { urls: urls(1_000, 100) })).toBe("command");
    expect(kindOf("kb ingest", { urls: urls(1_001, 30) })).toBe("too-long");
    expect(kindOf("kb ingest", { urls: urls(100, 1_500) })).toBe("too-long");
    expect(kindOf("agent use", { name: "x".repeat(10_001) })).toBe("too-long");
    expect(kindOf("kb search", { words: "x".repeat(10_001) })).toBe("too-long");
    expect(kindOf("ask", { question: "x".repeat(100_000) })).toBe("command");
  });

  it("is recorded by its name when the person may not give it, and isn't parsed for that", async () => {
    const input = { kind: "typed", text: `/agent use ${"name ".repeat(300)}` } as const;
    await room.commands.refused({ kind: "command", input }, "manage", room.context({ actor: bob }));

    expect(await room.audit()).toMatchObject([{ action: "agent use", about: {}, outcome: "refused" }]);
  });
});

describe("a command that is just short enough", () => {
  it("may list 1,000 URLs of 119 characters, and options besides", () => {
    const list = urls(1_000, 119);
    expect(list).toHaveLength(119_999);
    expect(optionsOf(`/kb ingest ${list} into:docs limit 5`)).toEqual({
      urls: list.split(" "),
      into: "docs",
      limit: 5,
    });
  });

  it("may search for 10,000 characters", () => {
    expect(optionsOf(`/kb search ${"x".repeat(9_991)} in:docs`)).toEqual({ words: "x".repeat(9_991), in: "docs" });
  });
});

describe("free text", () => {
  const long = `${`it's "so" long,\n  agent:x `.repeat(4_000)}end`;

  it.each([
    [`/ask ${long}`, { question: long }],
    [`/ask ${long} agent:sales`, { question: long, agent: "sales" }],
    [`/ask ${long} agent:"two words"`, { question: long, agent: "two words" }],
    [`/ask agent:“two words” ${long}`, { question: long, agent: "two words" }],
    [`/kb add ${long} into docs`, { text: long, into: "docs" }],
    [`/kb add ${long} in docs`, { text: `${long} in docs` }],
    [`/ask say "${long} agent:sales"`, { question: `say "${long} agent:sales"` }],
  ])("of 100,000 characters stays as it is: %#", (text, options) => {
    expect(optionsOf(text)).toEqual(options);
  });
});
