/** Reads a Word document as Markdown. Its pages depend on the program that shows it, so it has no page numbers. */
import { zipSync } from "fflate";
import mammoth from "mammoth";
import { contentSentences, documentSentences } from "../../presentation/sentences.ts";
import { ReadFailure } from "../pages/read-failure.ts";
import type { Archive } from "./archive.ts";
import { markdownOfWord } from "./html-part.ts";
import { oneFile, type ReadDocument } from "./parts.ts";

/** Throws ReadFailure. */
export async function readWord(archive: Archive): Promise<ReadDocument> {
  // Packed anew without pictures: what mammoth unpacks is no larger than what was checked.
  const buffer = Buffer.from(zipSync(Object.fromEntries(archive), { level: 0 }));
  const convertImage = mammoth.images.imgElement(async () => ({ src: "" }));
  const { value } = await mammoth
    .convertToHtml({ buffer }, { convertImage, externalFileAccess: false })
    .catch((thrown) => {
      // Tables in each other, a hundred deep.
      if (thrown instanceof RangeError) throw new ReadFailure("unreadable", contentSentences.tooComplex, thrown);
      throw new ReadFailure("unreadable", documentSentences.damaged("document"), thrown);
    });
  const text = markdownOfWord(value);
  if (text === "") throw new ReadFailure("unreadable", documentSentences.noText);
  return { parts: [{ label: "", text }], size: oneFile, notes: [] };
}
