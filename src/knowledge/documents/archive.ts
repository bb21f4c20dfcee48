/** Unpacks the XML of a packed document, within limits that hold whatever the archive says of itself. */
import { buffer } from "node:stream/consumers";
import { crc32 } from "node:zlib";
import { type Entry, fromBufferPromise } from "yauzl";
import { documentSentences } from "../../presentation/sentences.ts";
import { maxArchiveFiles, maxUnpackedDocumentBytes } from "../foreign/content-limits.ts";
import { ReadFailure } from "../pages/read-failure.ts";

export type Archive = ReadonlyMap<string, Uint8Array>;

/** Pictures and fonts stay packed. */
const wanted = /(?:^[^\0]{1,250}\.(?:xml|rels)|^mimetype)$/i;

/** Throws ReadFailure. */
export async function unpackedXml(bytes: Uint8Array): Promise<Archive> {
  try {
    // It checks that each file unpacks to the size that is announced.
    const zip = await fromBufferPromise(Buffer.from(bytes), { lazyEntries: true });
    if (zip.entryCount > maxArchiveFiles) {
      throw new ReadFailure("unreadable", documentSentences.tooManyFiles(maxArchiveFiles));
    }
    const files = new Map<string, Uint8Array>();
    let size = 0;
    let packedSize = 0;
    for await (const entry of zip.eachEntry()) {
      packedSize += entry.compressedSize;
      // Files that lie over each other are a bomb.
      if (packedSize > bytes.length) throw new Error("Files of the archive overlap.");
      if (!wanted.test(entry.fileName)) continue;
      if (entry.isEncrypted()) throw new ReadFailure("unreadable", documentSentences.encrypted);
      size += entry.uncompressedSize;
      if (size > maxUnpackedDocumentBytes) {
        throw new ReadFailure("unreadable", documentSentences.unpacksTo(maxUnpackedDocumentBytes / 1024 ** 2));
      }
      if (files.has(entry.fileName)) throw new Error("Two files of the archive have the same name.");
      files.set(entry.fileName, await unpacked(entry, (one) => zip.openReadStreamPromise(one)));
    }
    return files;
  } catch (thrown) {
    if (thrown instanceof ReadFailure) throw thrown;
    throw new ReadFailure("unreadable", documentSentences.damaged("file"), thrown);
  }
}

async function unpacked(entry: Entry, open: (entry: Entry) => Promise<NodeJS.ReadableStream>): Promise<Uint8Array> {
  const bytes = await buffer(await open(entry));
  if (crc32(bytes) !== entry.crc32) throw new Error("A file of the archive isn't what was packed.");
  return bytes;
}

/** "" if there is none. */
export function textIn(archive: Archive, name: string): string {
  return new TextDecoder().decode(archive.get(name));
}
