/**
 * Bytes -> the JSON text of each chunk. Sits before eventsource-parser, which alone would be too patient: it shows an
 * event only at the empty line after it, and the API document shows none, so an event would wait for the next one (or
 * for ever). Here complete lines are handed over with an empty line of our own behind them; what that leaves together
 * in one event (lines that arrived in one read) is parted at its line ends, because JSON holds no raw ones.
 *
 * Bytes are kept until a line is complete and decoded then, once: a chunk of 10 MB in reads of 16 B stays linear, and
 * no character is ever cut in two.
 */
import { createParser } from "eventsource-parser";

const lineFeed = 10;
const carriageReturn = 13;

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
  let pending: Buffer[] = [];
  let pendingBytes = 0;

  function keep(bytes: Buffer): void {
    if (bytes.length === 0) return;
    pending.push(bytes);
    pendingBytes += bytes.length;
  }

  function feed(last: Buffer): void {
    const block = pending.length === 0 ? last : Buffer.concat([...pending, last], pendingBytes + last.length);
    pending = [];
    pendingBytes = 0;
    // After a lone CR the first LF completes the line end, the second one is the empty line.
    parser.feed(block.toString("utf8"));
    parser.feed(block[block.length - 1] === lineFeed ? "\n" : "\n\n");
  }

  return {
    push: (bytes) => {
      const chunk = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      const lineEnd = Math.max(chunk.lastIndexOf(lineFeed), chunk.lastIndexOf(carriageReturn));
      if (lineEnd < 0) return keep(chunk);
      feed(chunk.subarray(0, lineEnd + 1));
      keep(chunk.subarray(lineEnd + 1));
    },
    end: () => {
      if (pendingBytes > 0) feed(Buffer.from("\n"));
    },
    pendingBytes: () => pendingBytes,
  };
}
