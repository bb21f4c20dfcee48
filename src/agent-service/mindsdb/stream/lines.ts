/**
 * Splits the bytes of a stream into the JSON text of each chunk.
 *
 * A chunk is the data of one server-sent event. It is handed over as soon as its line is complete: 25.x sends no empty
 * lines between events, so a parser that waits for them would show each event late, and the last one never. One line is
 * always a whole chunk, because JSON contains no raw line ends. Other fields and comments are skipped.
 *
 * Bytes are kept until a line is complete and decoded then, once: a chunk of 10 MB in reads of 16 B stays linear, and
 * no character is ever cut in two.
 */
const lineFeed = 10;
const carriageReturn = 13;

/** Below half of Node's buffer pool, which makes the first allocation free. */
const firstCapacity = 3072;

const none: readonly string[] = [];

export type LineReader = {
  /** The chunk texts that these bytes complete. */
  readonly push: (bytes: Uint8Array) => readonly string[];
  /** The last line may have come without its end. */
  readonly end: () => readonly string[];
  /** Bytes of the line that is not complete yet. */
  readonly pendingBytes: () => number;
};

export function createLineReader(): LineReader {
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
    asBuffer(bytes).copy(kept, keptLength, start, end);
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
    push: (bytes) => {
      const complete = lastLineEnd(bytes) + 1;
      keep(bytes, 0, complete);
      const texts = complete === 0 ? none : read(takeKept());
      keep(bytes, complete, bytes.length);
      return texts;
    },
    end: () => (keptLength === 0 ? none : read(`${takeKept()}\n`)),
    pendingBytes: () => keptLength,
  };
}

function lastLineEnd(bytes: Uint8Array): number {
  return Math.max(bytes.lastIndexOf(lineFeed), bytes.lastIndexOf(carriageReturn));
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
