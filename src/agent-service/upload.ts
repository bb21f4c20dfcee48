/**
 * A file as multipart body, one part named `file`. Both generations find no file in a body of unknown length (they
 * answer 500 "KeyError 'file'"), and a platform's word on a file's size is only a claim: so the bytes go to a temporary
 * file first, which gives the length, keeps memory flat, and can be sent a second time after a renewed login.
 */
import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ParleyError } from "../bridge/errors.ts";

type UploadedFile = {
  readonly fileName: string;
  readonly mediaType: string;
  readonly content: AsyncIterable<Uint8Array>;
};

export type Multipart = {
  readonly contentType: string;
  readonly lengthBytes: number;
  /** Anew for every try. */
  readonly body: () => AsyncIterable<Uint8Array>;
};

/** The service takes no larger ones. */
const maxFileBytes = 100 * 1024 * 1024;

/** Hands the file as multipart to `send` and cleans up behind it. Throws file_refused for one that is too large. */
export async function withMultipart(file: UploadedFile, send: (multipart: Multipart) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "parley-upload-"));
  try {
    const path = join(folder, "content");
    const contentBytes = await spool(file.content, path);
    const boundary = `parley-${randomUUID()}`;
    const head = Buffer.from(partHead(boundary, file));
    const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
    await send({
      contentType: `multipart/form-data; boundary=${boundary}`,
      lengthBytes: head.length + contentBytes + tail.length,
      body: async function* () {
        yield head;
        yield* createReadStream(path);
        yield tail;
      },
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function spool(content: AsyncIterable<Uint8Array>, path: string): Promise<number> {
  const handle = await open(path, "wx");
  let size = 0;
  try {
    for await (const bytes of content) {
      size += bytes.length;
      if (size > maxFileBytes) throw new ParleyError("file_refused", { hint: "Use a file of at most 100 MB." });
      await handle.writeFile(bytes);
    }
  } finally {
    await handle.close();
  }
  return size;
}

function partHead(boundary: string, file: UploadedFile): string {
  return [
    `--${boundary}`,
    `Content-Disposition: form-data; name="file"; filename="${quotable(file.fileName)}"`,
    `Content-Type: ${mediaTypeOf(file.mediaType)}`,
    "",
    "",
  ].join("\r\n");
}

/** As browsers do it: a quote or a line end in a name cannot leave the header. */
function quotable(fileName: string): string {
  return fileName.replaceAll('"', "%22").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

/** What a platform claims is untrusted, and stands in a header. */
function mediaTypeOf(claimed: string): string {
  return /^[\w.+-]+\/[\w.+-]+$/.test(claimed) ? claimed : "application/octet-stream";
}
