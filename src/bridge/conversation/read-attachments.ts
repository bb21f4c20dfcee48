/**
 * Reads the files attached to a question as text for the agent. The sizes a platform claims are not trusted: bytes are
 * counted as they arrive, and a file that is too large or too slow is left out with a note.
 */

import type { App } from "../../app.ts";
import type { Attachment, Place } from "../../core/model/place.ts";
import type { ChatPlatform } from "../../core/ports/chat-platform.ts";
import { orAborted } from "../../core/tools/abortable.ts";
import { isDocumentName } from "../../knowledge/knowledge.ts";
import { isTextFile, type ReadAttachment } from "./context.ts";

/** Slack and Discord accept ten files per message. */
const maxFiles = 10;
/** For all files of a question together, because the question waits for them. */
const filesTimeoutMs = 20_000;
/** With a question, which waits for it. */
const maxDocumentBytes = 10 * 1024 * 1024;
/** For all files of a question together; more does not help a model. */
const maxAllBytes = 400 * 1024;

const tooSlow = "it took too long to arrive";
const tooMany = `only ${maxFiles} files are read with a question`;
const tooMuch = `the files of a question may have ${maxAllBytes / 1024} kB together`;

/** Undefined for what isn't text. `note`: what was assumed to read it. `why`: it can't be read. */
export type ReadText = (
  bytes: Uint8Array,
  options: { readonly owner: string; readonly signal: AbortSignal; readonly name: string },
) => Promise<Pick<ReadAttachment, "text" | "note" | "why"> | undefined>;

/** `owner`: of the question, which was asked in `place`. In their order. Rejects only with the signal's reason. */
export async function readAttachments(
  files: readonly Attachment[],
  platform: ChatPlatform,
  signal: AbortSignal,
  app: App & { readonly readText: ReadText },
  { place, owner }: { readonly place: Place; readonly owner: string },
): Promise<readonly ReadAttachment[]> {
  const late = new AbortController();
  const cancel = app.clock.after(filesTimeoutMs, () => late.abort(new Error(tooSlow)));
  const until = AbortSignal.any([signal, late.signal]);
  let bytesLeft = maxAllBytes;
  /** False when all files together exceed the limit. */
  const count = (bytes: number) => {
    bytesLeft -= bytes;
    return bytesLeft >= 0;
  };
  try {
    return await Promise.all(
      files.map(async (attachment, index) => {
        if (!isTextFile(attachment) && !isDocumentName(attachment.name)) return { attachment };
        if (index >= maxFiles) return { attachment, why: tooMany };
        try {
          return {
            attachment,
            ...(await readFile(attachment, platform, { until, count, readText: app.readText, place, owner })),
          };
        } catch (failure) {
          signal.throwIfAborted();
          app.log.warn({ err: failure, file: attachment.id }, "An attachment could not be read");
          return { attachment, why: late.signal.aborted ? tooSlow : "the chat platform did not hand it over" };
        }
      }),
    );
  } finally {
    cancel();
  }
}

async function readFile(
  attachment: Attachment,
  platform: ChatPlatform,
  {
    until,
    count,
    readText,
    place,
    owner,
  }: { readonly readText: ReadText } & {
    readonly place: Place;
    readonly owner: string;
    readonly until: AbortSignal;
    readonly count: (bytes: number) => boolean;
  },
): Promise<Pick<ReadAttachment, "text" | "note" | "why">> {
  const isDocument = isDocumentName(attachment.name);
  const maxBytes = isDocument ? maxDocumentBytes : platform.limits.maxAttachmentTextBytes;
  const shown = isDocument ? `${maxDocumentBytes / 1024 ** 2} MB` : `${Math.floor(maxBytes / 1024)} kB`;
  const tooLarge = { why: `it is larger than ${shown}` };
  if (attachment.sizeBytes > maxBytes) return tooLarge;
  const opened = await orAborted(platform.openAttachment(attachment, place, until), until);
  const stream = opened[Symbol.asyncIterator]();
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for (;;) {
      const next = await orAborted(stream.next(), until);
      if (next.done === true) {
        const { name } = attachment;
        const read = await orAborted(readText(Buffer.concat(chunks), { owner, signal: until, name }), until);
        // Of a document, its text counts, not its pictures.
        if (isDocument && !count(Buffer.byteLength(read?.text ?? ""))) return { why: tooMuch };
        // No reason given means the file is not text.
        return read ?? {};
      }
      bytes += next.value.byteLength;
      if (bytes > maxBytes) return tooLarge;
      if (!isDocument && !count(next.value.byteLength)) return { why: tooMuch };
      chunks.push(next.value);
    }
  } finally {
    // Not awaited: a stalled stream would not return.
    void Promise.resolve(stream.return?.()).catch(() => undefined);
  }
}
