/**
 * Stores the files that people attach on the page. The record comes first, then the content in pieces, and removal goes
 * the other way round: a crash between two steps leaves nothing that nobody finds.
 */

import { createHash, randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { ParleyError } from "../../../src/core/errors.ts";
import type { Attachment } from "../../../src/core/model/place.ts";
import type { Clock } from "../../../src/core/ports/clock.ts";
import type { Coordinator, KeyValueFactory } from "../../../src/core/ports/state.ts";
import { fileSentences, numberText } from "../../../src/presentation/sentences.ts";
import {
  keptUploadBytes,
  maxAllUploadBytes,
  maxOpenUploads,
  maxUploadBytes,
  maxUploadBytesOfPerson,
  maxUploadsOfPerson,
  openUploadMs,
  uploadPieceBytes,
} from "../limits.ts";
import { alone } from "../writing/alone.ts";
import { fileNameOf, mediaTypeOf } from "./file-names.ts";

const says = {
  fullHint: "Delete questions whose files you no longer need. Files that you didn't send are removed within a day.",
};

/** The message that shows the file. */
export type UsedBy = { readonly channel: string; readonly thread: string; readonly message: string };

export type Upload = {
  readonly version: 1;
  /** Begins with `ownerOf` the person who uploaded it: nobody else can use it. */
  readonly id: string;
  readonly name: string;
  readonly mediaType: string;
  readonly sizeBytes: number;
  readonly state: "announced" | "arriving" | "complete";
  /** Since when it is announced or arriving. */
  readonly atMs: number;
  /** Absent: no message shows it, so it is removed within a day. */
  readonly usedBy?: UsedBy;
  readonly usedAtMs?: number;
};

/** Someone who signed in with a token that many share: each new browser is another person, but not another allowance. */
export type Guest = { readonly network: string };

/** An upload that didn't come or end in time is no longer there, and takes up no room. */
export function isGivenUp({ state, atMs }: Pick<Upload, "state" | "atMs">, nowMs: number): boolean {
  return state !== "complete" && nowMs - atMs >= openUploadMs;
}

export type UploadsOptions = {
  readonly keyValue: KeyValueFactory;
  readonly coordinator: Pick<Coordinator, "lease">;
  readonly clock: Clock;
};

export type Uploads = ReturnType<typeof createUploads>;

const workspace = "local";
const keyOf = (id: string) => `${workspace}/${encodeURIComponent(id)}`;
const pieceKey = (id: string, number: number) => `${keyOf(id)}/${String(number).padStart(5, "0")}`;
const piecesOf = ({ sizeBytes }: Pick<Upload, "sizeBytes">) => Math.ceil(sizeBytes / uploadPieceBytes);

/** The sum over all people is added up anew after this time; until then each instance adds what it announced. */
const sumMs = 30_000;

const hashOf = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 32);

/** Beginning of the ids of a person's files. A hash: ids are shown to everyone who reads the conversation. */
const ownerOf = hashOf;

export function createUploads({ keyValue, coordinator, clock }: UploadsOptions) {
  const uploads = keyValue<Upload>("console-uploads");
  const pieces = keyValue<string>("console-upload-pieces");
  /** Ids of what guests have begun lately, by a hash of their network. */
  const begun = keyValue<string>("console-uploads-begun");
  let sum = { atMs: Number.NEGATIVE_INFINITY, bytes: 0 };

  async function* all(): AsyncGenerator<Upload> {
    for await (const [, upload] of uploads.entries(`${workspace}/`)) yield upload;
  }

  /** Everything that a person has uploaded and that is still stored. */
  async function* of(personId: string): AsyncGenerator<Upload> {
    for await (const [, upload] of uploads.entries(keyOf(`${ownerOf(personId)}.`))) yield upload;
  }

  async function bytesOfAll(): Promise<number> {
    if (clock.now() - sum.atMs < sumMs) return sum.bytes;
    let bytes = 0;
    for await (const upload of all()) if (!isGivenUp(upload, clock.now())) bytes += upload.sizeBytes;
    sum = { atMs: clock.now(), bytes };
    return bytes;
  }

  const isOpen = (upload: Upload | undefined) =>
    upload !== undefined && upload.state !== "complete" && !isGivenUp(upload, clock.now());

  const begunIn = ({ network }: Guest) => `${workspace}/${hashOf(network)}/`;

  async function countOpen(guest: Guest): Promise<number> {
    let count = 0;
    for await (const [key, id] of begun.entries(begunIn(guest))) {
      if (isOpen(await find(id))) count += 1;
      else await begun.delete(key);
    }
    return count;
  }

  async function refusal(
    personId: string,
    name: string,
    sizeBytes: number,
    guest: Guest | undefined,
  ): Promise<ParleyError | undefined> {
    if (sizeBytes === 0) return refused(`“${name}” is empty.`, "Attach a file with something in it.");
    if (sizeBytes > maxUploadBytes)
      return refused(
        `“${name}” is larger than ${megabytes(maxUploadBytes)} MB.`,
        "Attach a smaller file, or only the part that matters.",
      );
    let count = 0;
    let open = 0;
    let bytes = sizeBytes;
    for await (const upload of of(personId)) {
      if (isGivenUp(upload, clock.now())) continue;
      count += 1;
      bytes += upload.sizeBytes;
      if (isOpen(upload)) open += 1;
    }
    if (count >= maxUploadsOfPerson)
      return refused(`${numberText(maxUploadsOfPerson)} of your files are already stored here.`, says.fullHint);
    if (bytes > maxUploadBytesOfPerson)
      return refused(
        `Your files here may take up ${numberText(megabytes(maxUploadBytesOfPerson))} MB together.`,
        says.fullHint,
      );
    const room = maxAllUploadBytes - (guest === undefined ? 0 : keptUploadBytes);
    const isFull = (await bytesOfAll()) + sizeBytes > room;
    if (isFull) {
      const sentence =
        guest === undefined
          ? `There is no room for more files: all of them together may take up ${numberText(megabytes(room))} MB.`
          : `There is no room for more files from guests: with theirs, all files may take up ${numberText(megabytes(room))} MB.`;
      return refused(sentence, "Delete questions whose files you no longer need, or tell your Parley admin.");
    }
    const isTooMuch = open >= maxOpenUploads || (guest !== undefined && (await countOpen(guest)) >= maxOpenUploads);
    if (!isTooMuch) return undefined;
    return new ParleyError("platform_rate_limited", {
      what: `${numberText(maxOpenUploads)} files are already being uploaded from here.`,
      hint: "Wait until one of them is uploaded.",
    });
  }

  const find = (id: string) => uploads.get(keyOf(id));

  async function remove(upload: Pick<Upload, "id" | "sizeBytes">): Promise<void> {
    for (let number = 0; number < piecesOf(upload); number += 1) await pieces.delete(pieceKey(upload.id, number));
    await uploads.delete(keyOf(upload.id));
  }

  /** As it is now, and nobody else changes it meanwhile: neither another tab nor another instance. */
  const holding = <T>(id: string, work: (upload: Upload | undefined) => Promise<T>): Promise<T> =>
    alone(`upload/${id}`, { coordinator, clock }, async () => work(await find(id)));

  const removeIf = (id: string, isMeant: (upload: Upload) => Promise<boolean>): Promise<boolean> =>
    holding(id, async (upload) => {
      if (upload === undefined || !(await isMeant(upload))) return false;
      await remove(upload);
      return true;
    });

  return {
    all,
    of,
    find,

    /** `isMeant` decides about it as it is now. Returns whether it was removed. */
    removeIf,

    removeAll: async (files: readonly { readonly id: string }[]): Promise<void> => {
      for (const { id } of files) await removeIf(id, async () => true);
    },

    /** Undefined for an id of another person's file. */
    findOwn: async (personId: string, id: string) => (id.startsWith(`${ownerOf(personId)}.`) ? find(id) : undefined),

    /**
     * Reserves room. Throws file_refused with a sentence when there is none, and platform_rate_limited while too much
     * was announced that hasn't arrived.
     */
    async announce(
      personId: string,
      file: { readonly name: string; readonly mediaType: string; readonly sizeBytes: number },
      guest?: Guest,
    ): Promise<Upload> {
      const { sizeBytes } = file;
      const name = fileNameOf(file.name);
      // One at a time, or several at once would each fit, but not together.
      const line = guest === undefined ? ownerOf(personId) : hashOf(guest.network);
      return alone(`uploads/${line}`, { coordinator, clock }, async () => {
        const problem = await refusal(personId, name, sizeBytes, guest);
        if (problem !== undefined) throw problem;
        const mediaType = mediaTypeOf(file.mediaType);
        const upload: Upload = {
          version: 1,
          id: `${ownerOf(personId)}.${randomUUID()}`,
          name,
          mediaType,
          sizeBytes,
          state: "announced",
          atMs: clock.now(),
        };
        if (guest !== undefined) await begun.set(begunIn(guest) + upload.id, upload.id, 2 * openUploadMs);
        await uploads.set(keyOf(upload.id), upload);
        sum = { ...sum, bytes: sum.bytes + sizeBytes };
        return upload;
      });
    },

    /**
     * Stores the content. What breaks off, or is not as large as announced, is removed. A proxy may send a request
     * again: while the first one is being stored the second one is refused, and afterwards it changes nothing.
     */
    async receive({ id, sizeBytes, name }: Upload, content: AsyncIterable<Uint8Array>): Promise<Upload> {
      const known = await holding(id, async (upload) => {
        if (upload === undefined || isGivenUp(upload, clock.now())) throw new ParleyError("resource_not_found");
        if (upload.state === "arriving") throw new ParleyError("state_unavailable");
        if (upload.state === "announced") {
          await uploads.set(keyOf(id), { ...upload, state: "arriving", atMs: clock.now() });
        }
        return upload;
      });
      if (known.state === "complete") return known;
      try {
        let number = 0;
        let bytes = 0;
        for await (const piece of inPieces(limited(content, sizeBytes, name))) {
          bytes += piece.byteLength;
          await pieces.set(pieceKey(id, number), piece.toString("base64"));
          number += 1;
        }
        if (bytes < sizeBytes) throw refused(`The upload of “${name}” broke off.`, fileSentences.attachAgain);
        return await holding(id, async (upload) => {
          // Its person may have removed it meanwhile.
          if (upload === undefined) throw gone();
          const complete: Upload = { ...upload, state: "complete", atMs: clock.now() };
          await uploads.set(keyOf(id), complete);
          return complete;
        });
      } catch (thrown) {
        // If this fails too, tidying removes it. While storage is away, the person isn't kept waiting for it.
        const removing = holding(id, (upload) => remove(upload ?? { id, sizeBytes })).catch(() => undefined);
        if (!(thrown instanceof ParleyError && thrown.code === "state_unavailable")) await removing;
        throw thrown;
      }
    },

    /** The content as it was uploaded. Throws platform_refused when it is gone. */
    async *read(upload: Upload, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
      for (let number = 0; number < piecesOf(upload); number += 1) {
        signal?.throwIfAborted();
        const piece = await pieces.get(pieceKey(upload.id, number));
        if (piece === undefined) throw gone();
        yield Buffer.from(piece, "base64");
      }
    },

    /** Keeps the file as long as that message. Undefined: it is gone, or another one has it. */
    use: (id: string, by: UsedBy): Promise<Upload | undefined> =>
      holding(id, async (upload) => {
        if (upload?.state !== "complete") return undefined;
        if (upload.usedBy !== undefined) return isDeepStrictEqual(upload.usedBy, by) ? upload : undefined;
        const used: Upload = { ...upload, usedBy: by, usedAtMs: clock.now() };
        await uploads.set(keyOf(id), used);
        return used;
      }),

    /** A command or form reads it soon, perhaps again later: its day begins anew. Undefined: it is gone. */
    useOnce: (id: string): Promise<Upload | undefined> =>
      holding(id, async (upload) => {
        if (upload?.state !== "complete") return undefined;
        if (upload.usedBy === undefined) await uploads.set(keyOf(id), { ...upload, atMs: clock.now() });
        return upload;
      }),
  };
}

export function attachmentOf({ id, name, mediaType, sizeBytes }: Upload): Attachment {
  return { id, name, mediaType, sizeBytes, reference: id };
}

export function gone(): ParleyError {
  return new ParleyError("platform_refused", {
    what: fileSentences.unreadable("it was removed"),
    hint: fileSentences.attachAgain,
  });
}

function refused(what: string, hint: string): ParleyError {
  return new ParleyError("file_refused", { what, hint });
}

const megabytes = (bytes: number) => Math.floor(bytes / 1024 ** 2);

/** The announced size is only a claim. */
async function* limited(
  content: AsyncIterable<Uint8Array>,
  maxBytes: number,
  name: string,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const part of content) {
    bytes += part.byteLength;
    if (bytes > maxBytes) throw refused(`“${name}” changed while it was uploaded.`, fileSentences.attachAgain);
    yield part;
  }
}

async function* inPieces(content: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of content) {
    let rest = part;
    while (bytes + rest.byteLength >= uploadPieceBytes) {
      const taken = uploadPieceBytes - bytes;
      yield Buffer.concat([...parts, rest.subarray(0, taken)]);
      rest = rest.subarray(taken);
      parts = [];
      bytes = 0;
    }
    if (rest.byteLength > 0) parts.push(rest);
    bytes += rest.byteLength;
  }
  if (bytes > 0) yield Buffer.concat(parts);
}
