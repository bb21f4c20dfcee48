/**
 * Reads the bytes of a small file as text. UTF-8 is decoded at once; any other encoding is found in the child process,
 * because that takes memory and time. So are documents.
 */
import { isUtf8 } from "node:buffer";
import { readFile, writeFile } from "node:fs/promises";
import { rowSentences } from "../../presentation/sentences.ts";
import { isDocumentName } from "../documents/document-names.ts";
import { ReadFailure } from "../pages/read-failure.ts";
import { isBinary } from "../rows/binary.ts";
import type { ForeignContent } from "./foreign-content.ts";
import type { Scratch } from "./scratch.ts";

/** In UTF-8 no encoding takes more than three times its own bytes. */
const growth = 3;
/** ISO-2022-JP, which is valid UTF-8. */
const otherEncoding = "\u001B$";

/** Of a document with a question. In UTF-8, no more than all files of a question may have. */
const maxDocumentChars = 130_000;

/**
 * `owner`: the queue for fair scheduling. Undefined for what isn't text; `why`: a document can't be read. Throws ReadFailure, or the
 * signal's reason.
 */
export function createTextReading({
  content,
  scratch,
}: {
  readonly content: ForeignContent;
  readonly scratch: Scratch;
}) {
  async function readDocument(
    bytes: Uint8Array,
    { owner, signal }: { readonly owner: string; readonly signal: AbortSignal },
  ) {
    const body = await scratch.file(bytes.length);
    const into = await scratch.file();
    try {
      await writeFile(body.path, bytes);
      const onBegin = () => into.reserve(maxDocumentChars * growth);
      const task = { path: body.path, into: into.path, maxChars: maxDocumentChars };
      const result = await content.run("documentText", task, { owner, signal, onBegin });
      return { text: await readFile(into.path, "utf8"), ...result };
    } catch (thrown) {
      if (thrown instanceof ReadFailure) return { why: thrown.reason };
      throw thrown;
    } finally {
      await Promise.all([body.remove(), into.remove()]);
    }
  }

  return async (
    bytes: Uint8Array,
    { owner, signal, name = "" }: { readonly owner: string; readonly signal: AbortSignal; readonly name?: string },
  ): Promise<
    { readonly text: string; readonly note?: string } | { readonly text?: never; readonly why: string } | undefined
  > => {
    if (isDocumentName(name)) return readDocument(bytes, { owner, signal });
    if (isUtf8(bytes)) {
      const text = new TextDecoder().decode(bytes);
      if (!text.includes("\0") && !text.includes(otherEncoding)) return isBinary(text) ? undefined : { text };
    }
    const body = await scratch.file(bytes.length);
    const into = await scratch.file();
    try {
      await writeFile(body.path, bytes);
      const onBegin = () => into.reserve(bytes.length * growth);
      const result = await content.run("text", { path: body.path, into: into.path }, { owner, signal, onBegin });
      return { text: await readFile(into.path, "utf8"), ...result };
    } catch (thrown) {
      if (thrown instanceof ReadFailure && thrown.reason === rowSentences.binary) return undefined;
      throw thrown;
    } finally {
      await Promise.all([body.remove(), into.remove()]);
    }
  };
}
