/** What the first bytes of a picture tell: its format, and its size in pixels. */

import type { Picture } from "../../core/ports/agent-service.ts";

export type PictureFormat = Pick<Picture, "mediaType"> & { readonly width: number; readonly height: number };

/** Undefined: none of the four formats that models take, or cut off before its size. */
export function formatOf(bytes: Buffer): PictureFormat | undefined {
  const begins = (text: string, at = 0) => bytes.subarray(at, at + text.length).equals(Buffer.from(text, "latin1"));
  try {
    if (begins("\x89PNG\r\n\x1a\n") && begins("IHDR", 12)) {
      return { mediaType: "image/png", width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
    }
    if (begins("GIF87a") || begins("GIF89a")) {
      return { mediaType: "image/gif", width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
    }
    if (begins("RIFF") && begins("WEBP", 8)) return webp(bytes);
    if (begins("\xff\xd8\xff")) return jpeg(bytes);
    return undefined;
  } catch {
    // Read beyond the end.
    return undefined;
  }
}

/** RFC 9649. The kind of the first chunk says where the size is. */
function webp(bytes: Buffer): PictureFormat | undefined {
  const mediaType = "image/webp";
  switch (bytes.toString("latin1", 12, 16)) {
    case "VP8 ":
      return { mediaType, width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
    case "VP8L": {
      const bits = bytes.readUInt32LE(21);
      return { mediaType, width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case "VP8X":
      return { mediaType, width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    default:
      return undefined;
  }
}

/** The frame's segment has the size; those before it (a thumbnail, a colour profile) are skipped by their lengths. */
function jpeg(bytes: Buffer): PictureFormat | undefined {
  let at = 2;
  for (;;) {
    if (bytes.readUInt8(at) !== 0xff) return undefined;
    const marker = bytes.readUInt8(at + 1);
    // Any number of fill bytes may precede a marker.
    if (marker === 0xff) at += 1;
    else if (isFrame(marker)) {
      return { mediaType: "image/jpeg", width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    } else at += 2 + Math.max(2, bytes.readUInt16BE(at + 2));
  }
}

/** Start of frame, which isn't a table (C4, CC) or an extension (C8). */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}
