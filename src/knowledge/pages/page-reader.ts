/**
 * Reads the page at a URL: fetches it under the policy into a file, and parses it in the child process. An error page,
 * or anything that isn't a text page, is a failure with its reason, never content.
 */
import { createHash } from "node:crypto";
import { open, readFile, writeFile } from "node:fs/promises";
import type { DocumentSize } from "../../core/model/job.ts";
import { decodedName, pageSentences } from "../../presentation/sentences.ts";
import { documentTypes, isDocument, startBytes } from "../documents/document-names.ts";
import { rowsOfDocument } from "../documents/document-rows.ts";
import { maxDocumentBytes, maxPageBytes, maxPageTextBytes, maxRowsBytes } from "../foreign/content-limits.ts";
import type { ForeignContent } from "../foreign/foreign-content.ts";
import type { Scratch } from "../foreign/scratch.ts";
import type { Row } from "../rows/row-format.ts";
import { decodeText } from "./charset.ts";
import type { Answered, Fetched, GuardedFetch } from "./guarded-fetch.ts";
import { htmlTypes, textTypes, unknownTypes } from "./media-types.ts";
import type { PageContent } from "./page-content.ts";
import { ReadFailure } from "./read-failure.ts";
import type { Reader } from "./robots.ts";
import { directivesFor } from "./robots-tag.ts";

export type Page = Omit<PageContent, "content"> & {
  /** Markdown. Read from its file, so that a waiting page takes no memory. */
  readonly content: () => Promise<string>;
  /** Of a document, which has several parts. */
  readonly rows?: (url: string, idOf: (part: string) => string) => AsyncIterable<Row>;
  /** Of a document. */
  readonly size?: DocumentSize;
  /** Removes the file. Idempotent; never rejects. */
  readonly dispose: () => Promise<void>;
};

export type PageReader = ReturnType<typeof createPageReader>;

type Tools = { readonly fetch: GuardedFetch; readonly content: ForeignContent; readonly scratch: Scratch };

export function createPageReader(tools: Tools) {
  return {
    /** Throws ReadFailure, or the signal's reason. `beforeRedirect`: called before each redirect is followed. */
    read: async (url: string, reader: Reader, beforeRedirect?: (url: string) => Promise<unknown>): Promise<Page> => {
      const body = await tools.scratch.file();
      try {
        const { signal } = reader;
        const options = { signal, beforeRedirect, onPart: body.reserve, cutsBody: mayBeList, maxBytes: maxBytesOf };
        const answered = await tools.fetch.save(url, body.path, options);
        checkAnswer(answered, [documentTypes]);
        if (await isDocumentIn(body.path, answered)) return await parseDocument(tools, body.path, answered, reader);
        return await parsePage(tools, body.path, answered, reader);
      } finally {
        await body.remove();
      }
    },
  };
}

/** Parses the body in that file. Throws ReadFailure, or the signal's reason. */
async function parsePage(
  { content, scratch }: Tools,
  path: string,
  { url, contentType, robotsTag, isCut }: Answered,
  reader: Reader,
): Promise<Page> {
  const text = await scratch.file();
  try {
    const onBegin = () => text.reserve(maxPageTextBytes);
    const task = { path, into: text.path, contentType, address: url, robotsTag, isCut };
    const page = await content.run("page", task, { ...reader, onBegin });
    await text.settle();
    return { ...page, content: () => readFile(text.path, "utf8"), dispose: text.remove };
  } catch (thrown) {
    await text.remove();
    throw thrown;
  }
}

/** Parses the document in that file. Throws ReadFailure, or the signal's reason. */
async function parseDocument(
  { content, scratch }: Tools,
  path: string,
  { url: found, robotsTag }: Answered,
  reader: Reader,
): Promise<Page> {
  const into = await scratch.file();
  try {
    const [url = found] = found.split("#");
    const title = decodedName(url);
    const onBegin = () => into.reserve(maxRowsBytes);
    const task = { path, into: into.path, name: title };
    const { size, note } = await content.run("document", task, { ...reader, onBegin });
    await into.settle();
    const isUnindexed = directivesFor([robotsTag ?? ""]).has("noindex");
    return {
      url,
      title,
      links: [],
      asksForPassword: false,
      ...(note === undefined ? {} : { note }),
      ...(isUnindexed ? { use: "unindexed" } : {}),
      content: () => readFile(into.path, "utf8"),
      rows: (at, idOf) => rowsOfDocument(into.path, idOf, at),
      size,
      dispose: into.remove,
    };
  } catch (thrown) {
    await into.remove();
    throw thrown;
  }
}

function maxBytesOf(contentType: string): number {
  return documentTypes.test(contentType) || unknownTypes.test(contentType) ? maxDocumentBytes : maxPageBytes;
}

/** The bytes decide where the server doesn't say what it sends. */
async function isDocumentIn(path: string, { contentType }: Answered): Promise<boolean> {
  if (documentTypes.test(contentType)) return true;
  if (contentType !== "" && !unknownTypes.test(contentType)) return false;
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(startBytes), 0, startBytes, 0);
    return isDocument(buffer.subarray(0, bytesRead));
  } finally {
    await file.close();
  }
}

/**
 * Fetches the page within two seconds and checks whether the agent service should be asked for it: the service takes
 * error pages and pages without text for content. Throws ReadFailure, or the signal's reason.
 */
export async function lookAt(tools: Tools, url: string, reader: Reader): Promise<{ readonly title?: string }> {
  const limits = { limitMs: lookMs, maxBytes: lookBytes, cutsBody: true, maxAnnouncedBytes: maxPassedOnBytes };
  const fetched = await tools.fetch.get(url, { ...limits, signal: reader.signal });
  checkAnswer(fetched);
  const text = decodeText(fetched.bytes, fetched.contentType);
  // The text of a larger page may begin later, and one that ends inside a tag isn't whole.
  const isWhole = fetched.bytes.length < lookBytes && text.lastIndexOf("<") <= text.lastIndexOf(">");
  if (isWhole) await checkContent(fetched, tools, reader);
  const title = /<title[^<>]*>([^<]{1,300})</i.exec(text)?.[1]?.replace(/\s+/g, " ").trim() ?? "";
  // Entities are rare in titles; a title with one is dropped, and the URL is shown.
  return title === "" || title.includes("&") ? {} : { title };
}

/** For any reader. */
const unreadable: readonly string[] = [pageSentences.empty, pageSentences.notReadable];

/** Passes what can't be parsed here: the service may be able to. */
async function checkContent(fetched: Fetched, tools: Tools, reader: Reader): Promise<void> {
  const body = await tools.scratch.file();
  try {
    body.reserve(fetched.bytes.length);
    await writeFile(body.path, fetched.bytes);
    const page = await parsePage(tools, body.path, fetched, reader).catch((thrown: unknown) => {
      const isPassed = thrown instanceof ReadFailure && !unreadable.includes(thrown.reason);
      if (!isPassed) throw thrown;
      return undefined;
    });
    await page?.dispose();
    // The service would store each of these as a page.
    if (page?.refreshTo !== undefined) throw new ReadFailure("unreadable", pageSentences.sendsOn(page.refreshTo));
    if (page?.use !== undefined) throw new ReadFailure("unreadable", pageSentences[page.use]);
  } finally {
    await body.remove();
  }
}

const lookMs = 2_000;
const lookBytes = 64 * 1024;
/** Larger than any page: the service would load all of it into memory. */
const maxPassedOnBytes = 100 * 1024 * 1024;

/** The same page always has the same id. */
export function pageId(url: string): string {
  return `page-${createHash("sha256").update(url).digest("hex").slice(0, 24)}`;
}

/** A page's row, or those of a document's parts, with ids that its next version will share. */
export async function rowsOf({ url, title, content, rows }: Page): Promise<readonly Row[]> {
  if (rows !== undefined) return Array.fromAsync(rows(url, (part) => pageId(part === "" ? url : `${url}#${part}`)));
  return [{ id: pageId(url), content: await content(), url, title }];
}

/** A list may be longer than what is read of it. */
function mayBeList(contentType: string): boolean {
  return textTypes.test(contentType) && !htmlTypes.test(contentType);
}

/** Without a time from the server. */
const usualPauseMs = 5_000;
/** A server that asks for a longer pause isn't waited for. */
const maxPauseMs = 60_000;

function checkAnswer(
  { status, contentType, retryAfterMs: pauseMs = usualPauseMs }: Answered,
  otherTypes: readonly RegExp[] = [],
): void {
  if (status === 429 || status === 503) {
    const isSoon = pauseMs <= maxPauseMs;
    const reason = isSoon ? pageSentences.busy(status) : pageSentences.busyFor(Math.round(pauseMs / 60_000), status);
    throw new ReadFailure("unreachable", reason, undefined, status, isSoon ? pauseMs : undefined);
  }
  if (status < 200 || status >= 300) {
    throw new ReadFailure("unreadable", pageSentences.status(status), undefined, status);
  }
  const isKnown = [htmlTypes, textTypes, unknownTypes, ...otherTypes].some((types) => types.test(contentType));
  if (contentType !== "" && !isKnown) {
    const [mediaType = ""] = contentType.split(";");
    throw new ReadFailure("unreadable", pageSentences.notText(mediaType.trim().slice(0, 80)));
  }
}
