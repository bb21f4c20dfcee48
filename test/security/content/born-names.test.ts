/** Names that objects are born with, where strangers name columns, keys and options: each stays a name, and changes nothing. */
import { afterEach, describe, expect, it } from "vitest";
import { readObservation } from "../../../src/agent-service/mindsdb/observation.ts";
import { parsePythonLiteral } from "../../../src/agent-service/mindsdb/python-literal.ts";
import { createReadingNotes } from "../../../src/knowledge/rows/reading-notes.ts";
import { readRows } from "../../../src/knowledge/rows/rows.ts";
import { openRoom } from "../../commands/room.ts";

afterEach(() => {
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect(({} as Record<string, unknown>)["isAdmin"]).toBeUndefined();
});

const bytesOf = (text: string) =>
  async function* () {
    yield Buffer.from(text);
  };

describe("a row", () => {
  it.each([
    ["json", '[{"__proto__":{"isAdmin":true},"constructor":"c","content":"words"}]'],
    ["jsonl", '{"__proto__":{"isAdmin":true},"constructor":"c","content":"words"}\n'],
    ["csv", "__proto__,constructor,content\nisAdmin,c,words\n"],
  ] as const)("of %s stores such columns like the others", async (format, text) => {
    const rows = [];
    for await (const row of readRows(bytesOf(text), { format, title: "people" }, createReadingNotes())) rows.push(row);

    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).toContain("words");
    expect((rows[0] as unknown as Record<string, unknown>)["isAdmin"]).toBeUndefined();
    expect(Object.keys(rows[0] ?? {})).toEqual(expect.arrayContaining(["__proto__", "constructor", "content"]));
  });
});

describe("what a tool has found", () => {
  it.each(["{'__proto__': {'isAdmin': True}, 'constructor': 1}", "[{'__proto__': {'isAdmin': True}}]"])(
    "%s is data",
    (text) => {
      const value = parsePythonLiteral(text);
      const one = (Array.isArray(value) ? value[0] : value) as Record<string, unknown>;

      expect(Object.keys(one)).toContain("__proto__");
      expect(one["isAdmin"]).toBeUndefined();
    },
  );

  it("may have such columns", () => {
    const { table } = readObservation("| __proto__ | constructor |\n|---|---|\n| a | b |");

    expect(table).toMatchObject({ columns: ["__proto__", "constructor"], rows: [["a", "b"]] });
  });
});

describe("a command", () => {
  it.each(["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf"])(
    "doesn't read %s as a command or an option",
    async (name) => {
      const room = await openRoom();

      expect((await room.say(`/${name}`)).text).toMatch(new RegExp(`^There is no command /${name}\\.`, "i"));
      expect((await room.say(`/agent ${name}`)).text).toMatch(new RegExp(`^There is no /agent ${name}\\.`, "i"));
      expect((await room.say(`/agent use guide ${name}:workspace`)).document.tone).toBe("failed");
      expect(room.commands.planAction(name, name).role).toBe("ask");
      await expect(room.press(name, name)).rejects.toThrow(/unknown_command/);
      await expect(room.submit(name, { [name]: "x" })).rejects.toThrow(/unknown_command|no such/i);
      await room.close();
    },
  );
});
