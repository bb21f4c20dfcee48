import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { allCommands } from "../../src/commands/all-commands.ts";
import type { OptionValues } from "../../src/commands/command.ts";
import type { IsKnown } from "../../src/commands/parsing/parsed.ts";
import { parseCommand, parseInput, parseStructured } from "../../src/commands/parsing/parser.ts";
import { createRegistry } from "../../src/commands/registry.ts";
import type { CommandDefinition } from "../../src/core/commands.ts";
import { anyCharacter } from "../any-character.ts";
import { runs } from "../properties.ts";

/** A command with every kind of option, as ingesting has them. */
const ingest: CommandDefinition = {
  path: "kb ingest",
  summary: "Adds pages",
  options: [
    { name: "urls", summary: "Addresses", type: "text", isRequired: true, isList: true },
    { name: "into", summary: "Where", type: "text", isRequired: false, completes: "knowledge-base" },
    { name: "limit", summary: "Pages", type: "integer", isRequired: false, minimum: 1, maximum: 100 },
    { name: "depth", summary: "Links", type: "integer", isRequired: false, minimum: 0 },
    { name: "by", summary: "Who", type: "choice", isRequired: false, choices: ["service", "parley"] },
  ],
  role: "ingest",
  examples: ["kb ingest https://example.com"],
};

const registry = createRegistry([...allCommands.filter(({ path }) => path !== ingest.path), ingest]);
const prefixed = createRegistry(allCommands, "p-");
const knowsSales: IsKnown = (completes, name) =>
  (completes === "agent" && name === "sales") || (completes === "knowledge-base" && name === "docs");

function read(text: string): { path: string; options: OptionValues } | string {
  const parsed = parseCommand(text, registry, knowsSales);
  return parsed.kind === "command"
    ? { path: parsed.definition.path, options: parsed.options }
    : [parsed.problem.kind, "nearest" in parsed.problem ? parsed.problem.nearest : undefined]
        .filter((part) => part !== undefined)
        .join(" -> ");
}

describe("options of typed commands", () => {
  it.each([
    ["/agent use sales", "agent use", { name: "sales" }],
    ["/agent use name sales scope workspace", "agent use", { name: "sales", scope: "workspace" }],
    ["/agent use sales workspace", "agent use", { name: "sales", scope: "workspace" }],
    ["/agent use name:sales scope:channel", "agent use", { name: "sales", scope: "channel" }],
    ["/agent use name: sales", "agent use", { name: "sales" }],
    ["/Agent Use Sales", "agent use", { name: "Sales" }],
    ['/agent use "name"', "agent use", { name: "name" }],
    ["/agent use “two words”", "agent use", { name: "two words" }],
    ["/agent use scope", "agent use", { name: "scope" }],
    ["/agent clear workspace", "agent clear", { scope: "workspace" }],
    ["/agent show", "agent show", {}],
    ["/parley mode channel", "parley mode", { mode: "channel" }],
    ["/parley help kb", "parley help", { about: "kb" }],
    ["/agent create Support Bot", "agent create", { name: "Support Bot" }],
    ["/agent create name sales", "agent create", { name: "sales" }],
    [
      "/kb ingest https://a.example/x https://b.example/y?q=1 into docs limit 5 depth 1",
      "kb ingest",
      { urls: ["https://a.example/x", "https://b.example/y?q=1"], into: "docs", limit: 5, depth: 1 },
    ],
    ["/kb ingest into:docs a.example by parley", "kb ingest", { urls: ["a.example"], into: "docs", by: "parley" }],
  ])("reads %s", (text, path, options) => {
    expect(read(text)).toEqual({ path, options });
  });
});

describe("free words", () => {
  it.each([
    ["/ask how many? agent:sales", { question: "how many?", agent: "sales" }],
    ["/ask how many? agent sales", { question: "how many?", agent: "sales" }],
    ["/ask agent:sales how many?", { question: "how many?", agent: "sales" }],
    ["/ask who is the best travel agent today", { question: "who is the best travel agent today" }],
    ["/ask what does agent:x in a config mean?", { question: "what does agent:x in a config mean?" }],
    ["/ask  two  blanks\nand a line", { question: "two  blanks\nand a line" }],
    ['/ask what is "agent:sales"?', { question: 'what is "agent:sales"?' }],
    ["/ask how many? agent:„front desk“", { question: "how many?", agent: "front desk" }],
    ["/ask how many? agent:sales'", { question: "how many?", agent: "sales'" }],
    ["/ask how many? agent:„sales”", { question: "how many?", agent: "„sales”" }],
    ["/ask what is “use agent:sales”", { question: "what is “use agent:sales”" }],
    ["/ask note: is https://example.com/a:b down?", { question: "note: is https://example.com/a:b down?" }],
    ["/ask question: how many?", { question: "how many?" }],
    ["/ask", {}],
  ])("reads %j", (text, options) => {
    expect(read(text)).toEqual({ path: "ask", options });
  });

  it("recognises a known knowledge base after words, and leaves a city alone", () => {
    expect(read("/kb search refund policy in docs")).toEqual({
      path: "kb search",
      options: { words: "refund policy", in: "docs" },
    });
    expect(read("/kb search offices in Berlin")).toEqual({
      path: "kb search",
      options: { words: "offices in Berlin" },
    });
  });
});

describe("what cannot be understood", () => {
  it.each([
    ["/agnt use sales", "unknown-command -> agent use"],
    ["/agent usee sales", "unknown-command -> agent use"],
    ["/agents list", "unknown-command -> agent list"],
    ["/aks how many", "unknown-command -> ask"],
    ["/serch refunds", "unknown-command -> kb search"],
    ["/agnt", "unknown-command -> agent"],
    ["/completely-different words", "unknown-command"],
    ["/agent", "incomplete"],
    ["/agent frobnicate", "incomplete"],
    ["/agent use", "missing-option"],
    ["/kb search", "missing-option"],
    ["/agent use sales scoop workspace", "unknown-option -> scope"],
    ["/agent use sales scoop:workspace", "unknown-option -> scope"],
    ["/agent use sales scope galaxy", "bad-value"],
    ["/agent use sales name other", "given-twice"],
    ["/parley mode loud", "bad-value"],
    ["/ask how many? agnt:sales", "unknown-option -> agent"],
    ["/kb ingest a.example lmit 5", "unknown-option -> limit"],
    ["/kb ingest a.example limit five", "bad-value"],
    ["/kb ingest a.example limit 101", "bad-value"],
    ["/agent which one", "unknown-option"],
    ["/", "unknown-command"],
    ["", "unknown-command"],
  ])("says of %j: %s", (text, expected) => {
    expect(read(text)).toBe(expected);
  });
});

describe("a prefix", () => {
  it("goes before each command", () => {
    expect(parseCommand("/p-agent use sales", prefixed)).toMatchObject({ kind: "command", options: { name: "sales" } });
  });

  it("is named when it was left out", () => {
    expect(parseCommand("/agent use sales", prefixed)).toEqual({
      kind: "problem",
      problem: { kind: "unknown-command", typed: "/agent use", nearest: "agent use" },
    });
  });

  it("can be in a structured path or not", () => {
    for (const path of ["p-agent use", "agent use"]) {
      expect(parseStructured(path, { name: "sales" }, prefixed)).toMatchObject({ kind: "command" });
    }
  });
});

describe("structured input", () => {
  it("is checked as typed input is", () => {
    expect(parseStructured("kb ingest", { urls: "a.example  b.example", limit: "7" }, registry)).toMatchObject({
      options: { urls: ["a.example", "b.example"], limit: 7 },
    });
    expect(parseStructured("kb ingest", { urls: "a.example", limit: "x" }, registry)).toMatchObject({
      problem: { kind: "bad-value" },
    });
    expect(parseStructured("agent use", {}, registry)).toMatchObject({ problem: { kind: "missing-option" } });
    expect(parseStructured("agent usee", {}, registry)).toMatchObject({ problem: { nearest: "agent use" } });
    expect(parseStructured("agent use", { nam: "x" }, registry)).toMatchObject({ problem: { kind: "unknown-option" } });
  });

  it("leaves out what is empty", () => {
    expect(parseStructured("agent show", { name: " " }, registry)).toMatchObject({ kind: "command", options: {} });
  });
});

describe("for any input", () => {
  const pieces = fc.oneof(
    fc.constantFrom(
      ...registry.definitions.map(({ path }) => path),
      "agent",
      "/",
      "name",
      "scope:",
      "limit",
      "'",
      '"',
      "“",
      ":",
      "in",
      "\n",
      "5",
    ),
    fc.string(),
    fc.string({ unit: anyCharacter }),
  );

  it("never throws", () => {
    fc.assert(
      fc.property(fc.array(pieces), fc.constantFrom("/", "", "/p-"), (parts, start) => {
        const text = start + parts.join(" ");
        for (const commands of [registry, prefixed]) {
          const parsed = parseInput({ kind: "typed", text }, commands, knowsSales);
          expect(["command", "problem"]).toContain(parsed.kind);
        }
      }),
      { numRuns: runs(1000) },
    );
  });

  it("never throws for structured input", () => {
    fc.assert(
      fc.property(pieces, fc.dictionary(pieces, fc.string()), (path, options) => {
        expect(["command", "problem"]).toContain(parseInput({ kind: "structured", path, options }, registry).kind);
      }),
    );
  });

  it("reads back what it writes", () => {
    const value = fc.string({ unit: "grapheme", minLength: 1 }).filter((text) => text.trim() === text && text !== "");
    const options = fc.record(
      {
        urls: fc.array(value, { minLength: 1, maxLength: 4 }),
        into: value,
        limit: fc.integer({ min: 1, max: 100 }),
        depth: fc.integer({ min: 0, max: 1e8 }),
        by: fc.constantFrom("service", "parley"),
      },
      { requiredKeys: ["urls"] },
    );
    fc.assert(
      fc.property(options, (given) => {
        // A quoted word is a value, whatever it looks like.
        const text = formatCommand("kb ingest", given);
        const parsed = parseCommand(text, registry);
        expect(parsed).toMatchObject({ kind: "command", options: given });
      }),
      { numRuns: runs(500) },
    );
  });

  it("keeps a question as it was written", () => {
    const words = fc.array(fc.stringMatching(/^[a-zA-Z0-9?.,!"'äöü-]+$/), { minLength: 1 });
    fc.assert(
      fc.property(words, fc.constantFrom(" ", "  ", "\n"), (parts, blank) => {
        const question = parts.join(blank);
        expect(parseCommand(`/ask ${question} agent:sales`, registry)).toMatchObject({
          options: { question, agent: "sales" },
        });
      }),
    );
  });
});

/** The command as it could be typed. */
function formatCommand(path: string, options: OptionValues): string {
  const definition = registry.find(path);
  const parts = [registry.typed(path)];
  const named: string[] = [];
  for (const option of definition?.options ?? []) {
    const value = options[option.name];
    if (value === undefined) continue;
    if (typeof value === "object") parts.push(...value.map((entry) => (isPlainEntry(entry) ? entry : quote(entry))));
    else named.push(`${option.name}:${needsQuotes(String(value)) ? quote(String(value)) : String(value)}`);
  }
  return [...parts, ...named].join(" ");
}

/** A URL or a file name needs no quotes; any other word could be taken for the name of an option. */
function isPlainEntry(entry: string): boolean {
  return /[./]/.test(entry) && !needsQuotes(entry);
}

function needsQuotes(value: string): boolean {
  return /[\s:]|^["'“„‘«]/.test(value);
}

function quote(value: string): string {
  return `"${value.replaceAll('"', '""')}"`;
}

describe("the definitions", () => {
  it("stay within the limits of every platform", () => {
    for (const { path, summary, options, examples } of allCommands) {
      expect(path).toMatch(/^[a-z]{1,20}( [a-z]{1,20})?$/);
      expect(summary.length).toBeLessThanOrEqual(100);
      expect(options.length).toBeLessThanOrEqual(25);
      expect(examples.length).toBeGreaterThan(0);
      for (const option of options) {
        expect(option.name).toMatch(/^[a-z]{1,32}$/);
        expect(option.summary.length).toBeLessThanOrEqual(100);
      }
      const required = options.map(({ isRequired }) => isRequired);
      expect(required).toEqual([...required].sort((a, b) => Number(b) - Number(a)));
    }
  });

  it("have examples that are understood", () => {
    for (const definition of allCommands) {
      for (const example of definition.examples) {
        expect(parseCommand(`/${example}`, registry)).toMatchObject({
          kind: "command",
          definition: { path: definition.path },
        });
      }
    }
  });
});
