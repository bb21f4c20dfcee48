/** Reads a PDF page by page: its text as Markdown, with headings and tables as far as their places tell. */
import { getDocumentProxy } from "unpdf";
import { documentSentences } from "../../presentation/sentences.ts";
import { maxDocumentPages, maxPageTextChars } from "../foreign/content-limits.ts";
import { ReadFailure } from "../pages/read-failure.ts";
import type { Part, ReadDocument } from "./parts.ts";
import { bodySizeOf, type Line, linesOf } from "./pdf-lines.ts";
import { headingSizesOf, markdownOf } from "./pdf-markdown.ts";

/** Throws ReadFailure. */
export async function readPdf(bytes: Uint8Array): Promise<ReadDocument> {
  const pdf = await opened(bytes);
  try {
    if (pdf.numPages > maxDocumentPages) {
      throw new ReadFailure("unreadable", documentSentences.tooManyPages(pdf.numPages, maxDocumentPages));
    }
    const pages: (readonly Line[])[] = [];
    const broken: number[] = [];
    let chars = 0;
    for (let number = 1; number <= pdf.numPages; number += 1) {
      const lines = await linesOfPage(pdf, number);
      if (lines === undefined) broken.push(number);
      chars += (lines ?? []).reduce((sum, { cells }) => sum + cells.reduce((all, { text }) => all + text.length, 0), 0);
      if (chars > maxPageTextChars) {
        throw new ReadFailure("unreadable", documentSentences.tooMuchText(maxPageTextChars / 1_000_000));
      }
      pages.push(lines ?? []);
    }
    return partsOf(pages, broken);
  } finally {
    await pdf.loadingTask.destroy().catch(() => undefined);
  }
}

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>;

async function opened(bytes: Uint8Array): Promise<Pdf> {
  try {
    // Its own copy: the parser keeps the bytes, and takes no Buffer. No script, font or picture of the file is used.
    return await getDocumentProxy(new Uint8Array(bytes), {
      disableFontFace: true,
      useSystemFonts: false,
      maxImageSize: 1,
      verbosity: 0,
    });
  } catch (thrown) {
    // Its errors have the prototype of Error alone, which Error.isError doesn't take for one.
    const isLocked = thrown instanceof Error && thrown.name === "PasswordException";
    const reason = isLocked ? documentSentences.encrypted : documentSentences.damaged("PDF");
    throw new ReadFailure("unreadable", reason, thrown);
  }
}

/** Undefined for a page that is damaged. */
async function linesOfPage(pdf: Pdf, number: number): Promise<readonly Line[] | undefined> {
  try {
    const page = await pdf.getPage(number);
    const { items } = await page.getTextContent();
    page.cleanup();
    return linesOf(items.filter((item) => "str" in item));
  } catch {
    return undefined;
  }
}

function partsOf(pages: readonly (readonly Line[])[], broken: readonly number[]): ReadDocument {
  const body = bodySizeOf(pages.flat());
  const sizes = headingSizesOf(pages.flat(), body);
  const parts: Part[] = [];
  const empty: number[] = [];
  const unmapped: number[] = [];
  for (const [index, lines] of pages.entries()) {
    const number = index + 1;
    if (broken.includes(number)) continue;
    const text = markdownOf(lines, body, sizes);
    if (text === "") empty.push(number);
    else if (isUnmapped(text)) unmapped.push(number);
    else parts.push({ label: documentSentences.page(number), fragment: `#page=${number}`, text });
  }
  if (parts.length === 0) {
    if (unmapped.length > 0) throw new ReadFailure("unreadable", documentSentences.unmappedAll);
    if (empty.length > 0) throw new ReadFailure("unreadable", documentSentences.scan(pages.length));
    throw new ReadFailure("unreadable", documentSentences.damaged("PDF"));
  }
  const notes = [
    ...(empty.length === 0 ? [] : [documentSentences.emptyPages(empty)]),
    ...(unmapped.length === 0 ? [] : [documentSentences.unmapped(unmapped)]),
    ...(broken.length === 0 ? [] : [documentSentences.brokenPages(broken)]),
  ];
  return { parts, size: { count: pages.length, unit: "page" }, notes };
}

const maxOddShare = 0.3;

/** Its fonts don't say which letters their pictures are: the text is control characters and private ones. */
function isUnmapped(text: string): boolean {
  const said = text.replace(/\s/g, "");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what text doesn't have.
  const odd = said.match(/[\0-\x1f\x7f-\x9f\uE000-\uF8FF\uFFFD]/g)?.length ?? 0;
  return odd > said.length * maxOddShare;
}
