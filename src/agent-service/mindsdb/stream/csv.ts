/**
 * Parses CSV in Python's "excel" dialect, in which the tools of 25.x print their results. Quoted cells may hold commas,
 * line ends and doubled quotes. An unclosed quote ends with the text, because nobody checks what a tool prints.
 */

/** The first `maxRecords` records, including the header. O(n); records end in LF or CRLF. */
export function parseCsv(text: string, maxRecords = Number.POSITIVE_INFINITY): string[][] {
  const records: string[][] = [];
  let record: string[] = [];
  let at = 0;
  while (at < text.length && records.length < maxRecords) {
    const { cell, end } = text[at] === '"' ? readQuoted(text, at) : readPlain(text, at);
    record.push(cell);
    at = end;
    if (text[at] === ",") {
      at += 1;
      if (at < text.length && text[at] !== "\r" && text[at] !== "\n") continue;
      record.push("");
    }
    if (text[at] === "\r" && text[at + 1] === "\n") at += 1;
    at += 1;
    records.push(record);
    record = [];
  }
  return records;
}

function readPlain(text: string, start: number): { cell: string; end: number } {
  let end = start;
  while (end < text.length) {
    const code = text.charCodeAt(end);
    if (code === 44 || code === 10 || code === 13) break;
    end += 1;
  }
  return { cell: text.slice(start, end), end };
}

function readQuoted(text: string, start: number): { cell: string; end: number } {
  let from = start + 1;
  let cell = "";
  for (;;) {
    const quote = text.indexOf('"', from);
    if (quote < 0) return { cell: cell + text.slice(from), end: text.length };
    cell += text.slice(from, quote);
    if (text[quote + 1] !== '"') {
      // Text between a closing quote and the next comma belongs to the cell, so that nothing is lost.
      const rest = readPlain(text, quote + 1);
      return { cell: cell + rest.cell, end: rest.end };
    }
    cell += '"';
    from = quote + 2;
  }
}
