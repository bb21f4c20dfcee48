/** What is read of documents: headings, tables, slides with their notes, sheets, e-mails. */
import { expect, it } from "vitest";
import { readDocument } from "../../../src/knowledge/documents/document.ts";
import { storedParts, textOfParts } from "../../../src/knowledge/documents/document-rows.ts";
import { createReadingNotes } from "../../../src/knowledge/rows/reading-notes.ts";
import { docxOf, openDocumentOf, pptxOf, xlsxOf } from "../../doubles/files/office.ts";
import { pageOf, pdfOf } from "../../doubles/files/pdf.ts";

const fees = [
  ["Zone", "Fee"],
  ["North", "12.50"],
  ["South", "9.80"],
];
const feesAsMarkdown = "| Zone | Fee |\n| --- | --- |\n| North | 12.50 |\n| South | 9.80 |";

async function rowsOf(bytes: Uint8Array, name: string) {
  return Array.fromAsync(storedParts(await readDocument(bytes), name, createReadingNotes()));
}

it("reads the headings, paragraphs, lists and tables of a PDF", async () => {
  const { parts } = await readDocument(
    pdfOf([
      pageOf([
        { heading: "Handbook" },
        {
          text: "A sentence that is longer than one line is one paragraph, however often its lines are broken in the file.",
        },
        { heading: "Fees", level: 2 },
        { table: fees },
      ]),
    ]),
  );

  expect(parts).toEqual([
    {
      label: "page 1",
      fragment: "#page=1",
      text: `# Handbook\n\nA sentence that is longer than one line is one paragraph, however often its lines are broken in the file.\n\n## Fees\n\n${feesAsMarkdown}`,
    },
  ]);
});

it("keeps an empty cell of a PDF's table in its column, and the rest of a wrapped cell in its row", async () => {
  const at = (y: number, texts: readonly (readonly [number, string])[]) => texts.map(([x, text]) => ({ x, y, text }));
  const { parts } = await readDocument(
    pdfOf([
      [
        ...at(700, [
          [72, "Zone"],
          [200, "Fee"],
          [300, "Note"],
        ]),
        ...at(684, [
          [72, "North"],
          [300, "only in winter,"],
        ]),
        ...at(672, [[300, "from November"]]),
        ...at(656, [
          [72, "South"],
          [200, "9.80"],
          [300, "all year"],
        ]),
      ],
    ]),
  );

  expect(parts).toMatchObject([
    {
      text: "| Zone | Fee | Note |\n| --- | --- | --- |\n| North |  | only in winter, from November |\n| South | 9.80 | all year |",
    },
  ]);
});

it("reads a Word document with its headings and tables", async () => {
  const bytes = docxOf([
    { heading: "Tariffs" },
    { heading: "Grid", level: 2 },
    { text: "By zone & month." },
    { table: fees },
  ]);

  expect(await rowsOf(bytes, "tariffs.docx")).toEqual([
    {
      label: "",
      fragment: "",
      title: "tariffs.docx",
      content: `# Tariffs\n\n## Grid\n\nBy zone & month.\n\n${feesAsMarkdown}`,
    },
  ]);
});

it("reads each sheet of a workbook as a table, also where two have the same rows", async () => {
  const bytes = xlsxOf({
    "North & South": [
      ["Zone", "Fee"],
      ["A, north", 12.5],
      ["B", 9.8],
    ],
    Older: [
      ["Zone", "Fee"],
      ["B", 9.8],
    ],
    Empty: [],
    Title: [["Only one line"]],
  });
  const rows = await rowsOf(bytes, "fees.xlsx");

  expect(rows.map((one) => ("row" in one ? one.row["title"] : one.title))).toEqual([
    "fees.xlsx (North & South), row 1",
    "fees.xlsx (North & South), row 2",
    "fees.xlsx (Older), row 1",
    "fees.xlsx, Title",
  ]);
  expect(rows[0]).toMatchObject({ row: { Zone: "A, north", Fee: "12.5" } });
  const ids = rows.flatMap((one) => ("row" in one ? String(one.row["id"]) : []));
  expect(new Set(ids).size).toBe(3);
});

it("reads hidden sheets too", async () => {
  const bytes = xlsxOf({ Fees: fees, Margins: [...fees, ["West", "7.10"]] }, { hidden: ["Margins"] });

  expect((await rowsOf(bytes, "fees.xlsx")).map((one) => "row" in one && one.row["title"])).toContain(
    "fees.xlsx (Margins), row 3",
  );
});

it.each([
  ["a stray cell at its end", '<row r="1048576"><c r="XFD1048576"><v>7</v></c></row>', 3],
  ["thousands of formatted rows that are empty", '<row><c s="1"/></row>'.repeat(100_001), 2],
  ["cells without places", "<row><c><v>West</v></c><c><v>7</v></c></row>", 3],
  ["a number that no date has", '<row><c r="A9" s="1"><v>99999999999</v></c></row>', 3],
])("reads a sheet with %s", async (_what, more, rows) => {
  const styles = '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs>';

  expect(await rowsOf(xlsxOf({ Fees: fees }, { more, styles }), "fees.xlsx")).toHaveLength(rows);
});

it("reads dates and times of a workbook as such, and its errors", async () => {
  const styles =
    '<numFmts><numFmt numFmtId="165" formatCode="[$-407]d. mmmm yyyy"/><numFmt numFmtId="166" formatCode="0.0 &quot;days&quot;"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="165"/><xf numFmtId="22"/><xf numFmtId="20"/><xf numFmtId="166"/></cellXfs>';
  const more =
    '<row><c s="1"><v>45000</v></c><c s="2"><v>45000.25</v></c><c s="3"><v>0.5</v></c><c s="4"><v>0.30000000000000004</v></c><c t="b"><v>1</v></c><c t="e"><v>#REF!</v></c></row>';
  const [row] = await rowsOf(
    xlsxOf({ Days: [["Day", "Begin", "Time", "Long", "Paid", "Sum"]] }, { more, styles }),
    "d.xlsx",
  );

  expect(row).toMatchObject({
    row: {
      Day: "2023-03-15",
      Begin: "2023-03-15 06:00:00",
      Time: "12:00:00",
      Long: "0.3",
      Paid: "true",
      Sum: "#REF!",
    },
  });
});

it("shortens the name of a sheet, which is part of every row's title", async () => {
  const [row] = await rowsOf(xlsxOf({ ["n\n".repeat(1_000)]: fees }), "fees.xlsx");

  expect(row && "row" in row && String(row.row["title"]).length).toBeLessThan(90);
});

it("reads slides in the order in which they are shown, with tables and the speaker's notes", async () => {
  const bytes = pptxOf(
    [
      { title: "Last", text: "Thanks" },
      { title: "First", text: "Our fees", table: fees, notes: "Say why they rose." },
    ],
    [2, 1],
  );

  expect((await readDocument(bytes)).parts).toEqual([
    { label: "slide 1", text: `# First\n\nOur fees\n\n${feesAsMarkdown}\n\nNotes: Say why they rose.` },
    { label: "slide 2", text: "# Last\n\nThanks" },
  ]);
});

it("reads an OpenDocument text without what was deleted, and with its tables and lists", async () => {
  const cell = (text: string) => `<table:table-cell><text:p>${text}</text:p></table:table-cell>`;
  const table = fees.map((cells) => `<table:table-row>${cells.map(cell).join("")}</table:table-row>`).join("");
  const bytes = openDocumentOf(
    "text",
    `<text:tracked-changes><text:p>deleted</text:p></text:tracked-changes><text:h text:outline-level="2">Fees</text:h><text:p>By<text:s text:c="2"/>zone.</text:p><text:list><text:list-item><text:p>one</text:p></text:list-item></text:list><table:table>${table}</table:table>`,
  );

  expect((await readDocument(bytes)).parts).toEqual([
    { label: "", text: `## Fees\n\nBy zone.\n\n- one\n\n${feesAsMarkdown}` },
  ]);
});

it("reads OpenDocument's sheets and slides", async () => {
  const row = (cells: readonly string[]) =>
    `<table:table-row>${cells.map((text) => `<table:table-cell><text:p>${text}</text:p></table:table-cell>`).join("")}<table:table-cell table:number-columns-repeated="16384"/></table:table-row>`;
  const sheet = `<table:table table:name="Fees">${fees.map(row).join("")}<table:table-row table:number-rows-repeated="1048576"><table:table-cell/></table:table-row></table:table>`;
  const slide =
    '<draw:page draw:name="a"><draw:frame><draw:text-box><text:p>Welcome</text:p></draw:text-box></draw:frame><presentation:notes><text:p>Smile</text:p></presentation:notes></draw:page>';

  expect(
    (await rowsOf(openDocumentOf("spreadsheet", sheet), "fees.ods")).map((one) => "row" in one && one.row["content"]),
  ).toEqual(["Zone: North\nFee: 12.50", "Zone: South\nFee: 9.80"]);
  expect((await readDocument(openDocumentOf("presentation", slide))).parts).toEqual([
    { label: "slide 1", text: "Welcome\n\nNotes: Smile" },
  ]);
});

it("reads an e-mail with who wrote it, and names what is attached", async () => {
  const mail = [
    "From: Ann Example <ann@example.com>",
    "To: team@example.com",
    "Subject: =?utf-8?q?Grid_f=C3=A9es?=",
    "Date: Tue, 03 Mar 2026 09:00:00 +0000",
    'Content-Type: multipart/mixed; boundary="b"',
    "",
    "--b",
    "Content-Type: text/html; charset=utf-8",
    "",
    "<p>They <b>rise</b> in May.</p>",
    "--b",
    'Content-Disposition: attachment; filename="fees.xlsx"',
    "Content-Type: application/octet-stream",
    "",
    "x",
    "--b--",
  ].join("\r\n");
  const { parts, notes } = await readDocument(Buffer.from(mail));

  expect(parts).toEqual([
    {
      label: "",
      text: "# Grid fées\n\nFrom: Ann Example <ann@example.com>\nTo: team@example.com\nDate: 2026-03-03T09:00:00.000Z\n\nThey **rise** in May.",
    },
  ]);
  expect(notes).toEqual(["attached and not read: fees.xlsx"]);
});

it("reads copies and groups of an e-mail, and keeps its subject in one line", async () => {
  const mail = [
    "From: Ann Example <ann@example.com>",
    "To: Undisclosed recipients:;",
    "Cc: Team: bob@example.com, cy@example.com;, dee@example.com",
    "Subject: =?utf-8?q?Fees=0A=0A=23_Official?=",
    "",
    "They rise.",
  ].join("\r\n");

  expect((await readDocument(Buffer.from(mail))).parts).toEqual([
    {
      label: "",
      text: "# Fees # Official\n\nFrom: Ann Example <ann@example.com>\nTo: Undisclosed recipients\nCc: Team (bob@example.com, cy@example.com), dee@example.com\n\nThey rise.",
    },
  ]);
});

it.each([
  ["another header first", "ARC-Seal: i=1\r\nFrom: a@example.com\r\n\r\nGrüße"],
  ["a mark of its encoding", "\uFEFFFrom: a@example.com\r\n\r\nGrüße"],
  ["the line of a mailbox", "From a@example.com Mon Mar  2 09:00:00 2026\r\nFrom: a@example.com\r\n\r\nGrüße"],
])("reads an e-mail that begins with %s", async (_what, mail) => {
  expect((await readDocument(Buffer.from(mail))).parts).toMatchObject([{ text: expect.stringContaining("Grüße") }]);
});

it("reads an e-mail that doesn't name its encoding", async () => {
  const mail = Buffer.from("From: a@example.com\r\nSubject: Gebühren\r\n\r\nViele Grüße aus München", "latin1");

  expect((await readDocument(mail)).parts).toEqual([
    { label: "", text: "# Gebühren\n\nFrom: a@example.com\n\nViele Grüße aus München" },
  ]);
});

it("names the attachments of an e-mail that has nothing else", async () => {
  const mail =
    'From: a@example.com\r\nContent-Type: application/pdf\r\nContent-Disposition: attachment; filename="fees.pdf"\r\n\r\nx';

  await expect(readDocument(Buffer.from(mail))).rejects.toThrow("it has no text, only attachments: fees.pdf");
});

it("keeps both tables of an OpenDocument text where one is in a cell of the other", async () => {
  const cell = (inside: string) => `<table:table-cell>${inside}</table:table-cell>`;
  const row = (...cells: readonly string[]) => `<table:table-row>${cells.map(cell).join("")}</table:table-row>`;
  const paragraph = (text: string) => `<text:p>${text}</text:p>`;
  const inner = `<table:table>${row(paragraph("inner"))}</table:table>`;
  const table = `<table:table>${row(paragraph("Zone"), paragraph("Note"))}${row(paragraph("North"), `${paragraph("before")}${inner}${paragraph("after")}`)}</table:table>`;

  expect((await readDocument(openDocumentOf("text", table))).parts).toMatchObject([
    { text: "| Zone | Note |\n| --- | --- |\n| North | before inner after |" },
  ]);
});

it("reads cells of OpenDocument that have only a value", async () => {
  const cells = (...values: readonly string[]) =>
    `<table:table-row>${values.map((value) => `<table:table-cell ${value}/>`).join("")}</table:table-row>`;
  const sheet = `<table:table table:name="Fees">${cells('office:string-value="Zone"', 'office:string-value="Fee"')}${cells('office:string-value="North"', 'office:value="12.5"')}</table:table>`;

  expect(await rowsOf(openDocumentOf("spreadsheet", sheet), "fees.ods")).toMatchObject([
    { row: { content: "Zone: North\nFee: 12.5" } },
  ]);
});

it("reads a slide once, however often the presentation lists it", async () => {
  const bytes = pptxOf([{ title: "First" }, { title: "Last" }], [1, 1, 2, 1]);

  expect((await readDocument(bytes)).parts.map(({ label }) => label)).toEqual(["slide 1", "slide 2"]);
});

it("gives a question as much of a document as fits, and says what is left out", async () => {
  const document = await readDocument(pdfOf([1, 2, 3].map((page) => pageOf([{ text: `Words of page ${page}.` }]))));

  expect(textOfParts(document, 60)).toEqual({
    text: "(page 1)\nWords of page 1.\n\n(page 2)\nWords of page 2.",
    left: ["page 3"],
  });
});
