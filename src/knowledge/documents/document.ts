/**
 * Reads documents that aren't text: what is in them, in parts that a source can name. Runs in the child process. What a
 * file is, its bytes say; its name and media type are only claims. Each parser is loaded with its first document.
 */
import { documentSentences } from "../../presentation/sentences.ts";
import { ReadFailure } from "../pages/read-failure.ts";
import { isEmail, isOldOffice, isPacked, isPdf, isProgram } from "./document-names.ts";
import type { ReadDocument } from "./parts.ts";

/** Throws ReadFailure. */
export async function readDocument(bytes: Uint8Array): Promise<ReadDocument> {
  if (isPacked(bytes)) return readPacked(bytes);
  if (isOldOffice(bytes)) throw new ReadFailure("unreadable", oldOfficeReason(bytes));
  if (isProgram(bytes)) throw new ReadFailure("unreadable", documentSentences.program);
  if (isPdf(bytes)) return (await import("./pdf.ts")).readPdf(bytes);
  if (isEmail(bytes)) return (await import("./email.ts")).readEmail(bytes);
  throw new ReadFailure("unreadable", documentSentences.unknown);
}

async function readPacked(bytes: Uint8Array): Promise<ReadDocument> {
  const archive = await (await import("./archive.ts")).unpackedXml(bytes);
  if (archive.has("word/document.xml")) return (await import("./word.ts")).readWord(archive);
  if (archive.has("xl/workbook.xml")) return (await import("./excel.ts")).readExcel(archive);
  if (archive.has("ppt/presentation.xml")) return (await import("./slides.ts")).readSlides(archive);
  const isOpenDocument = archive.has("mimetype") && archive.has("content.xml");
  if (isOpenDocument) return (await import("./open-document.ts")).readOpenDocument(archive);
  throw new ReadFailure("unreadable", documentSentences.unknown);
}

/** A document with a password is packed into one part of such a container. */
function oldOfficeReason(bytes: Uint8Array): string {
  const isEncrypted = Buffer.from(bytes).includes(Buffer.from("EncryptedPackage", "utf16le"));
  return isEncrypted ? documentSentences.encrypted : documentSentences.oldOffice;
}
