/**
 * Bytes -> the JSON text of each chunk. Sits before eventsource-parser, which alone would be too patient: it shows an
 * event only at the empty line after it, and the API document shows none, so an event would wait for the next one (or
 * forever). Here complete lines are handed over with an empty line of our own behind them; what that leaves together
 * in one event (lines that arrived in one read) is parted at its line ends, because JSON holds no raw ones.
 *
 * Bytes are kept until a line is complete and decoded then, once: a chunk of 10 MB in reads of 16 B stays linear, and
 * no character is ever cut in two.
 */
import { createParser } from "eventsource-parser";

const lineFeed = 10;
const carriageReturn = 13;

/** Up to here a loop is faster than a call into native code. */
const smallBytes = 64;
/** Below half of Node's buffer pool, which makes the first allocation free. */
const firstCapacity = 3072;

export type LineReader = {
  /** Calls back with every chunk text that these bytes complete. */
  readonly push: (bytes: Uint8Array) => void;
  /** The last line may have come without its end. */
  readonly end: () => void;
  /** Bytes of the line that is not complete yet. */
  readonly pendingBytes: () => number;
};

export function createLineReader(onChunkText: (text: string) => void): LineReader {
  const parser = createParser({
    onEvent: ({ data }) => {
      if (!data.includes("\n")) onChunkText(data);
      else for (const line of data.split("\n")) onChunkText(line);
    },
  });
  /** The incomplete line; grows by doubling, so that keeping stays linear in the bytes. */
  let kept = Buffer.allocUnsafe(0);
  let keptLength = 0;

  function keep(bytes: Uint8Array, start: number, end: number): void {
    const needed = keptLength + end - start;
    if (needed > kept.length) {
      const larger = Buffer.allocUnsafe(Math.max(firstCapacity, needed, kept.length * 2));
      kept.copy(larger, 0, 0, keptLength);
      kept = larger;
    }
    if (end - start <= smallBytes) {
      for (let at = start; at < end; at += 1) kept[keptLength + at - start] = bytes[at] as number;
    } else {
      asBuffer(bytes).copy(kept, keptLength, start, end);
    }
    keptLength = needed;
  }

  function feed(lines: string, lastByte: number): void {
    parser.feed(lines);
    // After a lone CR the first LF completes the line end, the second one is the empty line.
    if (lastByte === carriageReturn) parser.feed("\n\n");
    else if (!lines.endsWith("\n\n")) parser.feed("\n");
  }

  return {
    push: (bytes) => {
      const lineEnd = lastLineEnd(bytes);
      if (lineEnd < 0) return keep(bytes, 0, bytes.length);
      const complete = lineEnd + 1;
      if (keptLength === 0) {
        feed(asBuffer(bytes).toString("utf8", 0, complete), bytes[lineEnd] as number);
      } else {
        keep(bytes, 0, complete);
        const length = keptLength;
        keptLength = 0;
        feed(kept.toString("utf8", 0, length), bytes[lineEnd] as number);
      }
      if (complete < bytes.length) keep(bytes, complete, bytes.length);
    },
    end: () => {
      if (keptLength === 0) return;
      const length = keptLength;
      keptLength = 0;
      feed(`${kept.toString("utf8", 0, length)}\n`, lineFeed);
    },
    pendingBytes: () => keptLength,
  };
}

function lastLineEnd(bytes: Uint8Array): number {
  if (bytes.length > smallBytes) {
    return Math.max(bytes.lastIndexOf(lineFeed), bytes.lastIndexOf(carriageReturn));
  }
  for (let at = bytes.length - 1; at >= 0; at -= 1) {
    if (bytes[at] === lineFeed || bytes[at] === carriageReturn) return at;
  }
  return -1;
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
