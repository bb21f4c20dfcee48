/** Documents that are broken or mean harm, through jobs and the real child process: one clear sentence for each. */
import { deflateSync } from "node:zlib";
import { strToU8, zipSync } from "fflate";
import { afterEach, beforeEach, expect, it } from "vitest";
import { docxOf, openDocumentOf, packed, xlsxOf } from "../../doubles/files/office.ts";
import { pdfOf } from "../../doubles/files/pdf.ts";
import { tampered } from "../../doubles/files/tampered-zip.ts";
import { openRoom, type Room } from "../room.ts";

let room: Room;

beforeEach(async () => {
  room = await openRoom();
  await room.makeBase("docs");
});

afterEach(async () => {
  await room.close();
});

async function add(name: string, bytes: Uint8Array) {
  room.attach(async function* () {
    yield bytes;
  });
  const attachment = {
    id: name,
    name,
    mediaType: "application/octet-stream",
    sizeBytes: bytes.length,
    reference: name,
  };
  await room.say("/kb add", { attachments: [attachment] });
  return (await room.over()).items[0];
}

const word = docxOf([{ text: "All is well." }]);
const letter = openDocumentOf("text", "<text:p>All is well.</text:p>".repeat(100));
/** A hundred names for one large file. */
const overlapping = () => {
  const names = Array.from({ length: 100 }, (_none, index) => `copy${String(index).padStart(2, "0")}.xml`);
  const large = Buffer.alloc(1_000_000, " ").toString();
  const bytes = packed({ "word/document.xml": large, ...Object.fromEntries(names.map((name) => [name, "<x/>"])) });
  return names.reduce((all, name) => tampered(all, name, { sameAs: "word/document.xml" }), bytes);
};
const oneMillionRows = () =>
  packed({
    "xl/workbook.xml": "<workbook/>",
    "xl/worksheets/sheet1.xml": `<worksheet><sheetData>${"<row><c><v>1</v></c></row>".repeat(1_000_000)}</sheetData></worksheet>`,
  });
const bomb = () =>
  Buffer.from(
    zipSync({ "word/document.xml": new Uint8Array(150 * 1024 * 1024), "[Content_Types].xml": strToU8("<Types/>") }),
  );
const manyFiles = () =>
  packed(Object.fromEntries(Array.from({ length: 10_001 }, (_none, index) => [`${index}.xml`, ""])));
const oldOffice = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, ...Array.from({ length: 600 }, () => 0)]);
const encryptedOffice = Buffer.concat([oldOffice, Buffer.from("EncryptedPackage", "utf16le")]);
const withPassword = pdfOf([[{ text: "secret", y: 700 }]], {
  trailer: `/ID[<00><00>]/Encrypt<</Filter/Standard/V 1/R 2/O<${"41".repeat(32)}>/U<${"42".repeat(32)}>/P -4>>`,
});
/** 1.5 GB of spaces in 1.5 MB: the limit of the heap doesn't hold what a parser unpacks. */
const pdfBomb = () => {
  const content = deflateSync(Buffer.alloc(1_500_000_000, " "), { level: 1 });
  const [before = "", after = ""] = pdfOf([[{ text: "x", y: 700 }]])
    .toString("latin1")
    .split(/<<\/Length \d+>>stream\n[\s\S]*?\nendstream/);
  return Buffer.from(
    `${before}<</Length ${content.length}/Filter/FlateDecode>>stream\n${content.toString("latin1")}\nendstream${after}`,
    "latin1",
  );
};
const unmapped = pdfOf([[{ text: "\x01\x02\x03\x04\x05\x06", y: 700 }]], {
  font: "<</Type/Font/Subtype/Type3/FontBBox[0 0 9 9]/FontMatrix[.1 0 0 .1 0 0]/CharProcs<<>>/Encoding<</Differences[1/g1/g2/g3/g4/g5/g6]>>/FirstChar 1/LastChar 6/Widths[9 9 9 9 9 9]>>",
});

it.each<[string, string, () => Uint8Array, string]>([
  ["that is a program", "letter.docx", () => Buffer.from("MZ\x90\0\x03"), "it's a program, not a document"],
  ["that is an archive", "letter.docx", () => packed({ "a.txt": "hello" }), "it isn't a document that can be read"],
  ["that unpacks to 150 MB", "letter.docx", bomb, "it unpacks to more than 100 MB"],
  ["of 10,001 files", "letter.docx", manyFiles, "it's packed from more than 10,000 files"],
  ["that was cut off", "letter.docx", () => word.subarray(0, word.length - 200), "the file is damaged or incomplete"],
  [
    "that unpacks to more than it says",
    "letter.odt",
    () => tampered(letter, "content.xml", { size: 900 }),
    "the file is damaged or incomplete",
  ],
  [
    "whose bytes were changed on the way",
    "letter.odt",
    () => tampered(letter, "content.xml", { crc: 1 }),
    "the file is damaged or incomplete",
  ],
  ["whose files overlap", "letter.docx", overlapping, "the file is damaged or incomplete"],
  [
    "with an encrypted entry",
    "letter.docx",
    () => tampered(word, "word/document.xml", { flags: 1 }),
    "it's protected with a password. Remove the password and add it again",
  ],
  [
    "of 2,000 elements in each other",
    "letter.odt",
    () => openDocumentOf("text", `${"<text:section>".repeat(2_000)}<text:p>deep</text:p>`),
    "too complex to read",
  ],
  ["without text", "letter.docx", () => docxOf([]), "it has no text"],
  [
    "with a password (Office)",
    "letter.docx",
    () => encryptedOffice,
    "it's protected with a password. Remove the password and add it again",
  ],
  [
    "in the format of 1997",
    "letter.docx",
    () => oldOffice,
    "it's in an old format of Office. Save it as .docx, .xlsx or .pptx and add it again",
  ],
  [
    "with a password (OpenDocument)",
    "letter.odt",
    () => openDocumentOf("text", "", "<encryption-data/>"),
    "it's protected with a password. Remove the password and add it again",
  ],
  [
    "with a password (PDF)",
    "letter.pdf",
    () => withPassword,
    "it's protected with a password. Remove the password and add it again",
  ],
  [
    "whose fonts have no letters",
    "letter.pdf",
    () => unmapped,
    "its fonts don't say which letters they show. Run text recognition (OCR) first",
  ],
  ["whose page unpacks to 1.5 GB", "letter.pdf", pdfBomb, "reading it needs too much memory"],
  ["of a million rows", "fees.xlsx", oneMillionRows, "it has more than 100,000 rows: split it into several files"],
])("refuses a document %s in one sentence, and reads the next one", async (_what, name, bytes, reason) => {
  expect(await add(name, bytes())).toMatchObject({ state: "failed", reason });
  expect(await add("next.docx", word)).toMatchObject({ state: "done", rows: 1 });
});

it("reads a document with the ending of another one", async () => {
  expect(
    await add(
      "fees.pdf",
      xlsxOf({
        Fees: [
          ["Zone", "Fee"],
          ["North", 12.5],
        ],
      }),
    ),
  ).toMatchObject({ state: "done", rows: 1 });
});

it("expands no entities that a document declares", async () => {
  const lol = Array.from({ length: 9 }, (_none, index) => `<!ENTITY l${index + 1} "${`&l${index};`.repeat(10)}">`).join(
    "",
  );
  const files = {
    "ppt/presentation.xml": `<!DOCTYPE p [<!ENTITY l0 "lol">${lol}]><p:presentation>&l9;</p:presentation>`,
  };

  expect(await add("talk.pptx", packed(files))).toMatchObject({ state: "failed", reason: "it has no text" });
});
