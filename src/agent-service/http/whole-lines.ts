/**
 * Keeps the bytes of a stream until a line is complete, and decodes each byte once. So an event of 10 MB in reads of
 * 16 B stays linear, and no character is ever cut in two.
 */
const lineFeed = 10;
const carriageReturn = 13;

/** Up to here a loop is faster than a call into native code. */
const smallBytes = 64;
/** Below half of Node's buffer pool, which makes the first allocation free. */
const firstCapacity = 3072;

export function createWholeLines() {
  /** The incomplete line; grows by doubling, so that keeping stays linear in the bytes. */
  let kept = Buffer.allocUnsafe(0);
  let keptLength = 0;

  function keep(bytes: Uint8Array, start: number, end: number): void {
    if (start === end) return;
    const needed = keptLength + end - start;
    if (needed > kept.length) {
      const larger = Buffer.allocUnsafe(Math.max(firstCapacity, needed, kept.length * 2));
      kept.copy(larger, 0, 0, keptLength);
      kept = larger;
    }
    if (end - start > smallBytes) asBuffer(bytes).copy(kept, keptLength, start, end);
    else for (let at = start; at < end; at += 1) kept[keptLength + at - start] = bytes[at] as number;
    keptLength = needed;
  }

  function takeKept(): string {
    const text = kept.toString("utf8", 0, keptLength);
    keptLength = 0;
    return text;
  }

  return {
    /** The lines that these bytes complete, with their ends; "" if there are none. */
    push: (bytes: Uint8Array): string => {
      const complete = lastLineEnd(bytes) + 1;
      let text = "";
      if (complete > 0 && keptLength === 0) text = asBuffer(bytes).toString("utf8", 0, complete);
      else if (complete > 0) {
        keep(bytes, 0, complete);
        text = takeKept();
      }
      keep(bytes, complete, bytes.length);
      return text;
    },
    /** The last line, which may have come without its end. */
    end: takeKept,
    /** Bytes of the line that is not complete yet. */
    pendingBytes: () => keptLength,
  };
}

function lastLineEnd(bytes: Uint8Array): number {
  if (bytes.length > smallBytes) return Math.max(bytes.lastIndexOf(lineFeed), bytes.lastIndexOf(carriageReturn));
  let at = bytes.length - 1;
  while (at >= 0 && bytes[at] !== lineFeed && bytes[at] !== carriageReturn) at -= 1;
  return at;
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
