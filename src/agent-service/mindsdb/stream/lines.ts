/**
 * Splits the bytes of a stream into the JSON text of each chunk.
 *
 * A chunk is the data of one server-sent event. It is handed over as soon as its line is complete: the service's
 * documents show no empty lines between events, and a parser that waits for them would show each event late. One line is
 * always a whole chunk, because JSON contains no raw line ends. Other fields and comments are skipped.
 *
 * Bytes are kept until a line is complete and decoded then, once: a chunk of 10 MB in reads of 16 B stays linear, and
 * no character is ever cut in two.
 */
const lineFeed = 10;
const carriageReturn = 13;

/** Up to here a loop is faster than a call into native code. */
const smallBytes = 64;
/** Below half of Node's buffer pool, which makes the first allocation free. */
const firstCapacity = 3072;

const none: readonly string[] = [];

export function createLineReader() {
  /** The incomplete line; grows by doubling, so that keeping stays linear in the bytes. */
  let kept = Buffer.allocUnsafe(0);
  let keptLength = 0;
  /** A byte order mark is skipped here, and nowhere else. */
  let isAtBeginning = true;

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

  /** `text` has only complete lines. CRLF leaves an empty line, which is skipped. */
  function read(text: string): readonly string[] {
    const chunkTexts: string[] = [];
    const lines = text.includes("\r") ? text.replaceAll("\r", "\n") : text;
    let start = isAtBeginning && lines.startsWith("\uFEFF") ? 1 : 0;
    isAtBeginning = false;
    while (start < lines.length) {
      const end = lines.indexOf("\n", start);
      if (lines.startsWith("data:", start)) {
        const data = lines.slice(lines[start + 5] === " " ? start + 6 : start + 5, end);
        if (data !== "") chunkTexts.push(data);
      }
      start = end + 1;
    }
    return chunkTexts;
  }

  return {
    /** The chunk texts that these bytes complete. */
    push: (bytes: Uint8Array): readonly string[] => {
      const complete = lastLineEnd(bytes) + 1;
      let texts = none;
      if (complete > 0 && keptLength === 0) texts = read(asBuffer(bytes).toString("utf8", 0, complete));
      else if (complete > 0) {
        keep(bytes, 0, complete);
        texts = read(takeKept());
      }
      keep(bytes, complete, bytes.length);
      return texts;
    },
    /** The last line may have come without its end. */
    end: (): readonly string[] => (keptLength === 0 ? none : read(`${takeKept()}\n`)),
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
