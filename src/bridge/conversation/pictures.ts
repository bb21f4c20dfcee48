/**
 * Reads the pictures of a question, which are sent to the agent as data. What a platform says of them isn't trusted: bytes
 * are counted as they arrive, and the first ones tell the format and the size.
 */

import type { Attachment, Place } from "../../core/model/place.ts";
import type { TurnView, UnseenPicture } from "../../core/model/turn.ts";
import type { AskOptions, Picture } from "../../core/ports/agent-service.ts";
import type { ChatPlatform } from "../../core/ports/chat-platform.ts";
import { orAborted } from "../../core/tools/abortable.ts";
import type { BridgeApp } from "../app.ts";
import { formatOf } from "./picture-format.ts";
import { type AskedTurn, picturesAttached } from "./read-context.ts";

/** What people see of the pictures that the agent doesn't get. */
export type Unseen = Pick<TurnView, "unseenPictures" | "seesNoPictures">;

type Pictures = Pick<AskOptions, "pictures"> & {
  readonly unseen: Unseen;
  /** Tells the agent what it can't see, so that it doesn't describe it. */
  readonly note: string;
};

export const notAsked: Pictures = { unseen: {}, note: "" };

/** Slack and Discord accept ten files per message. */
const maxPictures = 10;
const maxPictureBytes = 8 * 1024 * 1024;
/** Of all pictures of a question: some services take no larger request, and each run holds its own. */
const maxAllBytes = 16 * 1024 * 1024;
/** Wide or high. Anthropic's models refuse more (2026-11). */
const maxPixels = 8_000;
/** For all pictures of a question together, because the question waits for them. */
const picturesTimeoutMs = 20_000;

/** Read for each attempt: they are stored nowhere. Rejects only with the signal's reason. */
export async function picturesOf(asked: AskedTurn, app: BridgeApp): Promise<Pictures> {
  const files = await picturesAttached(asked);
  if (files.length === 0) return { unseen: { seesNoPictures: undefined, unseenPictures: undefined }, note: "" };
  if ((await app.service.profile()).takesPictures !== true) {
    return {
      unseen: { seesNoPictures: "any", unseenPictures: undefined },
      note: "",
    };
  }
  const { turn, platform, signal } = asked;
  const { pictures, unseen } = await readPictures(files, { platform, place: turn.askedIn, signal }, app);
  const names = unseen.map(({ name }) => `"${name}"`).join(", ");
  return {
    pictures,
    unseen: { seesNoPictures: undefined, unseenPictures: unseen.length === 0 ? undefined : unseen },
    note: names === "" ? "" : `(You can't see these attached pictures: ${names}.)`,
  };
}

type From = {
  readonly platform: ChatPlatform;
  readonly place: Place;
  readonly signal: AbortSignal;
};

async function readPictures(files: readonly Attachment[], { platform, place, signal }: From, app: BridgeApp) {
  const late = new AbortController();
  const cancel = app.clock.after(picturesTimeoutMs, () => late.abort(new Error("The pictures took too long.")));
  const until = AbortSignal.any([signal, late.signal]);
  const pictures: Picture[] = [];
  const unseen: UnseenPicture[] = [];
  let bytes = 0;
  try {
    for (const [index, file] of files.entries()) {
      const { name } = file;
      if (index >= maxPictures) {
        unseen.push({ name, why: "too-many" });
        continue;
      }
      const read = await readPicture(file, { platform, place, signal: until }).catch((failure: unknown) => {
        signal.throwIfAborted();
        app.log.warn({ err: failure, file: file.id }, "A picture could not be read");
        return "unreadable" as const;
      });
      if (typeof read === "string") unseen.push({ name, why: read });
      else if (bytes + read.bytes.length > maxAllBytes) unseen.push({ name, why: "too-many" });
      else {
        bytes += read.bytes.length;
        pictures.push(read);
      }
    }
    return { pictures, unseen };
  } finally {
    cancel();
  }
}

async function readPicture(
  file: Attachment,
  { platform, place, signal }: From,
): Promise<Picture | UnseenPicture["why"]> {
  const { smaller } = file;
  // How large the smaller copy is, nobody has said.
  const wanted = smaller === undefined ? file : { ...file, reference: smaller, sizeBytes: maxPictureBytes };
  if (wanted.sizeBytes > maxPictureBytes) return "bytes";
  const opened = await orAborted(platform.openAttachment(wanted, place, signal), signal);
  const stream = opened[Symbol.asyncIterator]();
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for (;;) {
      const next = await orAborted(stream.next(), signal);
      if (next.done === true) break;
      length += next.value.byteLength;
      if (length > maxPictureBytes) return "bytes";
      chunks.push(next.value);
    }
  } finally {
    // Not awaited: a stalled stream would not return.
    void Promise.resolve(stream.return?.()).catch(() => undefined);
  }
  const bytes = Buffer.concat(chunks);
  const format = formatOf(bytes);
  if (format === undefined) return "format";
  const { mediaType, width, height } = format;
  return width > maxPixels || height > maxPixels || width === 0 || height === 0 ? "pixels" : { mediaType, bytes };
}
