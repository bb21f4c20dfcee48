/** Reads an Excel workbook: each sheet as a table. */
import { zipSync } from "fflate";
import readWorkbook from "read-excel-file/node";
import { documentSentences } from "../../presentation/sentences.ts";
import { ReadFailure } from "../pages/read-failure.ts";
import type { Archive } from "./archive.ts";
import type { ReadDocument } from "./parts.ts";
import { checkSheetRows, sheetPart } from "./sheet-text.ts";

/** Throws ReadFailure. */
export async function readExcel(archive: Archive): Promise<ReadDocument> {
  let rows = 0;
  // Counted before they are read: as objects they take a hundred times their size.
  for (const [name, xml] of archive) if (/^xl\/worksheets\/[^/]+\.xml$/.test(name)) rows += rowsIn(xml);
  checkSheetRows(rows);
  const bytes = Buffer.from(zipSync(Object.fromEntries(archive), { level: 0 }));
  const sheets = await readWorkbook(bytes).catch((thrown) => {
    throw new ReadFailure("unreadable", documentSentences.damaged("workbook"), thrown);
  });
  const parts = sheets.flatMap(
    ({ sheet, data }) =>
      sheetPart(
        sheet,
        data.map((cells) => cells.map(cellText)),
      ) ?? [],
  );
  if (parts.length === 0) throw new ReadFailure("unreadable", documentSentences.noText);
  return { parts, notes: [] };
}

function rowsIn(xml: Uint8Array): number {
  const text = Buffer.from(xml.buffer, xml.byteOffset, xml.byteLength);
  let count = 0;
  for (let at = text.indexOf("<row"); at >= 0; at = text.indexOf("<row", at + 4)) count += 1;
  return count;
}

function cellText(cell: unknown): string {
  if (cell === null || cell === undefined) return "";
  if (cell instanceof Date)
    return cell
      .toISOString()
      .replace(/T00:00:00\.000Z$/, "")
      .replace("T", " ")
      .replace(/\.000Z$/, "");
  return String(cell).trim();
}
