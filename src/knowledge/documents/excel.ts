/**
 * Reads an Excel workbook: each sheet as a table. Only filled cells are read, in the order of their places, so that a
 * stray cell at the end of a sheet costs nothing.
 */
import { posix } from "node:path";
import { documentSentences } from "../../presentation/sentences.ts";
import { maxUnpackedDocumentBytes } from "../foreign/content-limits.ts";
import { ReadFailure } from "../pages/read-failure.ts";
import { type Archive, textIn } from "./archive.ts";
import { dateStylesIn, shownDate } from "./excel-dates.ts";
import type { Part, ReadDocument } from "./parts.ts";
import { checkSheetRows, sheetPart } from "./sheet-text.ts";
import { localName, readXml, relationsIn } from "./xml.ts";

const workbook = "xl/workbook.xml";

/** Of a row: what its filled cells say, and their columns. */
type Cells = { readonly texts: string[]; readonly columns: number[] };

type Sheet = { readonly name: string; readonly path: string };

/** Throws ReadFailure. */
export function readExcel(archive: Archive): ReadDocument {
  const { sheets, is1904 } = sheetsIn(archive);
  const pathOf = (kind: string) => [...relationsOf(archive).values()].find(({ type }) => type.endsWith(`/${kind}`));
  const texts = sharedTexts(textIn(archive, targetOf(pathOf("sharedStrings")?.target ?? "sharedStrings.xml")));
  const styles = dateStylesIn(textIn(archive, targetOf(pathOf("styles")?.target ?? "styles.xml")));
  const parts: Part[] = [];
  let count = 0;
  for (const { name, path } of sheets) {
    const rows = rowsIn(textIn(archive, path), (cell) => shownText(cell, { texts, styles, is1904 }));
    count += rows.length;
    checkSheetRows(count);
    const part = sheetPart(name, withoutGaps(rows));
    if (part !== undefined) parts.push(part);
  }
  if (parts.length === 0) throw new ReadFailure("unreadable", documentSentences.noText);
  return { parts, size: { count: parts.length, unit: "sheet" }, notes: [] };
}

/** Charts have sheets of their own, which have no cells. */
function sheetsIn(archive: Archive): { readonly sheets: readonly Sheet[]; readonly is1904: boolean } {
  const relations = relationsOf(archive);
  const sheets: Sheet[] = [];
  let is1904 = false;
  readXml(textIn(archive, workbook), {
    open: (name, attributes) => {
      if (localName(name) === "workbookPr") is1904 = /^(?:1|true)$/.test(attributes["date1904"] ?? "");
      if (localName(name) !== "sheet") return;
      const id = Object.entries(attributes).find(([key]) => key.endsWith(":id"))?.[1] ?? "";
      const found = relations.get(id);
      if (found?.type.endsWith("/worksheet"))
        sheets.push({ name: attributes["name"] ?? "", path: targetOf(found.target) });
    },
    text: () => {},
    close: () => {},
  });
  return { sheets: sheets.length > 0 ? sheets : unlistedIn(archive), is1904 };
}

/** Of a workbook whose list is damaged. */
function unlistedIn(archive: Archive): readonly Sheet[] {
  const paths = [...archive.keys()].filter((name) => /^xl\/worksheets\/[^/]+\.xml$/.test(name));
  return paths.map((path) => ({ name: posix.basename(path, ".xml"), path }));
}

function relationsOf(archive: Archive) {
  return relationsIn(textIn(archive, "xl/_rels/workbook.xml.rels"));
}

function targetOf(target: string): string {
  return target.startsWith("/") ? target.slice(1) : posix.join(posix.dirname(workbook), target);
}

/** Texts that cells name by their number. How a word is pronounced isn't part of one. */
function sharedTexts(xml: string): readonly string[] {
  const texts: string[] = [];
  let isText = false;
  let spoken = 0;
  readXml(xml, {
    open: (name) => {
      const tag = localName(name);
      if (tag === "si") texts.push("");
      else if (tag === "rPh") spoken += 1;
      else if (tag === "t") isText = true;
    },
    text: (text) => {
      if (isText && spoken === 0 && texts.length > 0) texts[texts.length - 1] += text;
    },
    close: (name) => {
      const tag = localName(name);
      if (tag === "rPh") spoken -= 1;
      else if (tag === "t") isText = false;
    },
  });
  return texts;
}

type Cell = { readonly type: string; readonly style: number; readonly value: string };

/** The rows that have something. */
function rowsIn(xml: string, shown: (cell: Cell) => string): readonly Cells[] {
  const rows: Cells[] = [];
  let row: Cells = { texts: [], columns: [] };
  let chars = 0;
  let column = 0;
  let type = "";
  let style = 0;
  let value = "";
  let isValue = false;
  let spoken = 0;
  readXml(xml, {
    open: (name, attributes) => {
      const tag = localName(name);
      if (tag === "row") {
        row = { texts: [], columns: [] };
        column = 0;
      } else if (tag === "c") {
        // Some programs write no places: the cell is beside the last one.
        column = columnOf(attributes["r"] ?? "") ?? column + 1;
        type = attributes["t"] ?? "n";
        style = Number(attributes["s"] ?? 0);
        value = "";
      } else if (tag === "rPh") spoken += 1;
      else if (tag === "v" || tag === "t") isValue = true;
    },
    text: (text) => {
      if (isValue && spoken === 0) value += text;
    },
    close: (name) => {
      const tag = localName(name);
      if (tag === "rPh") spoken -= 1;
      else if (tag === "v" || tag === "t") isValue = false;
      else if (tag === "c") {
        const text = shown({ type, style, value }).trim();
        if (text === "") return;
        row.texts.push(text);
        row.columns.push(column);
        chars += text.length;
        // A text that is stored once can be in every cell.
        if (chars > maxUnpackedDocumentBytes) {
          throw new ReadFailure("unreadable", documentSentences.unpacksTo(maxUnpackedDocumentBytes / 1024 ** 2));
        }
      } else if (tag === "row" && row.texts.length > 0) {
        rows.push(row);
        checkSheetRows(rows.length);
      }
    },
  });
  return rows;
}

/** "B7" is in column 2. */
function columnOf(place: string): number | undefined {
  const [letters = ""] = /^[A-Z]{1,3}/.exec(place) ?? [];
  if (letters === "") return undefined;
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);
}

type Known = {
  readonly texts: readonly string[];
  readonly styles: ReadonlySet<number>;
  readonly is1904: boolean;
};

function shownText({ type, style, value }: Cell, { texts, styles, is1904 }: Known): string {
  if (type === "s") return unescaped(texts[Number(value)] ?? "");
  if (type === "b") return value === "1" ? "true" : value === "0" ? "false" : value;
  if (type === "d") return value.replace("T", " ");
  if (type !== "n" || value.trim() === "") return value;
  const number = Number(value);
  if (!Number.isFinite(number)) return value;
  // As Excel shows it: 0.1 + 0.2 is stored as 0.30000000000000004.
  return (styles.has(style) ? shownDate(number, is1904) : undefined) ?? String(Number(number.toPrecision(15)));
}

/** Excel writes a control character as "_x000D_". */
function unescaped(text: string): string {
  return text.replace(/_x([0-9A-F]{4})_/g, (_whole, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

/** Without the columns that are empty in every row. */
function withoutGaps(rows: readonly Cells[]): readonly (readonly string[])[] {
  const filled = new Set<number>();
  for (const { columns } of rows) for (const column of columns) filled.add(column);
  const sorted = [...filled].sort((one, other) => one - other);
  const places = new Map(sorted.map((column, place) => [column, place]));
  return rows.map(({ texts, columns }) => {
    const cells: string[] = [];
    for (const [index, column] of columns.entries()) {
      const place = places.get(column) ?? 0;
      while (cells.length < place) cells.push("");
      cells[place] = texts[index] ?? "";
    }
    return cells;
  });
}
