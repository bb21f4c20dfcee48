/** PDFs in a knowledge base of the built-in service: each page is found alone, and a source names it and leads to it. */
import { afterEach, beforeEach, expect, it, onTestFinished } from "vitest";
import type { Attachment } from "../../../src/core/model/place.ts";
import { systemClock } from "../../../src/core/tools/system-clock.ts";
import { createPageReading, createTextReading } from "../../../src/knowledge/knowledge.ts";
import { pageOf, pdfOf } from "../../doubles/files/pdf.ts";
import { type Site, startSite } from "../../doubles/network/site.ts";
import { silentLog } from "../../doubles/silent-log.ts";
import { openRoom, type Room } from "../room.ts";

let room: Room;
let site: Site;

beforeEach(async () => {
  site = await startSite({ "/robots.txt": { status: 404 } });
  room = await openRoom();
  await room.makeBase("docs");
});

afterEach(async () => {
  await room.close();
  await site.close();
});

const tariffs = {
  table: [
    ["Zone", "Grid fee", "From"],
    ["North", "12.50 EUR", "1 March"],
    ["South", "9.80 EUR", "1 June"],
  ],
};
const handbook = pdfOf([
  pageOf([
    { heading: "Handbook" },
    { text: "Refunds take five days, counted from the day on which a parcel arrives." },
  ]),
  pageOf([{ heading: "Tariffs" }, { text: "The grid fee depends on the zone." }, tariffs]),
  [],
]);

async function add(name: string, bytes: Uint8Array, changes: Partial<Attachment> = {}) {
  room.attach(async function* () {
    yield bytes;
  });
  const sizeBytes = bytes.length;
  const attachment = { id: name, name, mediaType: "application/pdf", sizeBytes, reference: name, ...changes };
  await room.say("/kb add", { attachments: [attachment] });
  return room.over();
}

it("adds an attached PDF page by page, with its tables, and names the page that has no text", async () => {
  const job = await add("handbook.pdf", handbook);

  expect(job.items).toMatchObject([{ state: "done", rows: 2, notes: ["page 3 has no text (a scan or a picture)"] }]);
  expect(room.shown().at(-1)).toContain("handbook.pdf · 3 pages · page 3 has no text");
  const [fee] = await room.passages("docs", "grid fee zone north");
  expect(fee?.source.title).toBe("handbook.pdf, page 2");
  expect(fee?.content).toContain("| Zone | Grid fee | From |\n| --- | --- | --- |\n| North | 12.50 EUR | 1 March |");
});

it("replaces all pages of an earlier version, also those that are gone", async () => {
  await add("handbook.pdf", handbook);
  await add("handbook.pdf", pdfOf([pageOf([{ text: "Refunds take nine days." }])]));

  expect((await room.passages("docs", "refunds days")).map(({ content }) => content)).toEqual([
    "Refunds take nine days.",
  ]);
  expect(await room.passages("docs", "grid fee zone north")).toEqual([]);
});

it.each(["application/pdf", "application/octet-stream"])(
  "reads a PDF at a URL (%s), and links to its page",
  async (type) => {
    const url = `${site.url}/files/handbook.pdf`;
    site.set("/files/handbook.pdf", { headers: { "content-type": type }, body: handbook });
    await room.say(`/kb add ${url}`);
    const job = await room.over();

    expect(job.items).toMatchObject([{ state: "done", title: "handbook.pdf" }]);
    expect(room.shown().at(-1)).toMatch(/✓ handbook\.pdf .*· 3 pages/);
    const [fee] = await room.passages("docs", "grid fee zone north");
    expect(fee?.source).toMatchObject({ title: "handbook.pdf, page 2", url: `${url}#page=2` });
  },
);

it("says how many files a list of URLs leads to", async () => {
  const urls = ["/terms", "/prices"].map((path) => `${site.url}${path}`);
  for (const [index, path] of ["/terms", "/prices"].entries()) {
    const body = pdfOf([pageOf([{ text: `Refunds of part ${index} take five days.` }])]);
    site.set(path, { headers: { "content-type": "application/pdf" }, body });
  }
  site.set("/list.txt", { headers: { "content-type": "text/plain" }, body: urls.join("\n") });
  await room.say(`/kb ingest ${site.url}/list.txt limit:5`);
  await room.over();

  expect(room.shown().at(-1)).toMatch(/✓ .*· 2 files/);
});

it.each<[string, Uint8Array, string]>([
  ["was scanned", pdfOf([[], []]), "none of its 2 pages has text: it's a scan. Run text recognition (OCR) first"],
  ["was cut off", handbook.subarray(0, 300), "the PDF is damaged or incomplete"],
  [
    "has 5,000 pages",
    pdfOf(Array.from({ length: 5_000 }, () => [])),
    "it has 5,000 pages: at most 2,000 can be added. Split it into several files",
  ],
  ["is text", Buffer.from("only text"), "it isn't a document that can be read"],
])("says in one sentence why a PDF that %s can't be added", async (_what, bytes, reason) => {
  const job = await add("handbook.pdf", bytes);

  expect(job.items).toMatchObject([{ state: "failed", reason }]);
});

it("gives a document with a question to the agent as text, or says why it can't", async () => {
  const reading = createPageReading({ allowsPrivate: true, version: "1.2.3", clock: systemClock, log: silentLog });
  onTestFinished(reading.close);
  const readText = createTextReading(reading);
  const options = { owner: "ann", signal: new AbortController().signal, name: "handbook.pdf" };
  const read = await readText(handbook, options);

  expect(read?.text).toContain("(page 2)\n# Tariffs");
  expect(read).toMatchObject({ note: "page 3 has no text (a scan or a picture)" });
  expect(await readText(pdfOf([[]]), options)).toEqual({
    why: "its only page has no text: it's a scan. Run text recognition (OCR) first",
  });
});
