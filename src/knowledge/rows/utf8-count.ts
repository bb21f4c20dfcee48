/** Counts which bytes of a stream are valid UTF-8 beyond ASCII and which are not, and where each kind begins and ends. */
import { isAscii } from "node:buffer";

export type Position = {
  readonly at: number;
  /** From 1. */
  readonly line: number;
  readonly lineStart: number;
};

export type Utf8Count = {
  /** Characters of two bytes and more. */
  readonly valid: number;
  /** What a decoder would replace. */
  readonly invalid: number;
  readonly firstValid?: Position | undefined;
  readonly lastValid?: Position | undefined;
  readonly firstInvalid?: Position | undefined;
  readonly lastInvalid?: Position | undefined;
};

/** The bytes that may follow the first one of a character, and how many do (Unicode, table 3-7). */
type Rest = { readonly length: number; readonly low: number; readonly high: number };

const lineFeed = 0x0a;

export function createUtf8Count() {
  let offset = 0;
  let line = 1;
  let lineStart = 0;
  /** Of a character that isn't complete. */
  let rest: Rest = { length: 0, low: 0x80, high: 0xbf };
  let beganAt = 0;
  const count: { -readonly [K in keyof Utf8Count]: Utf8Count[K] } = { valid: 0, invalid: 0 };

  function note(kind: "valid" | "invalid", at: number): void {
    const position = { at, line, lineStart };
    count[kind] += 1;
    if (kind === "valid") {
      count.firstValid ??= position;
      count.lastValid = position;
    } else {
      count.firstInvalid ??= position;
      count.lastInvalid = position;
    }
  }

  return {
    add: (bytes: Uint8Array): void => {
      if (rest.length === 0 && isAscii(bytes)) {
        for (let at = bytes.indexOf(lineFeed); at >= 0; at = bytes.indexOf(lineFeed, at + 1)) {
          line += 1;
          lineStart = offset + at + 1;
        }
        offset += bytes.length;
        return;
      }
      for (const byte of bytes) {
        if (rest.length > 0 && byte >= rest.low && byte <= rest.high) {
          rest = { length: rest.length - 1, low: 0x80, high: 0xbf };
          if (rest.length === 0) note("valid", beganAt);
        } else {
          if (rest.length > 0) note("invalid", beganAt);
          rest = restAfter(byte);
          beganAt = offset;
          if (rest.length === 0 && byte >= 0x80) note("invalid", offset);
          if (byte === lineFeed) {
            line += 1;
            lineStart = offset + 1;
          }
        }
        offset += 1;
      }
    },
    /** So far. A character that isn't complete counts as neither. */
    found: (): Utf8Count => count,
  };
}

/** With damage, perhaps: text of an old encoding has a few valid sequences by chance, and far more invalid ones. */
export function isMostlyUtf8({ valid, invalid }: Pick<Utf8Count, "valid" | "invalid">): boolean {
  return valid * 2 >= invalid;
}

/** Length 0 for a byte that begins no longer character. */
function restAfter(byte: number): Rest {
  if (byte < 0xc2 || byte > 0xf4) return none;
  if (byte < 0xe0) return { length: 1, low: 0x80, high: 0xbf };
  if (byte < 0xf0) return { length: 2, low: byte === 0xe0 ? 0xa0 : 0x80, high: byte === 0xed ? 0x9f : 0xbf };
  return { length: 3, low: byte === 0xf0 ? 0x90 : 0x80, high: byte === 0xf4 ? 0x8f : 0xbf };
}

const none: Rest = { length: 0, low: 0x80, high: 0xbf };
