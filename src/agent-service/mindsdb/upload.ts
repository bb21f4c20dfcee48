/**
 * Sends a file as a multipart body with one part named `file`. Both generations answer 500 "KeyError 'file'" to a body
 * of unknown length, and the size that a platform states is only a claim. So the bytes go to a temporary file first:
 * it gives the exact length, keeps memory flat, and can be sent again after a renewed login. The file is unlinked before
 * it is used, so the system removes it however this process ends.
 */
import { randomUUID } from "node:crypto";
import { type FileHandle, mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ParleyError } from "../../core/errors.ts";
import type { FileUpload } from "../../core/ports/agent-service.ts";
import type { Multipart } from "../http/request.ts";

/** The service accepts no larger files. */
const maxFileBytes = 100 * 1024 * 1024;

const folderPrefix = "parley-upload-";
const readBytes = 256 * 1024;

/** Passes the file as multipart to `send`. Throws file_refused if it is too large. */
export async function withMultipart(file: FileUpload, send: (multipart: Multipart) => Promise<void>): Promise<void> {
  const handle = await openNameless();
  try {
    const contentBytes = await spool(file.content, handle);
    const boundary = `parley-${randomUUID()}`;
    const head = Buffer.from(partHead(boundary, file));
    const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
    await send({
      contentType: `multipart/form-data; boundary=${boundary}`,
      lengthBytes: head.length + contentBytes + tail.length,
      body: async function* () {
        yield head;
        yield* contentOf(handle);
        yield tail;
      },
    });
  } finally {
    await handle.close();
  }
}

async function openNameless(): Promise<FileHandle> {
  const folder = await mkdtemp(join(tmpdir(), folderPrefix));
  try {
    return await open(join(folder, "content"), "wx+");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function spool(content: AsyncIterable<Uint8Array>, handle: FileHandle): Promise<number> {
  let size = 0;
  for await (const bytes of content) {
    size += bytes.length;
    if (size > maxFileBytes) throw new ParleyError("file_refused", { hint: "Use a file of at most 100 MB." });
    await handle.writeFile(bytes);
  }
  return size;
}

async function* contentOf(handle: FileHandle): AsyncGenerator<Uint8Array> {
  for (let at = 0; ; ) {
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(readBytes), 0, readBytes, at);
    if (bytesRead === 0) return;
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

function partHead(boundary: string, file: FileUpload): string {
  return [
    `--${boundary}`,
    `Content-Disposition: form-data; name="file"; filename="${quotable(file.fileName)}"`,
    `Content-Type: ${mediaTypeOf(file.mediaType)}`,
    "",
    "",
  ].join("\r\n");
}

/** Escapes as browsers do, so that a quote or a line end in a name can't break out of the header. */
function quotable(fileName: string): string {
  return fileName.replaceAll('"', "%22").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

/** The media type goes into a header. */
function mediaTypeOf(claimed: string): string {
  return /^[\w.+-]+\/[\w.+-]+$/.test(claimed) ? claimed : "application/octet-stream";
}
