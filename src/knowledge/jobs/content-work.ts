/**
 * Adds pasted rows, attached files and query results. Text and tables go in as rows, which both generations of the
 * service cite and replace; documents too, unless the service reads them itself. Untrusted content first goes into a file, within
 * its limits, and is parsed in the child process. All of it is parsed before any of it is inserted.
 */
import { open, readFile, writeFile } from "node:fs/promises";
import { ParleyError } from "../../core/errors.ts";
import type { DocumentSize, JobItem } from "../../core/model/job.ts";
import type { Attachment } from "../../core/model/place.ts";
import type { AgentService } from "../../core/ports/agent-service.ts";
import type { Clock } from "../../core/ports/clock.ts";
import { orAborted } from "../../core/tools/abortable.ts";
import { cleanText } from "../../presentation/drawing.ts";
import { rowSentences, shorten, syncSentences } from "../../presentation/sentences.ts";
import { isDocumentName } from "../documents/document-names.ts";
import { rowsOfDocument } from "../documents/document-rows.ts";
import {
  maxDocumentMegabytes,
  maxPageMegabytes,
  maxPageTextBytes,
  maxRowFileMegabytes,
  maxRowsBytes,
} from "../foreign/content-limits.ts";
import type { ForeignContent } from "../foreign/foreign-content.ts";
import type { DiskClaim, Scratch, ScratchFile } from "../foreign/scratch.ts";
import { documentId } from "../ledger/document-id.ts";
import type { DocumentFacts, Keeping } from "../ledger/keeping.ts";
import { ReadFailure } from "../pages/read-failure.ts";
import { formatOfFile, type Row, rowId } from "../rows/row-format.ts";
import type { RowsOptions } from "../rows/rows.ts";
import { readStoredRows } from "../rows/stored-rows.ts";
import type { Errand, Inserting } from "./inserting.ts";
import type { PayloadOf } from "./payload.ts";
import type { ServicePatience } from "./service-patience.ts";

const says = {
  fileTooLarge: (megabytes: number): string => `the file is larger than ${megabytes} MB`,
};

/** Uploaded files aren't parsed here. */
const maxUploadMegabytes = 100;
const maxTitleChars = 80;
/** Time limit for downloading from the platform. */
const arrivalMinutes = 5;

/** File types that a service with a reader of its own reads. Each one may know others, and says so itself. */
const uploaded = /\.(?:pdf|xlsx?|parquet|docx)$/i;

export type ContentWork = ReturnType<typeof createContentWork>;

/** `into`: the child process's result. */
type Files = { readonly content: ScratchFile; readonly into: ScratchFile };

/** `isTable`: its rows may be as many as a table has, and those of its earlier versions stay. */
type ParsedFile = {
  readonly read: () => AsyncIterable<Row>;
  readonly title: string;
  readonly isTable: boolean;
  readonly size?: DocumentSize;
  readonly note?: string | undefined;
};

/** Writes a synced file. Resolves with the SHA-256 of its bytes. Throws ReadFailure. */
export type SaveFile = (into: ScratchFile) => Promise<string>;

/** Undefined when the file can be tried; known before anything is downloaded. */
export function fileProblem({ name, sizeBytes }: Pick<Attachment, "name" | "sizeBytes">): string | undefined {
  const ending = /\.([A-Za-z0-9]{1,10})$/.exec(name)?.[1]?.toLowerCase();
  if (sizeBytes === 0) return rowSentences.emptyFile;
  const isKnown = formatOfFile(name) !== undefined || uploaded.test(name) || isHtml(name) || isDocumentName(name);
  if (!isKnown) return `files of this type (${ending === undefined ? "no extension" : `.${ending}`}) can't be added`;
  const maxMegabytes = megabytesOf(name);
  return sizeBytes > maxMegabytes * 1024 ** 2 ? says.fileTooLarge(maxMegabytes) : undefined;
}

/** Opens a file where it was given. */
type OpenAttachment = (attachment: Attachment, signal: AbortSignal) => Promise<AsyncIterable<Uint8Array>>;

export function createContentWork(options: {
  readonly service: Pick<AgentService, "profile" | "uploadFile" | "deleteFile">;
  readonly inserting: Inserting;
  readonly keeping: Pick<Keeping, "addRows" | "replace" | "note">;
  readonly patience: ServicePatience;
  readonly parser: ForeignContent;
  readonly scratch: Scratch;
  readonly clock: Clock;
}) {
  const { service, inserting, keeping, patience, parser, scratch, clock } = options;

  /** Removes both files afterwards, whatever happens. */
  async function withFiles<T>(work: (files: Files) => Promise<T>): Promise<T> {
    const content = await scratch.file();
    const into = await scratch.file();
    try {
      return await work({ content, into });
    } finally {
      await Promise.all([content.remove(), into.remove()]);
    }
  }

  /** Parses a file, which is in `content`. */
  async function parsed({ content, into }: Files, name: string, { owner, signal }: Errand): Promise<ParsedFile> {
    const { path } = content;
    const options = { owner, signal };
    const format = formatOfFile(name);
    if (format !== undefined) {
      const how = { format, title: name, textId: rowId("file", name) };
      return { ...(await parsedRows({ content, into }, how, options)), title: name, isTable: true };
    }
    if (isHtml(name)) {
      const address = "https://attached.invalid/";
      const task = { path, contentType: "text/html", address, into: into.path };
      const page = await parser.run("page", task, { ...options, onBegin: () => into.reserve(maxPageTextBytes) });
      await into.settle();
      const title = page.title === address ? name : page.title;
      const read = async function* () {
        yield { id: rowId("file", name), title, content: await readFile(into.path, "utf8") };
      };
      return { read, title, isTable: false };
    }
    const onBegin = () => into.reserve(maxRowsBytes);
    const task = { path, into: into.path, name };
    const { hasSheets, size, note } = await parser.run("document", task, { ...options, onBegin });
    await into.settle();
    const idOf = (part: string) => rowId("file", part === "" ? name : `${name}, ${part}`);
    return { read: () => rowsOfDocument(into.path, idOf), title: name, isTable: hasSheets, size, note };
  }

  async function parsedRows(
    { content, into }: Files,
    how: RowsOptions,
    { owner, signal }: Pick<Errand, "owner" | "signal">,
  ): Promise<Pick<ParsedFile, "read" | "note">> {
    const onBegin = () => into.reserve(maxRowsBytes);
    const task = { path: content.path, into: into.path, how };
    const { note } = await parser.run("rows", task, { owner, signal, onBegin });
    await into.settle();
    return { read: () => readStoredRows(into.path), note };
  }

  async function insertParsed({ read, note, title, isTable, size }: ParsedFile, facts: DocumentFacts, errand: Errand) {
    const notes = note === undefined ? undefined : [note];
    if (isTable) return { ...(await keeping.addRows(facts, read, errand)), size, notes };
    const rows = await Array.fromAsync(read());
    await keeping.replace({ ...facts, title }, async () => rows, errand);
    return { rows: rows.length, size, notes };
  }

  /** MindsDB reads documents itself; its tables can be queried then. */
  async function isForService(name: string, signal: AbortSignal): Promise<boolean> {
    if (!uploaded.test(name)) return false;
    if (!isDocumentName(name)) return true;
    const { dialect, generation } = await patience.outwait(() => service.profile(), signal);
    return dialect === "mindsdb" && generation !== "local";
  }

  async function upload(
    { attachment }: PayloadOf<"file">,
    jobId: string,
    open: OpenAttachment,
    errand: Errand,
  ): Promise<Partial<JobItem>> {
    const { target, signal } = errand;
    // The name decides how the service reads the file, and must be unique.
    const name = `parley_${jobId}_${rowId("file", attachment.id).slice(-8)}`;
    const { name: fileName, mediaType } = attachment;
    await patience.outwait(async () => {
      // The client buffers the file on disk while sending it.
      const room = scratch.claim();
      const content = arriving(open, attachment, room, signal);
      await service.deleteFile(name).catch(() => undefined);
      await service
        .uploadFile(name, { fileName, mediaType, content }, signal)
        .catch((thrown: unknown) => {
          // The client wraps this error in one of its own.
          throw thrown instanceof ParleyError && thrown.cause instanceof ReadFailure ? thrown.cause : thrown;
        })
        .finally(room.release);
    }, signal);
    try {
      await inserting.insert(target, { files: [name] }, signal);
    } finally {
      await service.deleteFile(name).catch(() => undefined);
    }
    await keeping.note(factsOfFile(fileName), { way: "service" }, errand);
    return {};
  }

  /** Downloads the file, within a time limit even if it never ends. */
  async function* arriving(
    open: OpenAttachment,
    attachment: Attachment,
    room: Pick<DiskClaim, "reserve">,
    given: AbortSignal,
    maxMegabytes = megabytesOf(attachment.name),
  ): AsyncGenerator<Uint8Array> {
    const late = new AbortController();
    const reason = new ReadFailure("unreadable", `the file didn't arrive within ${arrivalMinutes} minutes`);
    const cancel = clock.after(arrivalMinutes * 60_000, () => late.abort(reason));
    const signal = AbortSignal.any([given, late.signal]);
    try {
      const content = await openFile(open, attachment, signal);
      for await (const part of untilAborted(limited(content, maxMegabytes), signal)) {
        room.reserve(part.length);
        yield part;
      }
    } finally {
      cancel();
    }
  }

  return {
    rows: ({ text, format, title }: PayloadOf<"rows">, errand: Errand) =>
      withFiles(async (files) => {
        files.content.reserve(Buffer.byteLength(text));
        await writeFile(files.content.path, text);
        const rows = await parsedRows(files, { format, title }, errand);
        return insertParsed({ ...rows, title, isTable: true }, { origin: { kind: "rows" }, title, text }, errand);
      }),

    file: async (payload: PayloadOf<"file">, jobId: string, open: OpenAttachment, errand: Errand) => {
      const { attachment } = payload;
      const { name } = attachment;
      const problem = fileProblem(attachment);
      if (problem !== undefined) throw new ReadFailure("unreadable", problem);
      const format = formatOfFile(name);
      const { signal } = errand;
      const isOther = format === undefined && !isHtml(name);
      if (isOther && (await isForService(name, signal))) return upload(payload, jobId, open, errand);
      return withFiles(async (files) => {
        const { content } = files;
        const maxMegabytes = isOther ? maxDocumentMegabytes : megabytesOf(name);
        await writeFile(content.path, arriving(open, attachment, content, signal, maxMegabytes));
        return insertParsed(await parsed(files, name, errand), factsOfFile(name), errand);
      });
    },

    /** A synced file, which `save` writes. All its rows are its own. Throws ReadFailure, ParleyError, or the signal's reason. */
    synced: async (facts: DocumentFacts, save: SaveFile, errand: Errand): Promise<"same" | "changed"> => {
      return withFiles(async (files) => {
        const hash = await save(files.content);
        if (hash === facts.hash) return "same";
        if (await isPointer(files.content.path)) throw new ReadFailure("unreadable", syncSentences.largeFiles);
        const { read } = await parsed(files, facts.title, errand);
        const id = documentId(facts.origin);
        await keeping.addRows({ ...facts, hash }, () => ownRows(read(), id, facts), errand, { isWhole: true });
        return "changed";
      });
    },

    query: async ({ sql }: PayloadOf<"query">, errand: Errand) => {
      await inserting.insert(errand.target, { query: sql }, errand.signal);
      const title = shorten(cleanText(sql), maxTitleChars);
      await keeping.note({ origin: { kind: "query" }, title, text: sql }, {}, errand);
      return {};
    },
  };
}

const pointer = "version https://git-lfs.github.com/spec/";

/** What Git LFS leaves in a file's place. */
async function isPointer(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(pointer.length), 0, pointer.length, 0);
    return buffer.toString("latin1", 0, bytesRead) === pointer;
  } finally {
    await file.close();
  }
}

/** Two files may have the same rows, or the same numbers in a column "id". */
async function* ownRows(
  rows: AsyncIterable<Row>,
  document: string,
  { url }: DocumentFacts,
): AsyncGenerator<Row, void, void> {
  for await (const row of rows) {
    const own = { ...row, id: `${document}/${row["id"]}` };
    yield url === undefined || "url" in row ? own : { ...own, url };
  }
}

function factsOfFile(name: string): DocumentFacts {
  return { origin: { kind: "file", name }, title: name };
}

async function openFile(
  open: OpenAttachment,
  attachment: Attachment,
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array>> {
  try {
    return await open(attachment, signal);
  } catch (thrown) {
    if (signal.aborted || (thrown instanceof ParleyError && thrown.code === "platform_unreachable")) throw thrown;
    throw new ReadFailure("unreadable", "the file can no longer be opened", thrown);
  }
}

/** The platform's stated size is only a claim. */
async function* limited(content: AsyncIterable<Uint8Array>, maxMegabytes: number): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const part of content) {
    size += part.length;
    if (size > maxMegabytes * 1024 ** 2) {
      throw new ReadFailure("unreadable", says.fileTooLarge(maxMegabytes));
    }
    yield part;
  }
  if (size === 0) throw new ReadFailure("unreadable", rowSentences.emptyFile);
}

/** Stops even if the sender ignores the signal. Throws the signal's reason. */
async function* untilAborted<T>(source: AsyncGenerator<T>, signal: AbortSignal): AsyncGenerator<T> {
  try {
    for (;;) {
      const next = await orAborted(source.next(), signal);
      if (next.done) return;
      yield next.value;
    }
  } finally {
    // Not awaited: it may be stuck on a piece that never comes.
    void source.return(undefined).catch(() => undefined);
  }
}

function megabytesOf(name: string): number {
  if (isHtml(name)) return maxPageMegabytes;
  if (formatOfFile(name) !== undefined) return maxRowFileMegabytes;
  return uploaded.test(name) ? maxUploadMegabytes : maxDocumentMegabytes;
}

function isHtml(name: string): boolean {
  return /\.(?:html?|xhtml)$/i.test(name);
}
