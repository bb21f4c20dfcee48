/** Answers with a CSV file that is written while it is read, however long it is. */
import { cleanText, csvLine } from "../../../src/presentation/drawing.ts";

export type CsvRow = readonly (string | number)[];

/** Spreadsheets take a file without it for one in an old encoding. */
const byteOrderMark = "\uFEFF";
/** Characters sent at once. */
const chunkChars = 32_000;

/** `name`: of the file, ASCII. Each row is read when the browser has taken the ones before. */
export function csvResponse(name: string, columns: readonly string[], rows: AsyncIterable<CsvRow>): Response {
  const iterator = rows[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  let text = byteOrderMark + csvLine(columns);
  const body = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      while (text.length < chunkChars) {
        const { done, value } = await iterator.next();
        if (done) {
          controller.enqueue(encoder.encode(text));
          controller.close();
          return;
        }
        text += csvLine(value.map((cell) => cleanText(String(cell))));
      }
      controller.enqueue(encoder.encode(text));
      text = "";
    },
    // The browser has left.
    cancel: async () => {
      await iterator.return?.();
    },
  });
  return new Response(body, {
    headers: {
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": `attachment; filename="${name}"`,
      "cache-control": "no-store",
    },
  });
}
