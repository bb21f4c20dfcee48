/** Unpacks the XML of a packed document, within limits that are checked before anything is unpacked. */
import { unzipSync } from "fflate";
import { documentSentences } from "../../presentation/sentences.ts";
import { maxArchiveFiles, maxUnpackedDocumentBytes } from "../foreign/content-limits.ts";
import { ReadFailure } from "../pages/read-failure.ts";

export type Archive = ReadonlyMap<string, Uint8Array>;

/** Pictures and fonts stay packed. Throws ReadFailure. */
export function unpackedXml(bytes: Uint8Array): Archive {
  let files = 0;
  let size = 0;
  try {
    const found = unzipSync(bytes, {
      filter: ({ name, originalSize }) => {
        files += 1;
        if (files > maxArchiveFiles)
          throw new ReadFailure("unreadable", documentSentences.tooManyFiles(maxArchiveFiles));
        if (!/(?:\.xml|\.rels|^mimetype)$/i.test(name)) return false;
        size += originalSize;
        if (size > maxUnpackedDocumentBytes) {
          throw new ReadFailure("unreadable", documentSentences.unpacksTo(maxUnpackedDocumentBytes / 1024 ** 2));
        }
        return true;
      },
    });
    return new Map(Object.entries(found));
  } catch (thrown) {
    if (thrown instanceof ReadFailure) throw thrown;
    throw new ReadFailure("unreadable", documentSentences.damaged("file"), thrown);
  }
}

/** "" if there is none. */
export function textIn(archive: Archive, name: string): string {
  return new TextDecoder().decode(archive.get(name));
}
