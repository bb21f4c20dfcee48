/** Decodes UTF-32, which TextDecoder doesn't know, piece by piece. */

export type PieceDecoder = {
  readonly decode: (bytes?: Uint8Array, options?: { readonly stream?: boolean }) => string;
};

/** What isn't a character costs one character, as with TextDecoder. */
export function utf32Decoder(label: "utf-32le" | "utf-32be"): PieceDecoder {
  let rest: Buffer = Buffer.alloc(0);
  let isBegin = true;
  return {
    decode: (bytes = new Uint8Array(), { stream = false } = {}) => {
      const all = Buffer.concat([rest, bytes]);
      const whole = all.length - (all.length % 4);
      rest = stream ? all.subarray(whole) : Buffer.alloc(0);
      const chars: string[] = [];
      for (let at = 0; at < whole; at += 4) {
        const code = label === "utf-32le" ? all.readUInt32LE(at) : all.readUInt32BE(at);
        if (!isBegin || code !== byteOrderMark) chars.push(charOf(code));
        isBegin = false;
      }
      if (!stream && whole < all.length) chars.push("\uFFFD");
      return chars.join("");
    },
  };
}

const byteOrderMark = 0xfeff;

function charOf(code: number): string {
  return code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ? "\uFFFD" : String.fromCodePoint(code);
}
