/**
 * Splits the bytes of a stream into the JSON text of each chunk.
 *
 * A chunk is the data of one server-sent event. It is handed over as soon as its line is complete: the service's
 * documents show no empty lines between events, and a parser that waits for them would show each event late. One line is
 * always a whole chunk, because JSON contains no raw line ends. Other fields and comments are skipped.
 */
import { isObject } from "../../../core/tools/parse-json.ts";
import { parseLenient } from "../../http/event-json.ts";
import { createStrayLines } from "../../http/stray-lines.ts";
import { createWholeLines } from "../../http/whole-lines.ts";

const none: readonly string[] = [];

export function createLineReader() {
  const lines = createWholeLines();
  const piecesOf = createStrayLines();
  /** The event that is being read is called an error. */
  let isError = false;
  /** A byte order mark is skipped here, and nowhere else. */
  let isAtBeginning = true;

  /** `text` has only complete lines. CRLF leaves an empty line, which is skipped. */
  function read(text: string): readonly string[] {
    const chunkTexts: string[] = [];
    for (const piece of piecesOf(text)) {
      if (piece.kind === "lines") chunkTexts.push(...readLines(piece.text));
      else chunkTexts.push(piece.name === "error" ? errorChunk(piece.data) : piece.data);
    }
    return chunkTexts;
  }

  function readLines(text: string): readonly string[] {
    const chunkTexts: string[] = [];
    const lines = text.includes("\r") ? text.replaceAll("\r", "\n") : text;
    let start = isAtBeginning && lines.startsWith("\uFEFF") ? 1 : 0;
    isAtBeginning = false;
    while (start < lines.length) {
      const end = lines.indexOf("\n", start);
      if (lines.startsWith("data:", start)) {
        const data = lines.slice(lines[start + 5] === " " ? start + 6 : start + 5, end);
        if (data !== "") chunkTexts.push(isError ? errorChunk(data) : data);
      } else if (lines.startsWith("event:", start)) isError = lines.slice(start + 6, end).trim() === "error";
      else if (end === start) isError = false;
      start = end + 1;
    }
    return chunkTexts;
  }

  return {
    /** The chunk texts that these bytes complete. */
    push: (bytes: Uint8Array): readonly string[] => {
      const text = lines.push(bytes);
      return text === "" ? none : read(text);
    },
    /** The last line may have come without its end. */
    end: (): readonly string[] => {
      const rest = lines.end();
      return rest === "" ? none : read(`${rest}\n`);
    },
    pendingBytes: lines.pendingBytes,
  };
}

/** As the service reports a failure. */
function errorChunk(data: string): string {
  const said = parseLenient(data);
  const error = isObject(said) && isObject(said["error"]) ? said["error"] : said;
  const content = isObject(error) ? (error["message"] ?? error["error"] ?? error["detail"] ?? data) : data;
  return JSON.stringify({ type: "error", content });
}
