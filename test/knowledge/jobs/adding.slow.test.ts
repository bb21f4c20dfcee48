/** `/kb add` and `/kb query`: text, rows, files, and a query that is shown back first. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { profileOf } from "../../../src/agent-service/mindsdb/profile.ts";
import { isSingleSelect } from "../../../src/commands/knowledge-bases/query.ts";
import { ParleyError } from "../../../src/core/errors.ts";
import type { Attachment } from "../../../src/core/model/place.ts";
import type { Insert } from "../../../src/core/ports/agent-service.ts";
import { docxOf, openDocumentOf, pptxOf, xlsxOf } from "../../doubles/files/office.ts";
import { admin, general } from "../../doubles/people.ts";
import { openRoom, type Room } from "../room.ts";

let room: Room;

beforeEach(async () => {
  room = await openRoom();
  await room.makeBase("docs");
});

afterEach(async () => {
  expect(room.platform.violations).toEqual([]);
  await room.close();
});

/** The platform in memory gives a file's reference as its content. */
function file(name: string, content: string, changes: Partial<Attachment> = {}): Attachment {
  const sizeBytes = Buffer.byteLength(content);
  return { id: name, name, mediaType: "application/octet-stream", sizeBytes, reference: content, ...changes };
}

const found = async (words: string) => (await room.passages("docs", words)).map(({ content }) => content);

describe("/kb add", () => {
  it("adds text as it was written", async () => {
    const said = await room.say("/kb add Refunds take five days. into:docs");
    const job = await room.over();

    expect(said.text).toContain("Adding 1 item to docs");
    expect(job.items).toMatchObject([{ state: "done", rows: 1, label: "Refunds take five days." }]);
    expect(await found("refunds")).toEqual(["Refunds take five days."]);
    expect(await room.audit("kb add")).toMatchObject([{ role: "ingest", outcome: "done", about: { done: "1" } }]);
  });

  it.each([
    ['[{"id":"1","content":"Refunds take five days."},{"id":"2","content":"Parcels leave at noon."}]'],
    ['```json\n{"id":"1","content":"Refunds take five days."}\n{"id":"2","content":"Parcels leave at noon."}\n```'],
    ["id,content\n1,Refunds take five days.\n2,Parcels leave at noon."],
  ])("adds pasted rows: %s", async (text) => {
    await room.say(`/kb add ${text}`);
    const job = await room.over();

    expect(job.items).toMatchObject([{ state: "done", rows: 2, label: "Pasted text" }]);
    expect(await found("parcels noon")).toContain("Parcels leave at noon.");
  });

  it("replaces rows with the same id, and does not double the same content", async () => {
    await room.say('/kb add [{"id":"1","content":"Refunds take five days."}]');
    await room.over();
    await room.say('/kb add [{"id":"1","content":"Refunds take nine days."}]');
    await room.over();
    await room.say("/kb add Refunds are rare.");
    await room.over();
    await room.say("/kb add Refunds are rare.");
    await room.over();

    expect(await found("nine days")).toEqual(["Refunds take nine days."]);
    expect(await found("rare")).toEqual(["Refunds are rare."]);
  });

  it("adds nothing of rows that are wrong somewhere, and says where", async () => {
    await room.say("/kb add", { attachments: [file("faq.json", '[{"id":"1","content":"good"},\n{"id":}]')] });
    const job = await room.over();

    expect(job).toMatchObject({ state: "failed", items: [{ reason: "invalid JSON at line 2, column 7" }] });
    expect(room.shown()[0]).toContain("invalid JSON at line 2, column 7");
    expect(await found("good")).toEqual([]);
  });

  it("says in one line what it assumed to read a table", async () => {
    await room.say("/kb add", { attachments: [file("faq.csv", "sep=;\n;place\nnine;harbour\nten;mill;extra\n")] });
    const job = await room.over();
    const note = "first heading named “column 1”; row 2 has one value too many, kept from “column 3” on";

    expect(job.items).toMatchObject([{ state: "done", rows: 2, notes: [note] }]);
    expect(room.shown().at(-1)).toContain(note);
    expect(await found("harbour")).toContain("column 1: nine\nplace: harbour");
  });

  it("adds attached tables, text, Markdown and pages as rows", async () => {
    const attachments = [
      file("faq.csv", "id,content\n1,Refunds take five days."),
      file("notes.md", "# Shipping\n\nParcels leave at noon."),
      file("page.html", "<title>Warranty</title><main><p>Warranty lasts two years.</p></main>"),
      file("data.jsonl", '{"content":"Support answers in an hour."}'),
    ];
    await room.say("/kb add", { attachments });
    const job = await room.over();

    expect(job.items.map(({ state, label, rows }) => [state, label, rows])).toEqual(
      attachments.map(({ name }) => ["done", name, 1]),
    );
    expect((await room.passages("docs", "parcels noon"))[0]?.source.title).toBe("notes.md");
    expect(await found("warranty")).toContain("Warranty lasts two years.");
  });

  const fees = [
    ["Zone", "Fee"],
    ["North", "12.50"],
    ["South", "9.80"],
  ];
  const sheet = (name: string) =>
    `<table:table table:name="${name}">${fees.map((cells) => `<table:table-row>${cells.map((cell) => `<table:table-cell><text:p>${cell}</text:p></table:table-cell>`).join("")}</table:table-row>`).join("")}</table:table>`;

  it.each([
    ["fees.xlsx", xlsxOf({ Spring: fees, Autumn: fees, Empty: [] }), "2 sheets, 4 rows"],
    ["fees.ods", openDocumentOf("spreadsheet", sheet("Spring")), "1 sheet, 2 rows"],
    ["talk.pptx", pptxOf([{ title: "Fees" }, { title: "Zones" }, { title: "Dates" }]), "3 slides"],
    ["handbook.docx", docxOf([{ text: "Refunds take five days." }]), "1 file"],
  ])("says how much the document %s has", async (name, bytes, size) => {
    room.attach(async function* () {
      yield bytes;
    });
    await room.say("/kb add", { attachments: [file(name, name)] });
    await room.over();

    expect(room.shown().at(-1)).toContain(`✓ ${name} · ${size}\n`);
  });

  it("adds an attached page in the encoding that it says", async () => {
    const html = '<meta charset="iso-8859-1"><title>Käse</title><main><p>Käse für alle.</p></main>';
    const mediaType = "text/html; charset=iso-8859-1";
    await room.say("/kb add", { attachments: [file("page.html", html, { mediaType })] });
    await room.over();

    expect((await found("alle"))[0]).toContain("Käse für alle.");
  });

  it("uploads what it cannot read itself, and cleans up behind it", async () => {
    room.faults.profile = async () => profileOf({ mindsdb_version: "25.9.1" }, undefined);
    const uploaded: string[] = [];
    const inserted: Insert[] = [];
    const deleted: string[] = [];
    room.faults.uploadFile = async (name, { content, fileName }) => {
      const parts: Uint8Array[] = [];
      for await (const part of content) parts.push(part);
      uploaded.push(`${name} ${fileName} ${Buffer.concat(parts).toString()}`);
    };
    room.faults.insert = async (_project, _base, what) => {
      inserted.push(what);
    };
    room.faults.deleteFile = async (name) => {
      deleted.push(name);
    };
    await room.say("/kb add", { attachments: [file("manual.pdf", "%PDF")] });
    const job = await room.over();

    const name = `parley_${job.id}_`;
    expect(uploaded).toEqual([expect.stringMatching(new RegExp(`^${name}[0-9a-f]{8} manual\\.pdf %PDF$`))]);
    expect(inserted).toEqual([{ files: [expect.stringContaining(name)] }]);
    expect(deleted.at(-1)).toContain(name);
    expect(job.state).toBe("done");
  });

  it("refuses files by kind and size before it opens them", async () => {
    const attachments = [
      file("film.mp4", "x"),
      file("empty.csv", ""),
      file("large.csv", "x", { sizeBytes: 200 * 1024 * 1024 }),
      file("nothing", "x"),
      file("good.txt", "Refunds take five days."),
    ];
    await room.say("/kb add", { attachments });
    const job = await room.over();

    expect(job.items.map(({ state, reason }) => [state, reason])).toEqual([
      ["failed", "files of this type (.mp4) can't be added"],
      ["failed", "it's empty"],
      ["failed", "the file is larger than 25 MB"],
      ["failed", "files of this type (no extension) can't be added"],
      ["done", undefined],
    ]);
  });

  it("says what a file lacks that is smaller than it claimed", async () => {
    await room.say("/kb add", { attachments: [file("empty.txt", "", { sizeBytes: 5 })] });

    expect((await room.over()).items[0]?.reason).toBe("it's empty");
  });

  it("opens its form with a button where nothing was given, and offers to create what doesn't exist", async () => {
    expect((await room.say("/kb add")).document.actions).toMatchObject([{ id: "open-form", value: "kb add" }]);
    expect((await room.say("/kb add words into:nowhere")).document.actions).toMatchObject([
      { id: "open-form", value: "kb create nowhere" },
    ]);
  });
});

describe("/kb query", () => {
  beforeEach(() => {
    room.faults.profile = async () => profileOf({ mindsdb_version: "25.9.1" }, undefined);
  });

  it("shows the query back, and runs it when it is confirmed", async () => {
    const inserted: Insert[] = [];
    room.faults.insert = async (_project, _base, what) => {
      inserted.push(what);
    };
    const { document } = await room.say(
      "/kb query SELECT id, answer AS content FROM shop.faq WHERE note = 'a;b'; into:docs",
    );
    const [confirm] = document.actions;

    expect(inserted).toEqual([]);
    expect(document.blocks).toContainEqual({
      kind: "code",
      language: "sql",
      text: "SELECT id, answer AS content FROM shop.faq WHERE note = 'a;b'",
    });
    await room.press("confirm", confirm?.value ?? "");
    await room.over();

    expect(inserted).toEqual([{ query: "SELECT id, answer AS content FROM shop.faq WHERE note = 'a;b'" }]);
    expect(await room.audit("kb query")).toMatchObject([{ role: "manage", outcome: "done" }]);
    expect((await room.press("confirm", confirm?.value ?? "")).text).toContain("has expired");
  });

  it("needs the role of managers, also to be confirmed and tried again", async () => {
    const { commands } = room.parts();
    room.faults.insert = async () => {
      throw new ParleyError("insert_failed");
    };
    const { document } = await room.say("/kb query SELECT 1 AS content");
    await room.press("confirm", document.actions[0]?.value ?? "");
    const job = await room.over();
    const member = { actor: { ...admin, isAdmin: false } };

    expect(commands.plan({ kind: "typed", text: "/kb query SELECT 1" }).role).toBe("manage");
    expect(commands.planAction("confirm", "kb-query x").role).toBe("manage");
    await expect(room.press("retry-job", job.id, member)).rejects.toThrow(/Only managers/);
  });

  it.each([
    "SELECT * FROM a; DROP TABLE b",
    "DROP TABLE a",
    "SELECT 'it''s' FROM a; DELETE FROM b",
    "SELECT 1 /* ; */ ; DELETE FROM b",
    "SELECT 1 INTO b",
    "DELETE FROM a",
    "WITH x AS (DELETE FROM a) SELECT 1",
    "SELECT 'unclosed",
    // What one dialect takes for a text or a comment is a statement in another.
    "SELECT '\\'; DROP TABLE b; SELECT '",
    'SELECT "\\"; DROP TABLE b; SELECT "',
    "SELECT 1--1; DROP TABLE b",
    "SELECT 1 # '\n; DROP TABLE b #'",
    "SELECT 1 /*! ; DROP TABLE b */",
    "SELECT 1 -- nothing",
    "SELECT * FROM shop (CALL wipe())",
    "SELECT * FROM shop (GRANT ALL ON a TO b)",
    "",
  ])("refuses %j", (sql) => {
    expect(isSingleSelect(sql)).toBe(false);
  });

  it.each([
    "SELECT id, content FROM shop.faq",
    "select * from `my;table` where a = 'x;y'",
    'select "a ""quoted"" name", \'it\'\'s -- no # comment\' from `a "b"`',
    "select replace(content, '\\n', ' ') as content from shop.faq",
    "WITH x AS (SELECT 1 AS content) SELECT content FROM x",
    "SELECT created_at, 'drop table' AS content FROM a",
  ])("takes %j", (sql) => {
    expect(isSingleSelect(sql)).toBe(true);
  });
});

describe("a knowledge base", () => {
  it("is the channel's, unless another one is named", async () => {
    await room.makeBase("other");
    await room.parts().bindings.setChannel(general, { knowledgeBase: "other" });
    await room.say("/kb add Refunds take five days.");

    expect((await room.over()).knowledgeBase).toBe("other");
  });
});
