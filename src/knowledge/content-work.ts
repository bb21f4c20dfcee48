/**
 * What is no address: pasted rows, attached files, a query's rows. Text and tables go in as rows, which both generations
 * of the service cite and replace; only what Parley cannot read itself is uploaded.
 */
import { ParleyError } from "../bridge/errors.ts";
import type { AgentService } from "../bridge/ports/agent-service.ts";
import type { ChatPlatform } from "../bridge/ports/chat-platform.ts";
import type { Attachment, JobItem } from "../bridge/words.ts";
import { rowSentences, workSentences } from "../presentation/sentences-knowledge.ts";
import { joinBytes } from "./guarded-fetch.ts";
import type { Inserting, Target } from "./inserting.ts";
import type { PageThread } from "./page-thread.ts";
import type { PayloadOf } from "./payload.ts";
import { ReadFailure } from "./read-failure.ts";
import { formatOfFile, type Row, type RowsOptions, readRows, rowId } from "./rows.ts";
import type { ServicePatience } from "./service-patience.ts";

const maxFileMegabytes = 100;
/** A file of rows may be long, since it is streamed; it is read twice, so that a wrong line at its end spoils nothing. */
const maxFileBytes = maxFileMegabytes * 1024 * 1024;
const maxHtmlMegabytes = 10;
const maxHtmlBytes = maxHtmlMegabytes * 1024 * 1024;

/** Kinds that the service reads; each generation and installation knows others besides, and says so itself. */
const uploaded = /\.(?:pdf|xlsx?|parquet|docx)$/i;

export type ContentWork = {
  readonly rows: (payload: PayloadOf<"rows">, target: Target, signal: AbortSignal) => Promise<Partial<JobItem>>;
  readonly file: (
    payload: PayloadOf<"file">,
    jobId: string,
    target: Target,
    platform: ChatPlatform,
    signal: AbortSignal,
  ) => Promise<Partial<JobItem>>;
  readonly query: (payload: PayloadOf<"query">, target: Target, signal: AbortSignal) => Promise<Partial<JobItem>>;
};

/** Undefined when the file may be tried; known before anything is fetched. */
export function fileProblem({ name, sizeBytes }: Pick<Attachment, "name" | "sizeBytes">): string | undefined {
  const ending = /\.([A-Za-z0-9]{1,10})$/.exec(name)?.[1]?.toLowerCase();
  if (sizeBytes === 0) return rowSentences.emptyFile;
  if (sizeBytes > maxFileBytes) return workSentences.fileTooLarge(maxFileMegabytes);
  const isKnown = formatOfFile(name) !== undefined || uploaded.test(name) || isHtml(name);
  return isKnown
    ? undefined
    : workSentences.fileKind(ending === undefined ? workSentences.unknownEnding : `.${ending}`);
}

export function createContentWork(options: {
  readonly service: Pick<AgentService, "uploadFile" | "deleteFile">;
  readonly inserting: Inserting;
  readonly patience: ServicePatience;
  readonly thread: PageThread;
}): ContentWork {
  const { service, inserting, patience, thread } = options;

  /** All of it is read before any of it goes in. */
  async function insertRows(
    open: () => Promise<AsyncIterable<Uint8Array>>,
    how: RowsOptions,
    target: Target,
    signal: AbortSignal,
  ): Promise<Partial<JobItem>> {
    for await (const _row of readRows(await open(), how)) signal.throwIfAborted();
    return { rows: await inserting.replaceRows(target, readRows(await open(), how), signal) };
  }

  async function upload(
    { attachment }: PayloadOf<"file">,
    jobId: string,
    open: () => Promise<AsyncIterable<Uint8Array>>,
    target: Target,
    signal: AbortSignal,
  ): Promise<Partial<JobItem>> {
    // The name decides how the service reads it, and must be nobody else's.
    const name = `parley_${jobId}_${rowId("file", attachment.id).slice(-8)}`;
    const { name: fileName, mediaType } = attachment;
    await patience.outwait(async () => {
      const content = limited(await open(), maxFileBytes);
      await service.deleteFile(name).catch(() => undefined);
      await service.uploadFile(name, { fileName, mediaType, content }, signal);
    }, signal);
    try {
      await inserting.insert(target, { files: [name] }, signal);
    } finally {
      await service.deleteFile(name).catch(() => undefined);
    }
    return {};
  }

  async function html(name: string, content: AsyncIterable<Uint8Array>): Promise<Row> {
    const parts: Uint8Array[] = [];
    for await (const part of limited(content, maxHtmlBytes)) parts.push(part);
    const html = { bytes: joinBytes(parts), contentType: "" };
    const { title, markdown } = await thread.read({ html, address: "https://attached.invalid/" });
    if (markdown === "") throw new ReadFailure("unreadable", rowSentences.emptyFile);
    return { id: rowId("file", name), title: title || name, content: markdown };
  }

  return {
    rows: ({ text, format, title }, target, signal) =>
      insertRows(async () => bytesOf(text), { format, title }, target, signal),

    file: async (payload, jobId, target, platform, signal) => {
      const { attachment } = payload;
      const { name } = attachment;
      const problem = fileProblem(attachment);
      if (problem !== undefined) throw new ReadFailure("unreadable", problem);
      const open = () => openFile(platform, attachment, signal);
      const format = formatOfFile(name);
      if (isHtml(name)) {
        const row = await html(name, await open());
        return { rows: await inserting.replaceRows(target, listed(row), signal) };
      }
      if (format === undefined) return upload(payload, jobId, open, target, signal);
      const how = { format, title: name, textId: rowId("file", name) };
      return insertRows(async () => limited(await open(), maxFileBytes), how, target, signal);
    },

    query: async ({ sql }, target, signal) => {
      await inserting.insert(target, { query: sql }, signal);
      return {};
    },
  };
}

async function openFile(
  platform: ChatPlatform,
  attachment: Attachment,
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array>> {
  try {
    return await platform.openAttachment(attachment, signal);
  } catch (thrown) {
    if (signal.aborted || (thrown instanceof ParleyError && thrown.code === "platform_unreachable")) throw thrown;
    throw new ReadFailure("unreadable", workSentences.fileGone, thrown);
  }
}

/** What a platform says of a file's size is only a claim. */
async function* limited(content: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const part of content) {
    size += part.length;
    if (size > maxBytes) throw new ReadFailure("unreadable", workSentences.fileTooLarge(maxBytes / 1024 ** 2));
    yield part;
  }
  if (size === 0) throw new ReadFailure("unreadable", rowSentences.emptyFile);
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}

async function* listed(row: Row): AsyncGenerator<Row> {
  yield row;
}

function isHtml(name: string): boolean {
  return /\.(?:html?|xhtml)$/i.test(name);
}
