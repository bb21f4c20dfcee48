import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type PythonValue, parsePythonLiteral } from "../../../src/agent-service/mindsdb/python-literal.ts";
import { anyCharacter } from "../../any-character.ts";
import { runs } from "../../properties.ts";

/** What Python's repr prints for a value, quotes chosen as Python chooses them. */
function repr(value: PythonValue): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "number") return String(value);
  if (typeof value === "string") return reprString(value);
  if (Array.isArray(value)) return `[${value.map(repr).join(", ")}]`;
  return `{${Object.entries(value)
    .map(([key, item]) => `${reprString(key)}: ${repr(item)}`)
    .join(", ")}}`;
}

function reprString(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const escaped = [...text].map((character) => {
    if (character === "\\" || character === quote) return `\\${character}`;
    if (character === "\n") return "\\n";
    if (character === "\r") return "\\r";
    if (character === "\t") return "\\t";
    const code = character.codePointAt(0) as number;
    return code < 32 || code === 127 ? `\\x${code.toString(16).padStart(2, "0")}` : character;
  });
  return quote + escaped.join("") + quote;
}

const pythonValue = fc.letrec<{ value: PythonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.string({ unit: anyCharacter }).filter((text) => text.isWellFormed()),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(fc.string(), tie("value"), { maxKeys: 4, noNullPrototype: false }),
  ),
})).value;

describe("the reader of Python literals", () => {
  it("reads back everything that repr prints", () => {
    fc.assert(
      fc.property(pythonValue, (value) => {
        const read = parsePythonLiteral(repr(value));

        expect(JSON.stringify(read)).toBe(JSON.stringify(value));
      }),
      { numRuns: runs(500) },
    );
  });

  it("never throws and never hangs on any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."{}[]()'\"\\,: abNoneTrue019.-xu\n") }), (text) => {
        parsePythonLiteral(text);
      }),
      { numRuns: runs(2000) },
    );
  });

  it("refuses a literal with anything left over", () => {
    fc.assert(
      fc.property(pythonValue, fc.constantFrom("x", "'", "}", "]", ",", " 1"), (value, rest) => {
        expect(parsePythonLiteral(repr(value) + rest)).toBeUndefined();
      }),
    );
  });

  it.each([
    ["{'a': 1, 'b': 'it\\'s'}", { a: 1, b: "it's" }],
    [`{"o'clock": True, 'none': None}`, { "o'clock": true, none: null }],
    ["('a', 1.5, -2e3,)", ["a", 1.5, -2000]],
    ["()", []],
    ["'\\x41\\u00e9\\U0001F600\\\\'", "Aé😀\\"],
    ["{1: 'one', True: 'yes'}", { 1: "one", true: "yes" }],
    ["{'nested': {'list': [1, [2, 'three']]}}", { nested: { list: [1, [2, "three"]] } }],
    ["inf", Number.POSITIVE_INFINITY],
    ["1_000", 1000],
  ])("reads %s", (text, value) => {
    expect(JSON.stringify(parsePythonLiteral(text))).toBe(JSON.stringify(value));
  });

  it.each([
    "datetime.datetime(2026, 11, 21)",
    "__import__('os')",
    "{'a': Timestamp('2026')}",
    "b'bytes'",
    "f'{x}'",
    "'open",
    "{'a' 1}",
    "{'a': }",
    "{[1]: 2}",
    "[1 2]",
    "(1)",
    "'\\q'",
    "'\\u12'",
    "'\\U00110000'",
    "-None",
    "constructor",
    "",
  ])("refuses %s", (text) => {
    expect(parsePythonLiteral(text)).toBeUndefined();
  });

  it("refuses what is nested too deeply, instead of running out of stack", () => {
    expect(parsePythonLiteral(`${"[".repeat(50_000)}${"]".repeat(50_000)}`)).toBeUndefined();
  });

  it("treats a key named __proto__ like any other", () => {
    const read = parsePythonLiteral("{'__proto__': {'url': 'x'}}") as Record<string, unknown>;

    expect(Object.keys(read)).toEqual(["__proto__"]);
    expect(read["url"]).toBeUndefined();
  });
});
